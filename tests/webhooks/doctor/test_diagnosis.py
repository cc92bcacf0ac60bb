"""Each fault is named, with its place; what is right is called right."""

import base64
import gzip
import hashlib
import hmac
import json
import zlib
from datetime import timedelta
from urllib.parse import quote

import pytest

from apps.webhooks.doctor.bodies import difference
from apps.webhooks.doctor.findings import TEXTS, Code
from tests.webhooks.doctor.cases import (
    BODY,
    CURRENT,
    ENDED,
    EVENT_ID,
    NOW,
    OTHER,
    PREVIOUS,
    SIGNED_AT,
    STRANGER,
    codes,
    judged,
    known,
    only,
    signed,
    where,
)

SERVICE = "X-Service-Signature"
VALUE = json.loads(BODY)
HEX = signed()[SERVICE].partition("v1=")[2]
BASE64 = signed()["webhook-signature"].removeprefix("v1,")


def test_every_code_has_its_words() -> None:
    assert list(TEXTS) == list(Code)
    assert [
        code for code, text in TEXTS.items() if not (text.title.endswith(".") and text.mend.endswith("."))
    ] == []


@pytest.mark.parametrize("scheme", ["service", "standard"])
def test_a_right_delivery_is_called_right(scheme: str) -> None:
    diagnosis = judged(only(signed(), scheme))
    assert (diagnosis.is_sound, codes(diagnosis), diagnosis.event_id) == (True, [], EVENT_ID)
    assert judged(signed(BODY, CURRENT, PREVIOUS)).findings == []
    assert judged(signed(), computed=HEX, received_at=NOW).is_sound is False, (
        "computed right and refused: compared wrongly"
    )


@pytest.mark.parametrize("original", [BODY, None], ids=["kept", "forgotten"])
@pytest.mark.parametrize(
    ("body", "said"),
    [
        (json.dumps(VALUE, ensure_ascii=False).encode(), 'spacing; they part at byte 6: “ "evt_'),
        (
            json.dumps(VALUE, separators=(",", ":")).encode(),
            "escaped unicode; they part at byte 145: “\\u00fcrich",
        ),
        (BODY.replace(b"/", b"\\/"), "escaped slashes; they part at byte"),
        (BODY + b"\n", "trailing newline; they part at byte 189: “\\n” where the end was sent"),
        (BODY.replace(b":1.5", b":1.50"), "number form; they part at byte 187: “0}}” where “}}” was sent"),
        (b"\xef\xbb\xbf" + BODY, "byte order mark or space at the start; they part at byte 0"),
        (json.dumps(VALUE, indent=2).encode(), "spacing, escaped unicode; they part at byte 1"),
    ],
    ids=["spacing", "unicode", "slashes", "newline", "number", "bom", "pretty"],
)
def test_a_body_that_was_written_anew_is_named_with_what_differs_and_where(
    body: bytes, said: str, original: bytes | None
) -> None:
    diagnosis = judged(signed(), body, original=original)
    assert codes(diagnosis)[0] == "body_reserialised"
    assert where(diagnosis).startswith(said)


def test_another_order_of_keys_is_named_where_the_original_is_known() -> None:
    body = json.dumps(VALUE, separators=(",", ":"), ensure_ascii=False, sort_keys=True).encode()
    diagnosis = judged(signed(), body)
    assert codes(diagnosis) == ["body_reserialised"]
    assert (
        where(diagnosis)
        == 'key order; they part at byte 2: “createdAt":"2026-11-23T1” where “id":"evt_01kb2c8x0000000” was sent'
    )


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        (b"", "body_empty", f"{len(BODY)} bytes were sent"),
        (b" \n", "body_empty", f"{len(BODY)} bytes were sent"),
        (gzip.compress(BODY), "body_compressed", f"stand for {len(BODY)}"),
        (zlib.compress(BODY), "body_compressed", f"stand for {len(BODY)}"),
        (base64.b64encode(BODY), "body_encoded", f"stand for {len(BODY)}"),
        (BODY[:100], "body_cut", f"after 100 of {len(BODY)} bytes"),
        (BODY.decode("latin-1").encode(), "body_charset", "they part at byte 146"),
        (BODY.decode().encode("latin-1"), "body_charset", "they part at byte 145"),
        (BODY.replace(b"12000", b"12001"), "body_changed", "data.totalCents differs; they part at byte 175"),
        (b"payload=" + BODY, "body_changed", "they part at byte 0"),
        (b'{"id":"' + EVENT_ID.encode() + b'"}', "body_changed", "type is missing"),
    ],
)
def test_a_body_that_arrived_otherwise_is_named(body: bytes, code: str, said: str) -> None:
    diagnosis = judged(signed(), body)
    assert codes(diagnosis)[0] == code
    assert said in where(diagnosis)


