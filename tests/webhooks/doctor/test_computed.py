"""What a receiver's code did to come to its signature, of all that is usual."""

import base64
import hmac
import json

import pytest

from tests.webhooks.doctor.cases import (
    BODY,
    CURRENT,
    ENDED,
    EVENT_ID,
    OTHER,
    SIGNED_AT,
    codes,
    judged,
    only,
    signed,
    where,
)

SERVICE = "X-Service-Signature"
VALUE = json.loads(BODY)
DECODED = base64.b64decode(CURRENT.text.removeprefix("whsec_"))


def digest(
    body: bytes = BODY, *, key: bytes | None = None, head: str = f"{SIGNED_AT}.", function: str = "sha256"
) -> bytes:
    return hmac.digest(key or CURRENT.text.encode(), head.encode() + body, function)


def base64_of(digest: bytes) -> str:
    return base64.b64encode(digest).decode()


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"ensure_ascii": False},
        {"separators": (",", ":")},
        {"separators": (",", ":"), "sort_keys": True},
        {"sort_keys": True},
        {"indent": 2, "ensure_ascii": False},
        {"indent": 4},
    ],
    ids=str,
)
def test_a_body_that_was_written_anew_before_it_was_signed_is_recognised(form) -> None:
    text = json.dumps(VALUE, **form).encode()
    assert codes(judged(signed(), computed=digest(text).hex())) == ["body_reserialised"]


def test_a_body_as_php_writes_it_is_recognised() -> None:
    for ascii_only in (True, False):
        text = json.dumps(VALUE, separators=(",", ":"), ensure_ascii=ascii_only).replace("/", "\\/").encode()
        diagnosis = judged(signed(), computed=digest(text).hex())
        assert codes(diagnosis) == ["body_reserialised"]
        assert "escaped slashes" in where(diagnosis)


def test_the_pasted_body_is_one_of_those_that_may_have_been_signed() -> None:
    diagnosis = judged(signed(), BODY + b" \n", computed=digest(BODY + b" \n").hex())
    assert codes(diagnosis) == ["body_reserialised"]


@pytest.mark.parametrize("function", ["md5", "sha1", "sha384", "sha512"])
def test_another_hash_function_is_named_by_its_length(function: str) -> None:
    found = digest(function=function)
    by_hex = judged(signed(), computed=found.hex())
    assert (codes(by_hex), where(by_hex)) == (["digest"], f"yours is {function.upper()}")
    assert codes(judged(signed(), computed=base64_of(found))) == ["signature_encoding", "digest"]


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (f"t={SIGNED_AT}.", "yours is over `t=` before the timestamp"),
        (f"{EVENT_ID}.", "yours is over the event id without the timestamp"),
        (f"{SIGNED_AT}\n", "yours is over a line break instead of the dot"),
        (f"{EVENT_ID}.{SIGNED_AT}.", "yours is over the text of webhook-signature"),
    ],
)
def test_another_text_before_the_body_is_named(head: str, said: str) -> None:
    diagnosis = judged(only(signed(), "service"), computed=digest(head=head).hex())
    assert (codes(diagnosis), where(diagnosis)) == (["signed_text"], said)


def test_a_timestamp_after_the_body_is_named() -> None:
    diagnosis = judged(signed(), computed=digest(BODY + f".{SIGNED_AT}".encode(), head="").hex())
    assert (codes(diagnosis), where(diagnosis)) == (
        ["signed_text"],
        "yours is over the body before the timestamp",
    )


def test_the_text_of_the_other_scheme_is_named_for_the_standard_one_too() -> None:
    diagnosis = judged(only(signed(), "standard"), computed=base64_of(digest(key=DECODED)))
    assert (codes(diagnosis), where(diagnosis)) == (
        ["signed_text"],
        "yours is over the text of X-Service-Signature",
    )


