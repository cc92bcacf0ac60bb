import pytest

from apps.common.errors import InvalidRequest
from apps.keys.allowed_ips import allows, parse_allowed_ips


@pytest.mark.parametrize(
    ("entry", "canonical"),
    [
        ("203.0.113.7", "203.0.113.7"),
        (" 203.0.113.7 ", "203.0.113.7"),
        ("203.0.113.7/32", "203.0.113.7"),
        ("203.0.113.0/24", "203.0.113.0/24"),
        ("11.0.0.0/9", "11.0.0.0/9"),
        ("10.0.0.0/8", "10.0.0.0/8"),
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
        "2001:db8::g",
        "2001:db8:::1",
        "fe80::1%eth0",
        "::ffff:203.0.113.0/120",
        "203.0.113.7\x00",
    ],
)
def test_what_is_no_address_or_ipv4_range_is_refused_with_its_place(entry):
    with pytest.raises(InvalidRequest) as refusal:
        parse_allowed_ips(["198.51.100.1", entry])

    assert [detail["field"] for detail in refusal.value.extras["details"]] == ["allowedIps.1"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "entries",
    [
        ["0.0.0.0/0"],
        ["0.0.0.0/1", "128.0.0.0/1"],
        ["128.0.0.0/1", "64.0.0.0/2", "2001:db8::1", "0.0.0.0/3", "32.0.0.0/3"],
        ["0.0.0.0/7", *(f"{first}.0.0.0/8" for first in range(2, 64)), "64.0.0.0/2", "128.0.0.0/1"],
    ],
)
def test_a_list_that_allows_every_address_is_refused(entries):
    with pytest.raises(InvalidRequest) as refusal:
        parse_allowed_ips(entries)

    [detail] = refusal.value.extras["details"]
    assert detail["field"] == "allowedIps"
    assert "leave it empty for that" in detail["message"]


@pytest.mark.parametrize(
    "entries",
    [
        ["0.0.0.0/1"],
        ["128.0.0.0/1"],
        ["11.0.0.0/8"],
        ["0.0.0.0/1", "128.0.0.0/2"],
        ["11.0.0.0/9", "11.128.0.0/9"],
        ["11.0.0.0/9", "13.0.0.0/9"],
        [
            *(f"11.{second}.0.0/16" for second in range(0, 256, 4)),
            *(f"{first}.0.0.0/10" for first in (1, 2, 3, 4)),
        ],
    ],
)
def test_a_list_as_wide_as_a_slash_8_is_refused_with_the_reason(entries):
    with pytest.raises(InvalidRequest) as refusal:
        parse_allowed_ips(entries)

    [detail] = refusal.value.extras["details"]
    assert detail["field"] == "allowedIps"
    assert "which protects nothing: a /8 or more in all" in detail["message"]


@pytest.mark.parametrize(
    "entries",
    [
        ["11.0.0.0/9", "13.0.0.0/10"],
        ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "203.0.113.0/24"],
    ],
)
def test_a_list_below_that_is_accepted_and_private_ranges_do_not_count(entries):
    assert parse_allowed_ips(entries) == entries


@pytest.mark.parametrize(
    "entry",
    [
        *("0.0.0.0", "0.0.0.0/8", "0.1.2.3", "::", "::ffff:0.0.0.0"),
        *("224.0.0.1", "224.0.0.0/4", "239.255.255.250", "ff02::1", "::ffff:224.0.0.1"),
        *("240.0.0.0/4", "255.255.255.255", "255.0.0.0/8"),
    ],
)
def test_what_nobody_calls_from_is_refused_with_its_place_and_the_reason(entry):
    with pytest.raises(InvalidRequest) as refusal:
        parse_allowed_ips(["198.51.100.1", entry])

    [detail] = refusal.value.extras["details"]
    assert detail["field"] == "allowedIps.1"
    assert "calls from" in detail["message"] or "caller" in detail["message"]


def test_a_list_that_was_stored_before_stays_in_force():
    assert allows(["0.0.0.0/1"], "127.0.0.1")
    assert not allows(["0.0.0.0/1"], "203.0.113.7")


def test_a_list_has_an_end():
    entries = [f"198.51.100.{last}" for last in range(101)]

    assert len(parse_allowed_ips(entries[:-1])) == 100
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
