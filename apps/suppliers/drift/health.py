"""The part of /health/full on drift: which fields of suppliers' answers are not as they were known."""

from typing import Any

from django.db.models import Count, Max, Q, Sum

from apps.common import clock
from apps.suppliers.drift.models import DriftKind, SupplierDrift

SHOWN = 20


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
