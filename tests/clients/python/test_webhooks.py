"""Deliveries as the service signs them, and as nobody should."""

from collections.abc import Mapping

import orjson
import pytest
from travel_partner import models, webhooks

from apps.webhooks.signatures import new_secret, signature_headers

NOW = 1_763_647_402
OURS, OLDER, FOREIGN = new_secret(), new_secret(), new_secret()
BODY = orjson.dumps(
    {
        "id": "evt_1",
        "type": "booking.confirmed",
        "createdAt": "2026-11-20T14:03:22.120Z",
        "environment": "test",
        "data": {
            "bookingType": "flight",
            "bookingReference": "F-7KQ2M9XD",
            "bookingId": "ford_1",
            "externalReference": None,
            "totalCents": 12_500,
            "currency": "EUR",
            "newField": 1,
        },
    }
)
OWN = {"X-Service-Signature"}
STANDARD = {"webhook-id", "webhook-timestamp", "webhook-signature"}
schemes = pytest.mark.parametrize("scheme", [OWN, STANDARD, OWN | STANDARD], ids=["own", "standard", "both"])


def signed(scheme: set[str], *secrets: str, body: bytes = BODY, at: int = NOW) -> dict[str, str]:
    headers = signature_headers(event_id="evt_1", timestamp=at, body=body, signing_secrets=secrets or [OURS])
    return {name: value for name, value in headers.items() if name in scheme}


def refusal(headers: Mapping[str, str], *, body: bytes = BODY, now: float = NOW) -> str:
    with pytest.raises(webhooks.WebhookVerificationError) as refused:
        webhooks.verify(body, headers, OURS, now=now)
    return str(refused.value)


@schemes
def test_a_delivery_is_an_event(scheme: set[str]) -> None:
    event = webhooks.verify(BODY, signed(scheme), OURS, now=NOW)
    assert isinstance(event, models.WebhookBookingConfirmed)
    assert (event.id, event.data.booking_reference, event.created_at.year) == ("evt_1", "F-7KQ2M9XD", 2026)


@schemes
@pytest.mark.parametrize("made_with", [[OURS], [OLDER, OURS], [OURS, OLDER]])
@pytest.mark.parametrize("known", [[OURS], [FOREIGN, OURS], (OURS, OLDER)])
def test_one_secret_in_common_is_enough(scheme: set[str], made_with: list[str], known: list[str]) -> None:
    assert webhooks.verify(BODY, signed(scheme, *made_with), known, now=NOW).id == "evt_1"


@schemes
def test_a_foreign_secret_is_refused(scheme: set[str]) -> None:
    assert refusal(signed(scheme, FOREIGN)) == "No signature was made with one of these secrets."


@schemes
def test_a_changed_body_is_refused(scheme: set[str]) -> None:
    assert refusal(signed(scheme), body=BODY.replace(b"F-7KQ2M9XD", b"F-7KQ2M9XE")).startswith("No signature")


@schemes
@pytest.mark.parametrize("seconds", [-301, 301])
def test_an_old_delivery_is_refused(scheme: set[str], seconds: int) -> None:
    assert refusal(signed(scheme), now=NOW + seconds) == "The delivery was not signed within the tolerance."


def test_the_id_is_signed_too() -> None:
    assert refusal({**signed(STANDARD), "webhook-id": "evt_2"}).startswith("No signature")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Service-Signature": ""},
        {"X-Service-Signature": "t=,v1="},
        {"X-Service-Signature": f"t={NOW}"},
        {"X-Service-Signature": f"t={NOW},v1=ü"},
        {"X-Service-Signature": f"t={'9' * 5000},v1={'0' * 64}"},
        {"X-Service-Signature": f"v1={'0' * 64}"},
        {"webhook-signature": "v1"},
        {"webhook-signature": "v1,", "webhook-id": "evt_1"},
        {"webhook-signature": "v1,é v2,x", "webhook-id": "evt_1", "webhook-timestamp": "soon"},
        {"webhook-id": "evt_1", "webhook-timestamp": str(NOW)},
    ],
    ids=range(11),
)
def test_what_is_no_signature_is_refused(headers: dict[str, str]) -> None:
    assert refusal(headers)


@pytest.mark.parametrize("timestamp", ["", "soon", "1e9", "-1", "nan", "٣"])
def test_a_time_that_is_none_is_refused_however_signed(timestamp: str) -> None:
    headers = signed(STANDARD)
    forged = signature_headers_at(timestamp)
    assert refusal({**headers, **forged}) == "The delivery was not signed within the tolerance."


def signature_headers_at(timestamp: str) -> dict[str, str]:
    """As whoever has the secret may sign anything."""
    import base64
    import hashlib
    import hmac

    text = f"evt_1.{timestamp}.".encode() + BODY
    value = hmac.new(base64.b64decode(OURS.removeprefix("whsec_")), text, hashlib.sha256).digest()
    return {"webhook-timestamp": timestamp, "webhook-signature": f"v1,{base64.b64encode(value).decode()}"}


def test_an_event_of_tomorrow_is_an_event() -> None:
    body = BODY.replace(b"booking.confirmed", b"booking.of_tomorrow")
    event = webhooks.verify(body, signed(OWN, body=body), OURS, now=NOW)
    assert isinstance(event, webhooks.UnknownEvent)
    assert (event.type, event.data["newField"]) == ("booking.of_tomorrow", 1)


@pytest.mark.parametrize("body", [b"", b"{}", b'{"id": "\xff"}', BODY.replace(b'"bookingId":"ford_1",', b"")])
def test_a_body_that_is_no_event_is_told_apart(body: bytes) -> None:
    with pytest.raises(webhooks.UnreadableEventError):
        webhooks.verify(body, signed(OWN, body=body), OURS, now=NOW)


@pytest.mark.parametrize("tolerance", [float("nan"), float("inf"), -float("inf"), -1, "300", None])
def test_a_tolerance_that_is_none_is_a_mistake(tolerance: object) -> None:
    with pytest.raises(ValueError, match=r"^tolerance is a number of seconds: 0 or more, and finite\.$"):
        webhooks.verify(BODY, signed(OWN), OURS, tolerance=tolerance, now=NOW)


@pytest.mark.parametrize("secrets", ["", "svc_test_x", [], [OURS, ""]])
def test_a_secret_that_is_none_is_a_mistake_and_not_shown(secrets: str | list[str]) -> None:
    with pytest.raises(ValueError, match=r"^A signing secret starts with whsec_\.$"):
        webhooks.verify(BODY, signed(OWN), secrets, now=NOW)
