"""The periodic tasks' part of /health/full."""

from datetime import datetime

from apps.common import clock
from apps.gateway.periodic.watching import known_tasks


def tasks() -> dict[str, object]:
    """Each task's last success, last failure and lateness; `degraded` while one fails, is late or hangs."""
    now = clock.now()
    told = {
        periodic.name: {
            "status": row.trouble(periodic, now) or "ok",
            "everySeconds": round(periodic.seconds),
            "lastSuccessAt": _written(row.last_success_at),
            "lastFailureAt": _written(row.last_failure_at),
            "lateSeconds": round(row.overdue(periodic, now).total_seconds()),
        }
        for periodic, row in known_tasks()
    }
    well = all(task["status"] == "ok" for task in told.values())
    return {"status": "ok" if well else "degraded", "tasks": told}


def _written(instant: datetime | None) -> str | None:
    return None if instant is None else clock.rfc3339(instant)
