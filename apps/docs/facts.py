"""What the guides read from the service itself: limits of dates, lists and their filters, events with recorded payloads."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.conf import settings

from apps.common import clock, contact
from apps.docs import reference
from apps.docs.reference_markdown import address, rows
from apps.docs.samples import Sample, samples_of
from apps.flights import serializers as flights
from apps.gateway.openapi import document
from apps.gateway.renderers import JSON
from apps.hotels import serializers as hotels
from apps.hotels.rules import MAX_NIGHTS
from apps.hotels.services.least_rates import MOST_DAYS, MOST_HOTELS
from apps.keys.scopes import is_sold
from apps.transfers import serializers as transfers
from apps.webhooks.event_data import EVENT_DATA
from apps.webhooks.events import CATALOGUE, TEST, EventType
from apps.webhooks.models import RETENTION
from apps.webhooks.retry_schedule import MAX_ATTEMPTS, RETRY_DELAYS

TEST_NOTE = "You requested a test delivery; no subscription is needed."
RECEIVERS = settings.BASE_DIR / "static" / "examples" / "receivers"
VERIFIERS = (
    (
        "Python",
        "python",
        "python/receiver.py",
        "import hashlib\nimport hmac\n\n\n",
        "def is_genuine",
        "\n\n\n",
    ),
    (
        "Node",
        "javascript",
        "node/receiver.js",
        'const crypto = require("node:crypto");\n\n',
        "// Whether",
        "\n}",
    ),
    ("PHP", "php", "php/receiver.php", "<?php\n", "// Whether", "\n}"),
    ("Go", "go", "go/receiver.go", "", "// isGenuine", "\n}"),
)
"""Language, lexer, file, what the function needs before it, how it begins and what ends it."""
PAGED = {"limit", "cursor"}
LIST_OF_PLANS = "GET /v1/esim/plans"
NUMBERED = {"page", "pageSize"}


@dataclass(frozen=True, slots=True)
class TheList:
    """A list with pages, and its filters."""

    path: str
    address: str
    filters: str


@dataclass(frozen=True, slots=True)
class Event:
    name: str
    note: str
    description: str
    rows: str
    """The fields of its `data`, as a Markdown list."""
    example: str
    """A recorded delivery, as a block of JSON."""


def of_money() -> dict[str, Any]:
    lines = contact.top_up_instructions(
        "your payment reference, which the portal shows on the page *Balance*"
    ).splitlines()
    return {"top_up": "  \n".join(lines)}  # two spaces: a line of its own


def of_hotels() -> dict[str, Any]:
    return {"offer_minutes": settings.OFFER_MINUTES, "most_hotels": MOST_HOTELS, "most_days": MOST_DAYS}


def of_flights() -> dict[str, Any]:
    return {
        "offer_minutes": settings.OFFER_MINUTES,
        "unpaid_holds": settings.MOST_UNPAID_HOLDS,
        "most_slices": flights.MAX_SLICES,
    }


def of_transfers() -> dict[str, Any]:
    return {
        "offer_minutes": settings.OFFER_MINUTES,
        "inbound": f"{clock.today() + timedelta(days=67)}T18:00:00",
    }


def of_dates() -> dict[str, Any]:
    return {
        "furthest": {
            "hotels": hotels.FURTHEST.days,
            "flights": flights.FURTHEST.days,
            "transfers": transfers.FURTHEST.days,
        },
        "nights": MAX_NIGHTS,
    }


PRODUCTS = {"hotels": "Hotels", "flights": "Flights", "transfers": "Transfers", "esim": "eSIM"}
NAMES: dict[str, tuple[str, str, str, str]] = {
    "Search at": ("`searches`", "`searches`", "`searches`", "`plans`"),
    "Handle": ("`rateId`", "`offerId`", "`quoteId`", "`planId`"),
    "Book at": ("`bookings`", "`orders`", "`orders`", "`orders`"),
    "`id`": ("`hbk_…`", "`ford_…`", "`tord_…`", "`eord_…`"),
    "`reference`": ("`H-…`", "`F-…`", "`T-…`", "`E-…`"),
    "Travellers": ("`guests`", "`passengers`", "`leadPassenger`", "none"),
    "Confirmed as": ("`confirmed`", "`ticketed`", "`confirmed`", "`provisioned`"),
    "Captured": ("at once", "at once", "shortly after", "at once"),
    "Change": ("dates, rooms, name", "slices, bags", "no", "top-ups"),
    "Cancel": ("yes", "yes", "yes", "no, but refunds"),
}
"""The names of the same thing in each product, in the order of PRODUCTS."""


def names() -> str:
    """NAMES of the products that are sold, as a Markdown table."""
    columns = [(at, title) for at, (product, title) in enumerate(PRODUCTS.items()) if is_sold(product)]
    head = ["", *(title for _, title in columns)]
    rows = [[name, *(values[at] for at, _ in columns)] for name, values in NAMES.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def of_lists() -> dict[str, Any]:
    lists = list(_lists())
    return {"lists": lists, "plans_by_cursor": any(row.path == LIST_OF_PLANS for row in lists)}


def _lists() -> Iterator[TheList]:
    for each in reference.every():
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
        "retries": retries(),
        "attempts": MAX_ATTEMPTS,
        "timeout": f"{settings.WEBHOOK_TIMEOUT_SECONDS:g}",
        "kept_days": RETENTION.days,
    }


def retries() -> str:
    """The pauses between the attempts of a delivery: `1 min, 5 min and 2 h`."""
    minutes = [int(delay.total_seconds()) // 60 for delay in RETRY_DELAYS]
    *most, last = [f"{each // 60} h" if each >= 60 else f"{each} min" for each in minutes]
    return f"{', '.join(most)} and {last}"


def _event(type: EventType) -> Event:
    data = next(
        field for field in reference.fields_of(_delivery(type.name)["schema"]) if field.name == "data"
    )
    return Event(
        type.name, type.note, EVENT_DATA[type.name].__doc__ or "", rows(data.children), event(type.name)
    )


def of_test_data() -> dict[str, Any]:
    return {
        "hotels": DESTINATIONS,
        "flights": ROUTES,
        "transfers": RIDES,
        "policies": POLICIES,
        "esim": PLANS,
    }


def sample(operation_id: str) -> str:
    """The call in four languages. Scripts turn them into tabs."""
    return _samples(reference.by_id(operation_id))


def call(operation_id: str, name: str = "", *paths: str, **sent: Any) -> str:
    """A call that unfolds: its samples, then the recorded answer of this name, or the parts of it that `paths` name.

    `sent` are optional fields for the sample's body, or its query; a list or an object is given as JSON.
    """
    operation = reference.by_id(operation_id)
    values = {field: json.loads(value) if str(value)[:1] in "[{" else value for field, value in sent.items()}
    if operation.takes_body:
        operation = replace(operation, added=values)
    else:
        operation = replace(
            operation, required_query=tuple({**dict(operation.required_query), **values}.items())
        )
    shown = f"{_fold('Response', answer(operation_id, name, *paths))}\n\n" if name else ""
    head = (
        f'<span class="method method-{operation.method.lower()}">{operation.method}</span> '
        f"<code>{operation.path}</code> "
        f'<span class="muted">{operation.summary.rstrip(".")}</span>'
    )
    return (
        f'<details class="call" markdown="1">\n<summary><span class="endpoint">{head}</span></summary>\n\n'
        f"{_samples(operation)}\n\n{shown}[All fields]({address(operation)})\n\n</details>"
    )


def _fold(title: str, text: str) -> str:
    return f'<details class="fold" markdown="1">\n<summary>{title}</summary>\n\n{text}\n\n</details>'


def _samples(operation: reference.Operation) -> str:
    return _tabs(samples_of(operation))


def verifier() -> str:
    """The function that verifies a delivery, from the receivers in four languages."""
    return _tabs([_verifier(*row) for row in VERIFIERS])


def _verifier(language: str, lexer: str, file: str, head: str, begins: str, ends: str) -> Sample:
    text = (RECEIVERS / file).read_text(encoding="utf-8")
    start = text.index(begins)
    return Sample(language, lexer, f"{head}{text[start : text.index(ends, start) + len(ends)]}".strip())


def _tabs(samples: Iterable[Sample]) -> str:
    parts = [
        f'<div class="sample" data-tab="{each.language}" markdown="1">\n<p class="sample-name">{each.language}</p>\n\n'
        f"```{each.lexer}\n{each.code}\n```\n\n</div>"
        for each in samples
    ]
    return '<div class="samples" data-tabs="language" markdown="1">\n\n' + "\n\n".join(parts) + "\n\n</div>"


def answer(operation_id: str, name: str, *paths: str) -> str:
    """The recorded answer of this name: all of it, or parts: `"id,status"`, `"offers.0:offerId,slices.0"`."""
    [value] = [
        example.value
        for each in reference.by_id(operation_id).answers
        for example in each.examples
        if example.name == name
    ]
    return _block(picked(value, tuple(_named(paths))) if paths else value)


def _named(paths: tuple[str, ...]) -> Iterator[str]:
    """Each path. Those after a colon are relative to the part before it."""
    for path in paths:
        above, colon, names = path.rpartition(":")
        for name in names.split(","):
            yield f"{above}.{name}" if colon else name


def event(type: str) -> str:
    """The first recorded delivery of a type: its whole body."""
    return _block(reference.examples_of(_delivery(type))[0].value)


def _delivery(type: str) -> reference.Schema:
    media: reference.Schema = document()["webhooks"][type]["post"]["requestBody"]["content"][JSON]
    return media


def picked(value: Any, paths: tuple[str, ...]) -> Any:
    """The parts of `value` that the paths name, in the order of `value`. Of a list, the named items."""
    first = {path.partition(".")[0] for path in paths}
    below = {
        name: tuple(
            rest for head, _, rest in (path.partition(".") for path in paths) if head == name and rest
        )
        for name in first
    }
    if isinstance(value, list):
        return [_part(value[int(name)], below[name]) for name in sorted(first, key=int)]
    unknown = first - set(value)
    if unknown:
        raise KeyError(f"the recorded answer has no {', '.join(sorted(unknown))}")
    return {name: _part(value[name], below[name]) for name in value if name in first}


def _part(value: Any, paths: tuple[str, ...]) -> Any:
    return picked(value, paths) if paths else value


def _block(value: Any) -> str:
    return f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"


DESTINATIONS = (
    '{"city": "Lisbon"}',
    '{"city": "London", "countryCode": "GB"}',
    '{"city": "New York City"}',
    '{"city": "Tokyo"}',
    '{"city": "Dubai"}',
    '{"countryCode": "ES"}',
)

ROUTES = (
    ("LHR", "JFK"),
    ("LIS", "LHR"),
    ("MAD", "BCN"),
    ("FRA", "SIN"),
    ("DXB", "BKK"),
    ("SYD", "MEL"),
)


@dataclass(frozen=True, slots=True)
class Ride:
    """Two places as a search takes them, in JSON, and the class of the cheapest offer for two adults."""

    start: str
    end: str
    vehicle: str


RIDES = (
    Ride(
        '{"type": "IATA", "code": "LIS"}', '{"type": "GEO", "latitude": 38.71, "longitude": -9.14}', "shuttle"
    ),
    Ride('{"type": "IATA", "code": "JFK"}', '{"type": "HOTEL", "code": "H1"}', "shuttle"),
    Ride('{"type": "HOTEL", "code": "H1", "town": "Paris"}', '{"type": "IATA", "code": "CDG"}', "shuttle"),
    Ride('{"type": "STATION", "code": "S1", "town": "Rome"}', '{"type": "PORT", "code": "P1"}', "shuttle"),
    Ride('{"type": "IATA", "code": "MAD"}', '{"type": "IATA", "code": "LIS"}', "economy"),
)

POLICIES = (
    ("shuttle", "free until 24 hours before, then all of it"),
    ("economy", "free until 24 hours before, then all of it"),
    ("comfort", "20 % from the booking on, all of it from 24 hours before"),
    ("minivan", "20 % from the booking on, all of it from 24 hours before"),
    ("minibus", "30 % from 7 days before, 60 % from 3 days before, all of it from 24 hours before"),
    ("business", "nothing back, from the booking on"),
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A query of the catalogue, and the name of a plan that it finds."""

    query: str
    name: str


PLANS = (
    Kind("country=PT&planType=data", "Portugal 1 GB, 7 days"),
    Kind("country=ES&planType=unlimited", "Spain Unlimited, 3 days"),
    Kind("country=PT&planType=voice_sms", "Portugal 5 GB + 60 minutes + 20 SMS, 30 days"),
    Kind("region=europe&planType=data", "Europe 10 GB, 30 days"),
)
