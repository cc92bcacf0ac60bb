import pytest

from apps.gateway.errors import InvalidRequest
from apps.keys.allowed_ips import MAX_ENTRIES, allows, parse_allowed_ips


@pytest.mark.parametrize(
    ("entry", "canonical"),
    [
        ("203.0.113.7", "203.0.113.7"),
        (" 203.0.113.7 ", "203.0.113.7"),
        ("203.0.113.7/32", "203.0.113.7"),
        ("203.0.113.0/24", "203.0.113.0/24"),
        ("0.0.0.0/1", "0.0.0.0/1"),
        ("2001:DB8:0:0::1", "2001:db8::1"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
    ],
)
def test_an_entry_is_stored_in_its_canonical_form(entry, canonical):
    assert parse_allowed_ips([entry]) == [canonical]


def test_entries_keep_their_order_and_appear_once():
    assert parse_allowed_ips(["198.51.100.2", "10.0.0.0/8", "198.51.100.2/32"]) == [
        "198.51.100.2",
        "10.0.0.0/8",
    ]


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "office",
        "203.0.113.256",
        "203.0.113",
        "203.0.113.07",
        "203.0.113.7/33",
        "203.0.113.7/-1",
        "203.0.113.7/",
        "203.0.113.0/255.255.255.0",
        "203.0.113.7/24",
        "٢٠٣.0.113.7",
        "2001:db8::/32",
        "2001:db8::1/128",
        "fe80::1%eth0",
        "::ffff:203.0.113.0/120",
        "203.0.113.7\x00",
    ],
)
def test_what_is_no_address_or_ipv4_range_is_refused_with_its_place(entry):
    with pytest.raises(InvalidRequest) as refusal:
        parse_allowed_ips(["198.51.100.1", entry])

    assert [detail["field"] for detail in refusal.value.extras["details"]] == ["allowedIps.1"]


def test_a_range_with_bits_beyond_it_is_refused_with_what_was_meant():
    with pytest.raises(InvalidRequest) as refusal:
        parse_allowed_ips(["203.0.113.7/24"])

    assert "203.0.113.0/24" in refusal.value.extras["details"][0]["message"]


@pytest.mark.parametrize(
    "entries",
    [
        ["0.0.0.0/0"],
        ["0.0.0.0/1", "128.0.0.0/1"],
        ["128.0.0.0/1", "64.0.0.0/2", "2001:db8::1", "0.0.0.0/3", "32.0.0.0/3"],
        [*(f"{first}.0.0.0/8" for first in range(64)), "64.0.0.0/2", "128.0.0.0/1"],
    ],
)
def test_a_list_that_allows_every_address_is_refused(entries):
    with pytest.raises(InvalidRequest) as refusal:
        parse_allowed_ips(entries)

    assert refusal.value.extras["details"][0]["field"] == "allowedIps"


def test_a_list_that_leaves_a_gap_is_accepted():
    assert parse_allowed_ips(["0.0.0.0/1", "128.0.0.0/2"]) == ["0.0.0.0/1", "128.0.0.0/2"]


def test_a_list_has_an_end():
    entries = [f"198.51.100.{last}" for last in range(MAX_ENTRIES + 1)]

    assert len(parse_allowed_ips(entries[:-1])) == MAX_ENTRIES
    with pytest.raises(InvalidRequest):
        parse_allowed_ips(entries)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("203.0.113.7", True),
        ("203.0.113.8", False),
        ("10.0.0.0", True),
        ("10.255.255.255", True),
        ("11.0.0.0", False),
        ("9.255.255.255", False),
        ("::ffff:203.0.113.7", True),
        ("::ffff:203.0.113.8", False),
        ("2001:db8::1", True),
        ("2001:0db8:0000::0001", True),
        ("2001:db8::2", False),
        ("::cb00:7107", False),
        ("", False),
        ("unix", False),
        ("203.0.113.7, 10.0.0.1", False),
    ],
)
def test_a_call_is_allowed_from_listed_addresses_alone(address, expected):
    allowed = parse_allowed_ips(["203.0.113.7", "10.0.0.0/8", "2001:db8::1"])

    assert allows(allowed, address) is expected


@pytest.mark.parametrize("address", ["203.0.113.7", "2001:db8::1", ""])
def test_an_empty_list_allows_every_address(address):
    assert allows((), address)
