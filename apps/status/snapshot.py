"""The page's whole content, read from PostgreSQL once a minute: what is written to disk and served from there.

Public: shares and minutes, never how many calls there were, and suppliers by name only where the settings say so.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from apps.common import clock
from apps.status.components import NAMES, PRODUCTS, Component, current, public_supplier, shown
from apps.status.judging import Figures, State, in_words, judged
from apps.status.models import Impact, Incident, StatusDay, StatusMark

DAYS = 90
WORST_FIRST = (State.OUTAGE, State.DEGRADED, State.OPERATIONAL, State.UNKNOWN)
OF_IMPACT = {
    Impact.MINOR: State.DEGRADED,
    Impact.MAJOR: State.DEGRADED,
    Impact.CRITICAL: State.OUTAGE,
    Impact.MAINTENANCE: State.UNKNOWN,
}
"""Maintenance that was announced says nothing of today."""
Snapshot = dict[str, Any]


def taken() -> Snapshot:
    """Four statements. Raises DatabaseError."""
    now = clock.now()
    days = [now.date() - timedelta(days=DAYS - 1 - number) for number in range(DAYS)]
    measured: dict[tuple[str, str], dict[date, Figures]] = {}
    for row in StatusDay.objects.filter(day__gte=days[0], day__lte=days[-1]):
        figures = Figures(row.calls, row.failed, row.checks, row.failed_checks, row.unmeasured)
        measured.setdefault((row.component, row.supplier), {})[row.day] = figures
    mark = StatusMark.objects.filter(pk=StatusMark.ONLY).first()
    components, told_incidents = _told(shown(measured), measured, days), incidents(now)
    return {
        "state": overall(components, told_incidents),
        "measuredAt": clock.rfc3339(mark.checked_at) if mark and mark.checked_at else None,
        "writtenAt": clock.rfc3339(now),
        "databaseAwaySince": None,
        "components": components,
        "incidents": told_incidents,
    }


def without_database(last: Snapshot | None) -> Snapshot:
    """The last content, which now says since when PostgreSQL does not answer."""
    now = clock.rfc3339(clock.now())
    kept = last or {"measuredAt": None, "components": [], "incidents": []}
    return {
        **kept,
        "state": State.OUTAGE,
        "writtenAt": now,
        "databaseAwaySince": kept.get("databaseAwaySince") or now,
    }


def overall(components: list[dict[str, Any]], told_incidents: list[dict[str, Any]]) -> State:
    """The worst of today's states of what is served now, and of what staff say of incidents that last."""
    today = {component["state"] for component in components if not component["former"]}
    today |= {OF_IMPACT[each["impact"]] for each in told_incidents if each["resolvedAt"] is None}
    return next((state for state in WORST_FIRST if state in today), State.UNKNOWN)


def _told(
    components: list[Component],
    measured: Mapping[tuple[str, str], Mapping[date, Figures]],
    days: list[date],
) -> list[dict[str, Any]]:
    known = {component.key for component in current()}
    told, formers = [], dict.fromkeys(PRODUCTS, 0)
    for component in components:
        former, id_ = component.key not in known, component.name
        if former:
            formers[component.name] += 1
            id_ = f"{component.name}-former-{formers[component.name]}"
        of_days = measured.get(component.key, {})
        told_days = [_day(day, of_days.get(day, Figures())) for day in days]
        told.append(
            {
                "id": id_,
                "name": NAMES[component.name],
                "supplier": public_supplier(component.supplier),
                "former": former,
                "state": told_days[-1]["state"],
                "days": told_days,
            }
        )
    return told


def _day(day: date, figures: Figures) -> dict[str, Any]:
    return {
        "date": day.isoformat(),
        "state": judged(figures),
        "answeredPercent": figures.answered_percent,
        "failedMinutes": figures.failed_checks,
        "unmeasuredMinutes": figures.unmeasured,
        "words": in_words(figures),
    }


def incidents(now: datetime) -> list[dict[str, Any]]:
    """Those of the days shown and those that last, newest first, each with its updates, newest first."""
    since = now - timedelta(days=DAYS)
    rows = Incident.objects.exclude(resolved_at__lt=since).prefetch_related("updates")
    return [
        {
            "id": row.pk,
            "title": row.title,
            "impact": row.impact,
            "products": [NAMES[name] for name in row.products if name in NAMES],
            "startedAt": clock.rfc3339(row.started_at),
            "resolvedAt": clock.rfc3339(row.resolved_at) if row.resolved_at else None,
            "updatedAt": clock.rfc3339(row.updated_at),
            "updates": [
                {"at": clock.rfc3339(update.at), "stage": update.stage, "text": update.text}
                for update in row.updates.all()
            ],
        }
        for row in rows.order_by("-started_at", "-id")
    ]
