"""/status, /status.json and /status.atom: public, from this host's disk. No session, no PostgreSQL, no Redis."""

from datetime import date
from typing import Any

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from apps.common import clock
from apps.status import on_disk
from apps.status.feed import atom
from apps.status.judging import State
from apps.status.snapshot import Snapshot

KEPT = "public, max-age=30"
HEADLINES = {
    State.OPERATIONAL: "All parts work",
    State.DEGRADED: "Some parts are degraded today",
    State.OUTAGE: "There is an outage today",
    State.UNKNOWN: "Nothing is measured yet",
}
LABELS = {
    State.OPERATIONAL: "operational",
    State.DEGRADED: "degraded",
    State.OUTAGE: "outage",
    State.UNKNOWN: "not measured",
}


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    kept = on_disk.read()
    content: Snapshot = kept.content if kept else {"state": State.UNKNOWN, "components": [], "incidents": []}
    incidents = [_incident(each) for each in content["incidents"]]
    state = State(content["state"])
    context = {
        "state": state,
        "headline": HEADLINES[state],
        "components": [_component(each) for each in content["components"]],
        "open_incidents": [each for each in incidents if not each["resolved"]],
        "past_incidents": [each for each in incidents if each["resolved"]],
        "written_at": _instant(content.get("writtenAt")),
        "measured_at": _instant(content.get("measuredAt")),
        "away_since": _instant(content.get("databaseAwaySince")),
        "stale": kept is None or kept.is_stale,
    }
    return _public(render(request, "status/page.html", context))


@require_safe
def as_json(_request: HttpRequest) -> HttpResponse:
    """The same, with `stale`: whether nobody has written it for three minutes. 503 where it was never written."""
    kept = on_disk.read()
    told = {**kept.content, "stale": kept.is_stale} if kept else {"state": State.UNKNOWN, "stale": True}
    return _public(_of(kept, orjson.dumps(told), "application/json"))


@require_safe
def as_atom(_request: HttpRequest) -> HttpResponse:
    kept = on_disk.read()
    text = atom(kept.content["incidents"] if kept else [])
    return _public(_of(kept, text.encode(), "application/atom+xml; charset=utf-8"))


def _of(kept: on_disk.Kept | None, body: bytes, kind: str) -> HttpResponse:
    return HttpResponse(body, content_type=kind, status=200 if kept else 503)


def _public(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = KEPT if response.status_code == 200 else "no-store"
    return response


def _component(told: dict[str, Any]) -> dict[str, Any]:
    days = told["days"]
    troubled = [day for day in reversed(days) if day["state"] in (State.DEGRADED, State.OUTAGE)]
    return {
        **told,
        "label": LABELS[State(told["state"])],
        "bars": _bars(days),
        "troubled": [
            {**day, "day": _day(day["date"]), "label": LABELS[State(day["state"])]} for day in troubled
        ],
    }


def _bars(days: list[dict[str, Any]]) -> SafeString:
    """A list item a day, oldest first. The text is for readers of the screen, the tooltip for a mouse."""
    told = ((day["state"], f"{_day(day['date'])}: {_said(day)}") for day in days)
    return format_html_join(
        "",
        '<li class="bar bar-{0}" title="{1}"><span class="visually-hidden">{1}</span></li>',
        ((state, said) for state, said in told),
    )


def _said(day: dict[str, Any]) -> str:
    label = LABELS[State(day["state"])]
    return f"{label}, {day['words']}" if day["words"] else label


def _day(text: str) -> str:
    day = date.fromisoformat(text)
    return f"{day.day} {day:%b %Y}"


def _incident(told: dict[str, Any]) -> dict[str, Any]:
    return {
        **told,
        "started": _instant(told["startedAt"]),
        "resolved": _instant(told["resolvedAt"]),
        "updates": [{**update, "at": _instant(update["at"])} for update in told["updates"]],
    }


def _instant(text: str | None) -> Any:
    return clock.read_rfc3339(text) if text else None
