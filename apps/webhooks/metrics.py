"""Deliveries in /metrics and /health/full: attempts as they end, and how late the most overdue delivery is."""

from collections.abc import Iterator

from prometheus_client import Counter, Histogram

from apps.common.metrics import SECONDS, Reading, Readings, register_readings
from apps.webhooks.selectors import due_lag

ATTEMPTS = Counter(
    "travel_partner_webhook_attempts", "Attempts to deliver a webhook, by what became of them.", ["outcome"]
)

ATTEMPT_SECONDS = Histogram(
    "travel_partner_webhook_attempt_seconds", "How long attempts to deliver a webhook took.", buckets=SECONDS
)

TEXTS = {"deliveries_late_seconds": "By how much the most overdue webhook delivery is late."}


def deliveries() -> Iterator[Reading]:
    yield Reading("deliveries_late_seconds", due_lag())


def register() -> None:
    register_readings(Readings(TEXTS, deliveries))


LATE_SECONDS = 60.0
"""A delivery is only this late when neither a wake-up nor the sweep has run for a while."""


def deliveries_due() -> dict[str, object]:
    """Seconds by which the most overdue delivery is late; `degraded` from a minute on."""
    lag = due_lag()
    return {"status": "ok" if lag < LATE_SECONDS else "degraded", "dueLagSeconds": round(lag, 1)}