@pytest.mark.parametrize(
    ("headers", "code", "said"),
    [
        ({}, "header_missing", ""),
        ({"content-type": "application/json"}, "header_missing", ""),
        ({SERVICE: " "}, "header_missing", ""),
        ({"Stripe-Signature": signed()[SERVICE]}, "wrong_header_name", "it is in stripe-signature"),
        ({"x-signature": f"v1,{BASE64}"}, "wrong_header_name", "it is in x-signature"),
        ({SERVICE: f"t={SIGNED_AT}, v1={HEX}"}, "header_whitespace", "in X-Service-Signature"),
        ({SERVICE: f'"t={SIGNED_AT},v1={HEX}"'}, "header_whitespace", "in X-Service-Signature"),
        (
            {SERVICE: f"t={SIGNED_AT},v1={HEX[:40]}\n{HEX[40:]}"},
            "header_whitespace",
            "in X-Service-Signature",
        ),
        ({SERVICE: f"T={SIGNED_AT},V1={HEX}"}, "header_case", "in X-Service-Signature"),
        ({SERVICE: f"t={SIGNED_AT},v1={HEX[:40]}"}, "header_cut", "40 of 64 characters"),
        ({SERVICE: f"t={SIGNED_AT}"}, "v1_missing", "in X-Service-Signature"),
        ({SERVICE: f"t={SIGNED_AT},v0={HEX}"}, "v1_missing", "in X-Service-Signature"),
        ({SERVICE: f"v1={HEX}"}, "timestamp_missing", "in X-Service-Signature"),
        ({SERVICE: f"t={SIGNED_AT}000,v1={HEX}"}, "timestamp_form", "milliseconds in X-Service-Signature"),
        ({SERVICE: f"t=2026-11-23,v1={HEX}"}, "timestamp_form", "no plain number"),
        ({SERVICE: f"t={SIGNED_AT},v1={HEX.upper()}"}, "signature_case", "in X-Service-Signature"),
        (
            {SERVICE: f"t={SIGNED_AT},v1={base64.b64encode(bytes.fromhex(HEX)).decode()}"},
            "signature_encoding",
            "base64 in X-Service-Signature, where it is hexadecimal",
        ),
        ({SERVICE: quote(signed()[SERVICE])}, "signature_encoding", "it is percent-encoded"),
    ],
)
def test_a_fault_of_the_headers_is_named(headers: dict[str, str], code: str, said: str) -> None:
    extra = (
        {"webhook-id": EVENT_ID, "webhook-timestamp": str(SIGNED_AT)}
        if f"v1,{BASE64}" in headers.values()
        else {}
    )
    diagnosis = judged(headers | extra)
    assert codes(diagnosis) == [code]
    assert said in where(diagnosis)


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"webhook-signature": BASE64}, "v1_missing"),
        ({"webhook-signature": f"v1, {BASE64}"}, "header_whitespace"),
        ({"webhook-signature": f"v1,{BASE64[:20]}"}, "header_cut"),
        ({"webhook-signature": f"v1,{base64.b64decode(BASE64).hex()}"}, "signature_encoding"),
        ({"webhook-signature": f"v1,{BASE64.rstrip('=')}"}, "signature_encoding"),
        ({"webhook-id": "evt_another"}, "wrong_event_id"),
        ({"webhook-id": ""}, "header_missing"),
        ({"webhook-timestamp": ""}, "timestamp_missing"),
        ({"webhook-timestamp": f"{SIGNED_AT}000"}, "timestamp_form"),
    ],
)
def test_a_fault_of_the_standard_headers_is_named(changed: dict[str, str], code: str) -> None:
    assert codes(judged(only(signed(), "standard") | changed)) == [code]


