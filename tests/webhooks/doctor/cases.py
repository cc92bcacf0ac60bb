"""A delivery as we send it, and what is known of the account that it was sent to."""

from datetime import UTC, datetime, timedelta

from apps.webhooks.doctor.diagnosis import CaseFile, Diagnosis, Pasted, diagnose
from apps.webhooks.doctor.matching import KnownSecret
from apps.webhooks.services.emit import Fact, payload_text
from apps.webhooks.signatures import new_secret, signature_headers

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
SIGNED_AT = int(NOW.timestamp()) - 60
EVENT_ID = "evt_01kb2c8x0000000000000000000"
BODY = payload_text(
    event_id=EVENT_ID,
    fact=Fact("booking.confirmed", {"hotel": "Zürich/Süd", "totalCents": 12_000, "rate": 1.5}),
    created_at="2026-11-23T11:59:00.000Z",
    environment="test",
).encode()


def known(url: str = "https://ours.example/hooks", **changed: object) -> KnownSecret:
    facts: dict[str, object] = {
        "text": new_secret(),
        "endpoint_id": "we_ours",
        "endpoint_url": url,
        "environment": "test",
        "is_chosen": True,
    }
    return KnownSecret(**{**facts, **changed})  # type: ignore[arg-type]


CURRENT = known()
PREVIOUS = known(ended_at=NOW + timedelta(hours=5))
ENDED = known(ended_at=NOW - timedelta(days=3))
OTHER = known("https://other.example/hooks", endpoint_id="we_other", environment="live", is_chosen=False)
STRANGER = known()
"""Of another account: the case file has it not."""


def signed(
    body: bytes = BODY, *secrets: KnownSecret, at: int = SIGNED_AT, event_id: str = EVENT_ID
) -> dict[str, str]:
    texts = [secret.text for secret in secrets or (CURRENT,)]
    return signature_headers(event_id=event_id, timestamp=at, body=body, signing_secrets=texts)


def only(headers: dict[str, str], scheme: str) -> dict[str, str]:
    """The headers of one signature alone: `service` or `standard`."""
    service = {"X-Service-Signature": headers["X-Service-Signature"]}
    return service if scheme == "service" else {n: v for n, v in headers.items() if n not in service}


def judged(
    headers: dict[str, str],
    body: bytes = BODY,
    *,
    original: bytes | None = BODY,
    computed: str = "",
    received_at: datetime | None = None,
    secrets: tuple[KnownSecret, ...] = (CURRENT, PREVIOUS, OTHER),
    timestamps: tuple[str, ...] = (),
) -> Diagnosis:
    pasted = Pasted([(name.lower(), value) for name, value in headers.items()], body, computed, received_at)
    return diagnose(pasted, CaseFile(secrets, original, timestamps, NOW, timedelta(hours=24)))


def codes(diagnosis: Diagnosis) -> list[str]:
    return [finding.code.value for finding in diagnosis.findings]


def where(diagnosis: Diagnosis) -> str:
    """Of the worst finding."""
    return diagnosis.findings[0].where
