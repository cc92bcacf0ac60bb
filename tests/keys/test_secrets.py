import hashlib
import zlib

import pytest

from apps.keys import secrets


@pytest.mark.parametrize("environment", ["test", "live"])
def test_a_secret_names_its_environment_and_has_the_length_of_all(environment):
    secret = secrets.make(environment)

    assert secret.startswith(f"svc_{environment}_")
    assert len(secret) == len("svc_live_") + 32 + 6
    assert secrets.is_plausible(secret)


def test_the_checksum_is_the_crc32_of_what_precedes_in_base62():
    secret = secrets.make("live")
    number = 0
    for character in secret[-6:]:
        number = number * 62 + secrets.BASE62.index(character)

    assert number == zlib.crc32(secret[:-6].encode())


@pytest.mark.parametrize(("text", "expected"), [("", "000000"), ("123456789", "3jZRME")])
def test_the_checksum_is_padded_and_stays_what_it_is(text, expected):
    assert secrets.checksum(text) == expected


def test_every_single_wrong_character_is_noticed():
    secret = secrets.make("test")
    assert secrets.is_plausible(secret)
    for position in range(len("svc_test_"), len(secret)):
        other = "A" if secret[position] != "A" else "B"
        assert not secrets.is_plausible(secret[:position] + other + secret[position + 1 :])


@pytest.mark.parametrize(
    "junk",
    ["", "svc_test_", "sk_live_4242", "svc_prod_" + "a" * 38, "svc_test_" + "ü" * 38, "svc_test_" + "٣" * 38],
)
def test_junk_is_not_plausible(junk):
    assert not secrets.is_plausible(junk)


@pytest.mark.parametrize(
    "head",
    ["", "svc_prod_" + "a" * 32, "svc_test_" + "a" * 31, "svc_test_" + "a" * 33, "svc_test_" + "-" * 32],
)
def test_a_checksum_that_is_right_makes_no_secret_of_another_form(head):
    assert secrets.is_plausible("svc_test_" + "a" * 32 + secrets.checksum("svc_test_" + "a" * 32))
    assert not secrets.is_plausible(head + secrets.checksum(head))


def test_the_digest_is_sha256_and_the_display_prefix_shows_four_random_characters():
    secret = secrets.make("test")

    assert secrets.digest(secret) == hashlib.sha256(secret.encode()).hexdigest()
    assert secrets.display_prefix(secret) == secret[: len("svc_test_") + 4]
