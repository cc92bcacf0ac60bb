"""The request log's part of /health/full: the entries that wait in this process, and the lost ones."""

from datetime import timedelta

from django.db.models import Sum

from apps.common import clock
from apps.gateway.request_log import writer
from apps.gateway.request_log.models import LostCalls

LATE_SECONDS = 60.0
TOLD_FOR = timedelta(hours=24)


def request_log() -> dict[str, object]:
    """`degraded` while entries wait for a minute or longer, and for an hour after a loss."""
    waiting_bytes, waited = writer.writer.waiting
    now = clock.now()
    lost = LostCalls.objects.filter(noticed_at__gte=now - TOLD_FOR)
    lately = lost.filter(noticed_at__gte=now - timedelta(hours=1)).exists()
    return {
        "status": "degraded" if lately or waited >= LATE_SECONDS else "ok",
        "waitingBytes": waiting_bytes,
        "waitingSeconds": round(waited, 1),
        "lostLastDay": lost.aggregate(calls=Sum("calls"))["calls"] or 0,
    }