def test_a_body_of_another_event_than_the_header_names_is_told() -> None:
    other = BODY.replace(EVENT_ID.encode(), b"evt_01kb2c8x0000000000000000001")
    diagnosis = judged(only(signed(event_id="evt_2"), "standard"))
    assert codes(diagnosis) == ["wrong_event_id"]
    assert where(diagnosis) == f"evt_2 in the header, {EVENT_ID} in the body"
    assert "body_changed" in codes(judged(signed(), other))


def test_a_changed_timestamp_is_told_where_an_attempt_knows_the_right_one() -> None:
    headers = {SERVICE: signed()[SERVICE].replace(str(SIGNED_AT), str(SIGNED_AT + 7))}
    assert codes(judged(headers)) == ["unknown_secret"]
    diagnosis = judged(headers, timestamps=(str(SIGNED_AT),))
    assert (codes(diagnosis), f"{SIGNED_AT} was signed" in where(diagnosis)) == (["timestamp_changed"], True)


def test_the_secret_that_signed_is_named() -> None:
    other = judged(signed(BODY, OTHER))
    assert (codes(other), where(other)) == (
        ["other_endpoint_secret"],
        "https://other.example/hooks (live, we_other)",
    )
    previous = judged(signed(BODY, PREVIOUS))
    assert codes(previous) == ["previous_secret"]
    assert where(previous).endswith("the previous one signs until 2026-11-23T17:00:00.000Z")
    ended = judged(signed(BODY, ENDED), secrets=(CURRENT, ENDED))
    assert (codes(ended), where(ended)) == (["previous_secret_ended"], "it ended at 2026-11-20T12:00:00.000Z")
    before = judged(signed(BODY, ENDED, at=SIGNED_AT - 8 * 86_400), secrets=(CURRENT, ENDED))
    assert codes(before)[0] == "previous_secret_ended"
    assert codes(judged(signed(BODY, STRANGER))) == ["unknown_secret"]


@pytest.mark.parametrize(
    ("at", "arrives", "code", "said"),
    [
        (0, 301, "timestamp_off", "it arrived 301 s later than it was signed"),
        (0, -600, "timestamp_off", "it arrived 600 s before it was signed"),
        (1_000, None, "timestamp_off", "it is 940 s in the future"),
        (-7_200, None, "signed_long_ago", "7,260 s ago"),
    ],
)
def test_a_timestamp_is_told_by_how_much_it_is_off(
    at: int, arrives: int | None, code: str, said: str
) -> None:
    received = None if arrives is None else NOW + timedelta(seconds=arrives - 60)
    diagnosis = judged(signed(at=SIGNED_AT + at), received_at=received)
    assert (codes(diagnosis), where(diagnosis)) == ([code], said)
    assert diagnosis.is_sound is (code == "signed_long_ago")


@pytest.mark.parametrize("seconds", [300, -300, 0])
def test_five_minutes_are_allowed(seconds: int) -> None:
    received = NOW + timedelta(seconds=seconds - 60)
    assert judged(signed(), received_at=received).is_sound


def computed(
    body: bytes = BODY, *, key: bytes | None = None, head: str = f"{SIGNED_AT}.", function: str = "sha256"
) -> str:
    return hmac.digest(key or CURRENT.text.encode(), head.encode() + body, function).hex()


