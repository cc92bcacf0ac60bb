"""How the two signature headers are read, whatever was done to them on the way."""

import base64
from urllib.parse import quote

import pytest

from tests.webhooks.doctor.cases import EVENT_ID, SIGNED_AT, STRANGER, codes, judged, only, signed, where

SERVICE, STANDARD = "X-Service-Signature", "webhook-signature"
HEX = signed()[SERVICE].partition("v1=")[2]
BASE64 = signed()[STANDARD].removeprefix("v1,")


def service(*values: str) -> dict[str, str]:
    return {SERVICE: f"t={SIGNED_AT}," + ",".join(f"v1={value}" for value in values)}


def standard(*values: str) -> dict[str, str]:
    return only(signed(), "standard") | {STANDARD: " ".join(f"v1,{value}" for value in values)}


@pytest.mark.parametrize(
    ("headers", "code", "said"),
    [
        (service("z" * 64), "signature_encoding", "64 of 64 characters in X-Service-Signature"),
        (service(HEX + "0"), "signature_encoding", "65 of 64 characters in X-Service-Signature"),
        (service("z" * 63), "header_cut", "63 of 64 characters in X-Service-Signature"),
        (standard("z" * 64), "signature_encoding", "64 of 44 characters in webhook-signature"),
        (standard("0" * 40), "header_cut", "40 of 44 characters in webhook-signature"),
        (standard("0" * 66), "signature_encoding", "66 of 44 characters in webhook-signature"),
        (standard("!" + BASE64[1:]), "signature_encoding", "44 of 44 characters in webhook-signature"),
        (
            standard(BASE64[:9] + "!!!!" + BASE64[9:]),
            "signature_encoding",
            "48 of 44 characters in webhook-signature",
        ),
        (
            standard(base64.b64decode(BASE64).hex()),
            "signature_encoding",
            "hexadecimal in webhook-signature, where it is base64",
        ),
        (
            standard(BASE64.rstrip("=")),
            "signature_encoding",
            "another alphabet or no padding in webhook-signature",
        ),
        ({SERVICE: f"t={'²' * 10},v1={HEX}"}, "timestamp_form", "no plain number in X-Service-Signature"),
        ({"webhook-signature": " ", "webhook-id": EVENT_ID}, "header_missing", ""),
    ],
)
def test_a_value_that_cannot_be_right_is_told_with_why(headers: dict[str, str], code: str, said: str) -> None:
    diagnosis = judged(headers)
    assert (codes(diagnosis), where(diagnosis)) == ([code], said)


@pytest.mark.parametrize(
    "value",
    [f" v1,{BASE64}", f"v1,{BASE64} ", f'"v1,{BASE64}"', f"v1 ,{BASE64}"],
    ids=["before", "after", "quotes", "comma"],
)
def test_spaces_and_quotes_of_the_standard_header_are_told_and_read_over(value: str) -> None:
    diagnosis = judged(only(signed(), "standard") | {STANDARD: value})
    assert (codes(diagnosis), where(diagnosis)) == (["header_whitespace"], "in webhook-signature")


def test_a_percent_encoded_standard_header_is_read() -> None:
    diagnosis = judged(only(signed(), "standard") | {STANDARD: quote(signed()[STANDARD])})
    assert (codes(diagnosis), where(diagnosis)) == (["signature_encoding"], "it is percent-encoded")


def test_a_standard_signature_alone_lacks_its_two_other_headers() -> None:
    assert codes(judged({STANDARD: signed()[STANDARD]})) == ["header_missing", "timestamp_missing"]


@pytest.mark.parametrize("written", [service, standard])
def test_of_many_values_the_first_eight_are_read(written) -> None:
    right, wrong = (HEX, "0" * 64) if written is service else (BASE64, base64.b64encode(bytes(32)).decode())
    assert judged(written(*[wrong] * 7, right)).is_sound
    assert codes(judged(written(*[wrong] * 8, right))) == ["unknown_secret"]


def test_a_header_of_another_name_counts_where_there_is_none_of_the_right_name() -> None:
    right, foreign = signed(), signed(b"{}", STRANGER)
    for scheme in ("service", "standard"):
        assert judged({"Stripe-Signature": foreign[SERVICE]} | only(right, scheme)).is_sound
    several = judged({"X-One": right[SERVICE], "X-Two": foreign[SERVICE]})
    assert (codes(several), where(several)) == (["wrong_header_name"], "it is in x-one")


def test_a_timestamp_of_twelve_digits_is_not_taken_for_milliseconds() -> None:
    assert codes(judged({SERVICE: f"t={'9' * 12},v1={HEX}"})) == ["unknown_secret"]
