"""A delivery as we send it."""

from apps.webhooks.events import Fact, payload_text

EVENT_ID = "evt_01kb2c8x0000000000000000000"
BODY = payload_text(
    event_id=EVENT_ID,
    fact=Fact("booking.confirmed", {"hotel": "Zürich/Süd", "totalCents": 12_000, "rate": 1.5}),
    created_at="2026-11-23T11:59:00.000Z",
    environment="test",
).encode()
