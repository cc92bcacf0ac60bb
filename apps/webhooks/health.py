"""How late webhook deliveries are, for /health/full."""

from apps.webhooks.selectors import due_lag

LATE_SECONDS = 60.0
"""A delivery is only this late when neither a wake-up nor the sweep has run for a while."""


def deliveries_due() -> dict[str, object]:
    """Seconds by which the most overdue delivery is late; `degraded` from a minute on."""
    lag = due_lag()
    return {"status": "ok" if lag < LATE_SECONDS else "degraded", "dueLagSeconds": round(lag, 1)}
