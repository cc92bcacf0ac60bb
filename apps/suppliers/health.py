"""The suppliers' parts of /health/full and /metrics: which alerts wait for staff, and where answers have drifted."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Max, Q, Sum

from apps.common import clock
from apps.common.metrics import Reading
from apps.suppliers.models import WARNINGS, DriftKind, SupplierAlert, SupplierDrift

SHOWN = 20
ALERT_TEXTS = {
    "supplier_alerts": "Alerts that wait for staff: refused credentials, a quota used up, and the like."
}


def open_alerts() -> dict[str, object]:
    """Open alerts by supplier and kind, the latest first, without their details; `degraded` while one is more than a warning."""
    found = (
        SupplierAlert.objects.filter(cleared_at__isnull=True)
        .values("supplier", "kind")
        .annotate(times=Sum("count"), last=Max("last_at"))
        .order_by("-last")
    )
    alerts = [
        {
            "supplier": row["supplier"],
            "kind": row["kind"],
            "count": row["times"],
            "lastAt": clock.rfc3339(row["last"]),
        }
        for row in found
    ]
    degraded = any(alert["kind"] not in WARNINGS for alert in alerts)
    return {"status": "degraded" if degraded else "ok", "alerts": alerts}


def read_alerts() -> Iterator[Reading]:
    found = SupplierAlert.objects.filter(cleared_at__isnull=True).values_list("supplier", "kind")
    for supplier, kind, count in found.annotate(Count("pk")):
        yield Reading("supplier_alerts", count, {"supplier": supplier, "kind": kind})


def drift() -> dict[str, object]:
    """By supplier, how many fields differ in which way; then the fields that we read, the latest first. `degraded` while one of
    these is missing or of another type.
    """
    counts: Any = SupplierDrift.objects.values("supplier").annotate(
        **{kind: Count("pk", filter=Q(kind=kind)) for kind in DriftKind.values},
        times=Sum("count"),
        last=Max("last_at"),
    )
    suppliers = [
        {
            "supplier": row["supplier"],
            **{kind: row[kind] for kind in DriftKind.values},
            "count": row["times"],
            "lastAt": clock.rfc3339(row["last"]),
        }
        for row in counts.order_by("supplier")
    ]
    broken = SupplierDrift.objects.filter(is_read=True).exclude(kind=DriftKind.UNKNOWN)
    fields = [
        {
            "supplier": row.supplier,
            "call": row.call,
            "field": row.path,
            "kind": row.kind,
            "count": row.count,
            "lastAt": clock.rfc3339(row.last_at),
        }
        for row in broken.order_by("-last_at", "path")[:SHOWN]
    ]
    return {"status": "degraded" if fields else "ok", "suppliers": suppliers, "fields": fields}
