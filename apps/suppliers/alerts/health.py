"""The suppliers' part of /health/full: which alerts wait for staff."""

from django.db.models import Max, Sum

from apps.common import clock
from apps.suppliers.alerts.models import WARNINGS, SupplierAlert


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