DECODED = base64.b64decode(CURRENT.text.removeprefix("whsec_"))


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (computed(key=DECODED), "key_form", "yours is the decoded base64"),
        (computed(key=CURRENT.text.removeprefix("whsec_").encode()), "key_form", "without whsec_"),
        (computed(key=CURRENT.text.encode() + b"\n"), "key_form", "line break at its end"),
        (computed(head=""), "signed_text", "over the body alone"),
        (computed(head=f"{SIGNED_AT}"), "signed_text", "without a dot"),
        (computed(function="sha1"), "digest", "yours is SHA1"),
        (computed(function="sha512"), "digest", "yours is SHA512"),
        (computed(json.dumps(VALUE).encode()), "body_reserialised", "spacing, escaped unicode"),
        (computed(str(VALUE).encode()), "body_changed", "they part at byte 1"),
        (computed(b""), "body_empty", "bytes were sent"),
        (base64.b64encode(bytes.fromhex(computed())).decode(), "signature_encoding", "yours is base64"),
        (computed().upper(), "signature_case", "yours has capital letters"),
        (computed(), "comparison", ""),
        (f"v1={computed()}", "comparison", ""),
        (computed(key=OTHER.text.encode()), "other_endpoint_secret", "https://other.example/hooks (live"),
        (computed(key=PREVIOUS.text.encode()), "previous_secret", "the previous one signs until"),
        (computed(key=STRANGER.text.encode()), "computed_unknown", ""),
        ("what is this", "computed_unknown", ""),
    ],
    ids=lambda value: "computed" if len(value) >= 40 else None,
)
def test_what_the_receivers_code_computed_is_explained(text: str, code: str, said: str) -> None:
    diagnosis = judged(signed(), computed=text)
    assert codes(diagnosis) == [code]
    assert said in where(diagnosis)


def test_the_standard_scheme_is_explained_too() -> None:
    whole = hmac.digest(CURRENT.text.encode(), f"{EVENT_ID}.{SIGNED_AT}.".encode() + BODY, hashlib.sha256)
    found = judged(only(signed(), "standard"), computed=base64.b64encode(whole).decode())
    assert (codes(found), where(found)) == (["key_form"], "yours is the whole text")


def test_a_forgotten_event_is_no_fault() -> None:
    diagnosis = judged(signed(), original=None)
    assert (diagnosis.is_sound, diagnosis.compared, codes(diagnosis)) == (True, False, ["event_unknown"])


def test_no_finding_tells_a_secret_or_a_signature_that_was_not_pasted() -> None:
    """Nor does it say of a part of a signature that it is right: whoever could ask that would guess it bit by bit."""
    forged = b'{"id":"evt_forged"}'
    right = signed(forged)[SERVICE]
    wrong = f"t={SIGNED_AT},v1={'0' * 40}"
    told = [
        judged({SERVICE: header}, forged, original=None).findings for header in (right[: len(wrong)], wrong)
    ]
    assert told[0] == told[1]
    assert len(told[0]) > 0
    everything = [
        judged(headers, body, computed=text, secrets=(CURRENT, PREVIOUS, ENDED, OTHER))
        for headers in (signed(), signed(BODY, OTHER), signed(BODY, PREVIOUS), {SERVICE: wrong})
        for body in (BODY, forged, b"")
        for text in ("", "00" * 32)
    ]
    said = repr(everything)
    secrets = [each.text.removeprefix("whsec_") for each in (CURRENT, PREVIOUS, ENDED, OTHER)]
    assert [part for part in (*secrets, HEX, BASE64) if part in said] == []
    assert len(said) > 1_000


def test_the_largest_case_stays_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every endpoint of ten sandboxes and live, twice, and a body of nearly 64 KiB that nothing explains."""
    body = json.dumps({"id": EVENT_ID, "text": ["ü/ "] * 5_000}).encode()
    secrets = (CURRENT, PREVIOUS, *(known(f"https://{n}.example/", is_chosen=False) for n in range(438)))
    hashed: list[int] = []
    compared: list[bytes] = []
    digest = hmac.digest
    monkeypatch.setattr(hmac, "digest", lambda *given: hashed.append(len(given[1])) or digest(*given))
    monkeypatch.setattr(
        "apps.webhooks.doctor.computed.difference",
        lambda *given: compared.append(given[0]) or difference(*given),
    )
    found = judged(signed(body, STRANGER), body, original=None, computed="00" * 32, secrets=secrets)
    assert codes(found) == ["unknown_secret", "computed_unknown", "event_unknown"]
    assert 60_000 < len(body) < 64 * 1024
    assert len(hashed) > 440
    assert sum(hashed) < 400 * 1024 * 1024, "under a second's worth"
    assert compared == [], "Bodies are compared where a way fits."
