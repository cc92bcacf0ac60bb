"""The request log in /health/full and /metrics: the records that wait in this process, and the lost ones."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from apps.common import clock
from apps.common.metrics import Reading, Readings, register_readings
from apps.request_log import writer
from apps.request_log.models import LostCalls
from apps.request_log.selectors import lost_calls

LATE_SECONDS = 60.0
METRICS = {
    "request_log_waiting_seconds": "How long the oldest record of the request log has waited in the process that answers.",
    "request_log_lost_calls": "Records of the request log that were dropped in the last 24 hours.",
}


def request_log() -> dict[str, Any]:
    """`degraded` while records wait for a minute or longer, and for an hour after a loss."""
    waiting, seconds = writer.writer.waiting
    now = clock.now()
    lost_lately = LostCalls.objects.filter(noticed_at__gte=now - timedelta(hours=1)).exists()
    return {
        "status": "degraded" if lost_lately or seconds >= LATE_SECONDS else "ok",
        "waitingCalls": waiting,
        "waitingSeconds": round(seconds, 1),
        "lostLastDay": lost_calls(since=now - timedelta(hours=24)),
    }


def register_metrics() -> None:
    register_readings(Readings(METRICS, _readings))


def _readings() -> Iterator[Reading]:
    state = request_log()
    yield Reading("request_log_waiting_seconds", state["waitingSeconds"])
    yield Reading("request_log_lost_calls", state["lostLastDay"])