def test_a_standard_signature_that_was_computed_rightly_was_compared_wrongly() -> None:
    found = digest(key=DECODED, head=f"{EVENT_ID}.{SIGNED_AT}.")
    assert codes(judged(only(signed(), "standard"), computed=base64_of(found))) == ["comparison"]
    as_hex = judged(only(signed(), "standard"), computed=found.hex())
    assert (codes(as_hex), where(as_hex)) == (
        ["signature_encoding"],
        "yours is hexadecimal, webhook-signature is base64",
    )


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(b"0123456789").decode(),
        base64.b64encode(bytes(24)).decode(),
        "00" * 31,
        "0" * 65,
        base64_of(digest())[:9] + "!!!!" + base64_of(digest())[9:],
    ],
    ids=[
        "too short",
        "of no function's length",
        "hexadecimal, cut off",
        "an odd number of digits",
        "not base64",
    ],
)
def test_what_is_no_signature_at_all_is_unknown(text: str) -> None:
    assert codes(judged(signed(), computed=text)) == ["computed_unknown"]


def test_nothing_was_computed_where_the_field_is_blank() -> None:
    assert judged(signed(), computed=" \n").findings == []


@pytest.mark.parametrize("body", [b"no json", b'{"text":"\\ud800"}'], ids=["no json", "half a pair"])
def test_a_body_that_is_no_payload_of_ours_is_judged_all_the_same(body: bytes) -> None:
    diagnosis = judged(signed(body), body, original=None, computed="00" * 32)
    assert codes(diagnosis) == ["computed_unknown", "event_unknown"]


def test_of_another_endpoints_secret_the_right_way_alone_is_tried_over_the_likeliest_bodies() -> None:
    """So that the time for a page stays within bounds, however many endpoints there are."""
    key, pasted = OTHER.text.encode(), BODY + b"\n"
    assert codes(judged(signed(), computed=digest(key=key).hex())) == ["other_endpoint_secret"]
    assert codes(judged(signed(), pasted, computed=digest(pasted, key=key).hex())) == [
        "body_reserialised",
        "other_endpoint_secret",
    ]
    decoded = base64.b64decode(OTHER.text.removeprefix("whsec_"))
    for text in (digest(key=key, head=""), digest(key=decoded), digest(json.dumps(VALUE).encode(), key=key)):
        assert codes(judged(signed(), computed=text.hex())) == ["computed_unknown"]


def test_without_a_header_both_schemes_are_tried() -> None:
    diagnosis = judged({}, computed=digest(head="").hex())
    assert codes(diagnosis) == ["header_missing", "signed_text"]


def test_a_right_signature_is_compared_wrongly_only_where_nothing_else_explains_the_refusal() -> None:
    right = digest().hex()
    wrong = {SERVICE: f"t={SIGNED_AT},v1={'0' * 64}"}
    assert codes(judged(wrong, computed=right)) == ["comparison", "unknown_secret"]
    written_in_capitals = {SERVICE: signed()[SERVICE].replace("t=", "T=").replace("v1=", "V1=")}
    assert codes(judged(written_in_capitals, computed=right)) == ["header_case"]
    assert codes(judged({SERVICE: f"t={SIGNED_AT},v1={right.upper()}"}, computed=right)) == ["signature_case"]
    assert codes(judged(written_in_capitals, computed=digest(key=DECODED).hex())) == [
        "header_case",
        "key_form",
    ]
    one_of_two = only(signed(), "service") | {
        "webhook-signature": f"v1,{base64_of(bytes(32))}",
        "webhook-id": EVENT_ID,
        "webhook-timestamp": str(SIGNED_AT),
    }
    assert codes(judged(one_of_two, computed=right)) == ["unknown_secret"]


def test_what_was_computed_over_the_timestamp_that_was_signed_fits_a_header_in_milliseconds() -> None:
    headers = {SERVICE: signed()[SERVICE].replace(f"t={SIGNED_AT}", f"t={SIGNED_AT}000")}
    assert codes(judged(headers, computed=digest().hex())) == ["timestamp_form"]


def test_an_ended_secret_in_the_code_is_told_by_when_it_ended() -> None:
    diagnosis = judged(signed(), computed=digest(key=ENDED.text.encode()).hex(), secrets=(CURRENT, ENDED))
    assert (codes(diagnosis), where(diagnosis)) == (
        ["previous_secret_ended"],
        "it ended at 2026-11-20T12:00:00.000Z",
    )
