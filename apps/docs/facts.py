"""What the guides read from the service itself: limits of dates, lists and their filters, events with recorded payloads."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from apps.common import contact
from apps.docs import recorded, test_data
from apps.docs.reference import operations
from apps.docs.reference.markdown import address, rows
from apps.docs.reference.schemas import Reader
from apps.flights import serializers as flights
from apps.gateway.openapi import document
from apps.hotels import serializers as hotels
from apps.transfers import serializers as transfers
from apps.webhooks.catalogue import CATALOGUE, TEST, EventType

TEST_NOTE = (
    "You ask for a test delivery. Nobody subscribes to it; answer it like any type that you do not know."
)
PAGED = {"limit", "cursor"}
PLANS = "GET /v1/esim/plans"
NUMBERED = {"page", "pageSize"}


@dataclass(frozen=True, slots=True)
class TheList:
    """A list that is read page by page, and what narrows it."""

    path: str
    address: str
    filters: str


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    note: str
    rows: str
    """The fields of its `data`, as a Markdown list."""
    example: str
    """A recorded delivery, as a block of JSON."""


def of_money() -> dict[str, Any]:
    lines = contact.top_up_instructions().splitlines()
    return {"top_up": "  \n".join(lines)}  # two spaces: a line of its own


def of_dates() -> dict[str, Any]:
    return {
        "furthest": {
            "hotels": hotels.FURTHEST.days,
            "flights": flights.FURTHEST.days,
            "transfers": transfers.FURTHEST.days,
        },
        "nights": hotels.MAX_NIGHTS,
    }


def of_lists() -> dict[str, Any]:
    lists = list(_lists())
    return {"lists": lists, "plans_by_cursor": any(row.path == PLANS for row in lists)}


def _lists() -> Iterator[TheList]:
    for each in operations.every():
        asked = [field.name for _, fields in each.parameters for field in fields]
        if {*asked} >= PAGED:
            filters = ", ".join(f"`{name}`" for name in asked if name not in PAGED | NUMBERED)
            yield TheList(f"{each.method} {each.path}", address(each), filters or "–")


def of_events() -> dict[str, Any]:
    sent = [*(event for event in CATALOGUE if event.emitted), EventType(TEST, TEST_NOTE)]
    return {
        "events": [_event(event) for event in sent],
        "silent": [event for event in CATALOGUE if event.subscribable and not event.emitted],
        "closed": [event for event in CATALOGUE if not event.subscribable],
    }


def _event(event: EventType) -> Event:
    drawn = document()
    reader = Reader(drawn)
    entry = drawn["webhooks"][event.name]["post"]["requestBody"]["content"]["application/json"]
    data = next(field for field in reader.fields(entry["schema"]) if field.name == "data")
    return Event(event.name, event.note, rows(data.children), recorded.event(event.name))


def of_test_data() -> dict[str, Any]:
    return {
        "hotels": test_data.DESTINATIONS,
        "flights": test_data.ROUTES,
        "transfers": test_data.RIDES,
        "policies": test_data.POLICIES,
        "esim": test_data.PLANS,
    }
