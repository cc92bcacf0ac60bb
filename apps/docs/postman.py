"""The recorded journey, with variables for what changes each time: ids, prices, days, references.

What a request holds of an earlier answer is kept from that answer under a name; nothing recorded is sent.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache, reduce
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.conf import settings

from apps.gateway.openapi import document
from apps.gateway.openapi.examples import Example, recorded
from apps.keys.scopes import products_not_sold

ID = re.compile(r"([a-z]+)_[0-9a-z]{20,}")
OUR_REFERENCE = re.compile(r"[A-Z]-[0-9A-Z]{8}")
DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(T.*)?")
OWN_REFERENCE = re.compile(r"ACME-(\d+)")
RECEIVER = "https://partner.example/hooks"
MOST = re.compile(r'("maxTotalCents": )"(\{\{\w+\}\})"')
KEY = "Idempotency-Key"
FRESH = "{{$guid}}"
REPEATED = "repeatedKey"
PRICES = ("totalCents", "priceCents")
# The object of an id, by its prefix.
NAMES = {
    "plc": "placeId",
    "we": "endpointId",
    "hsr": "hotelSearchId",
    "rate": "rateId",
    "hbk": "hotelBookingId",
    "fsr": "flightSearchId",
    "offer": "offerId",
    "ford": "flightOrderId",
    "slice": "sliceId",
    "schedule": "scheduleChangeId",
    "cq": "cancellationQuoteId",
    "service": "serviceId",
    "quote": "quoteId",
    "tord": "transferOrderId",
    "plan": "planId",
    "eord": "esimOrderId",
    "whd": "deliveryId",
    "evt": "eventId",
}
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Keep:
    """A variable, and the JavaScript expression over `answer` that reads it."""

    variable: str
    expression: str


@dataclass(slots=True)
class Step:
    """One call. `path`, `query` and `body` are texts with `{{variables}}`; prices in a body are not quoted."""

    example: Example
    path: str
    query: dict[str, str]
    body: str | None
    key: str = FRESH
    """The Idempotency-Key: a new one, or the variable of one that is reused."""
    begins_key: bool = False
    """Whether this step is the first to use it."""
    keeps: list[Keep] = field(default_factory=list)

    @property
    def headers(self) -> dict[str, str]:
        headers = self.example.request.headers
        return {name: self.key if name == KEY else value for name, value in headers.items()}

    @property
    def is_replay(self) -> bool:
        return "Idempotent-Replayed" in self.example.answer.headers

    @property
    def name(self) -> str:
        return f"{self.example.operation_id}: {self.example.summary}"

    @property
    def part(self) -> str:
        return first_part(self.example.request.path)


def first_part(path: str) -> str:
    """`hotels` of /v1/hotels/searches, `health` of /health/ready."""
    return path.removeprefix("/v1").split("/")[1]


@cache
def steps() -> tuple[Step, ...]:
    """Every recorded call that a healthy service answers like this, in order. Bookings that await approval are left out:
    it takes a limit of the key, which no call sets.
    """
    return tuple(Journey([example for example in recorded() if is_repeatable(example)]).steps())


def is_repeatable(example: Example) -> bool:
    if example.request.path.startswith("/sandbox/"):  # an environment of Postman may hold a live key
        return False
    body = example.answer.body
    awaits = isinstance(body, dict) and body.get("status") == "awaiting_approval"
    return example.answer.status < 500 and not awaits


def chapters() -> Iterator[tuple[str, list[Step]]]:
    """Consecutive steps of one topic: `4 Hotels`. Products that are not sold are left out."""
    found: list[list[Step]] = []
    absent = products_not_sold()
    for step in (each for each in steps() if each.part not in absent):
        if not found or found[-1][-1].part != step.part:
            found.append([])
        found[-1].append(step)
    for number, chapter in enumerate(found, 1):
        yield f"{number} {chapter[0].part.capitalize()}", chapter


def days() -> list[int]:
    """How many days ahead the variables `day30` and the like are."""
    texts = "".join(f"{step.path} {step.query} {step.body}" for step in steps())
    return sorted({int(ahead) for ahead in re.findall(r"\{\{day(\d+)\}\}", texts)})


BY_NAME = {"cursor": "Cursor", "updatedSince": "UpdatedAt"}
"""The object that a parameter of this name identifies."""


class Journey:
    def __init__(self, examples: Sequence[Example]) -> None:
        self._examples = examples
        self._steps: list[Step] = []
        self._variables: dict[object, str] = {}
        self._product = ""

    def steps(self) -> list[Step]:
        for example in self._examples:
            request = example.request
            self._product = first_part(request.path).removesuffix("s")
            parameters = {
                name: str(self._sent(value, name)) for name, value in request.path_parameters.items()
            }
            query = {name: str(self._sent(value, name)) for name, value in request.query.items()}
            body = None if request.body is None else _text(self._sent(request.body))
            step = Step(example, request.path.format_map(parameters), query, body)
            self._give_key(step)
            self._steps.append(step)
        return self._steps

    def _give_key(self, step: Step) -> None:
        key = step.example.request.headers.get(KEY)
        keys = [example.request.headers.get(KEY) for example in self._examples]
        if key is not None and keys.count(key) > 1:
            step.key = f"{{{{{REPEATED}}}}}"
            step.begins_key = not any(one.example.request.headers.get(KEY) == key for one in self._steps)

    def _sent(self, value: Any, name: str = "") -> Any:
        """The replacement of a recorded value."""
        if isinstance(value, dict):
            return {member: self._sent(below, member) for member, below in value.items()}
        if isinstance(value, list):
            return [self._sent(below) for below in value]
        if name == "maxTotalCents":
            return f"{{{{{self._variable(value, f'{self._product}TotalCents')}}}}}"
        return self._sent_text(value, name) if isinstance(value, str) else value

    def _sent_text(self, value: str, name: str) -> str:
        if value == RECEIVER:
            return "{{webhookUrl}}"
        if own := OWN_REFERENCE.fullmatch(value):
            return f"ACME-{own[1]}-{{{{run}}}}"
        if name == "month":
            return self._month(value)
        if (id_ := ID.fullmatch(value)) and id_[1] == "change":
            return f"{{{{{self._variable(value, f'{self._product}ChangeId')}}}}}"
        if id_ := ID.fullmatch(value):
            return f"{{{{{self._variable(value, NAMES[id_[1]])}}}}}"
        if name in BY_NAME:
            return f"{{{{{self._variable(value, self._product + BY_NAME[name])}}}}}"
        if OUR_REFERENCE.fullmatch(value):
            return f"{{{{{self._variable(value, 'bookingReference')}}}}}"
        if (day := DAY.fullmatch(value)) and name != "dateOfBirth":
            return f"{{{{day{self._ahead(day[1])}}}}}{day[2] or ''}"
        return value

    def _month(self, value: str) -> str:
        """Always the first one: a new account has one month."""
        if "month" not in self._variables.values():
            self._variable(value, "month")
        return "{{month}}"

    def _ahead(self, day: str) -> int:
        began = datetime.fromisoformat(self._examples[0].at).date()
        return (date.fromisoformat(day) - began).days

    def _variable(self, value: object, name: str) -> str:
        """The variable that holds the value, read from the answer in which it is easiest to find."""
        if value not in self._variables:
            taken = sum(one.rstrip("0123456789") == name for one in self._variables.values())
            variable = f"{name}{taken + 1}" if taken else name
            _depth, position, path = min(self._places(value, name), key=lambda place: place[:2])
            expression = CHOICES.get(variable) or _expression(path)
            self._steps[position].keeps.append(Keep(variable, expression))
            self._variables[value] = variable
        return self._variables[value]

    def _places(self, value: object, name: str) -> Iterator[tuple[int, int, Path]]:
        """Where earlier answers have it: the number of lists above it, the step, and the path."""
        for position, step in enumerate(self._steps):
            for path in _paths_to(value, step.example.answer.body):
                if not name.endswith("TotalCents") or path[-1] in PRICES:
                    yield sum(isinstance(part, int) for part in path), position, path


def _text(body: Any) -> str:
    """As JSON; variables of numbers are not quoted."""
    return MOST.sub(r"\1\2", json.dumps(body, indent=2, ensure_ascii=False))


def _paths_to(value: object, body: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(body, dict):
        for name, below in body.items():
            yield from _paths_to(value, below, (*path, name))
    elif isinstance(body, list):
        for index, below in enumerate(body):
            yield from _paths_to(value, below, (*path, index))
    elif body == value and type(body) is type(value):
        yield path


def _expression(path: Path) -> str:
    return "answer" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)


CHEAPEST = ".sort((a, b) => a.totalCents - b.totalCents)[0]"
BY_DIFFERENCE = ".sort((a, b) => a.differenceCents - b.differenceCents)[0]"

CHOICES = {
    "rateId": f"answer.hotels.flatMap((hotel) => hotel.rates).filter((rate) => rate.refundable){CHEAPEST}.rateId",
    "offerId": (
        "answer.offers.filter((offer) => offer.conditions.refundable && offer.conditions.changeable)"
        f"{CHEAPEST}.offerId"
    ),
    "serviceId2": (
        "answer.seatMaps.flatMap((map) => map.cabins).flatMap((cabin) => cabin.rows).flatMap((row) => row.sections)"
        ".flatMap((section) => section.elements).flatMap((element) => element.services)[0].serviceId"
    ),
    "hotelChangeId": f"answer.options.filter((option) => option.refundable){CHEAPEST}.changeId",
    "hotelChangeId2": f"answer.options.filter((option) => option.refundable){CHEAPEST}.changeId",
    "flightChangeId": f"answer.options.filter((option) => option.differenceCents > 0){BY_DIFFERENCE}.changeId",
    "sliceId2": f"answer.options.filter((option) => option.differenceCents > 0){BY_DIFFERENCE}.slice.sliceId",
    "month": "answer.data[0].month",
    "flightChangeId2": f"answer.options{BY_DIFFERENCE}.changeId",
}
"""By variable."""


Schema = dict[str, Any]
TYPES = {str: "string", bool: "boolean", int: "number", float: "number"}


def shape_of(value: Any) -> Schema:
    """A JSON Schema. Any value may be null in another answer, and any list empty."""
    if value is None:
        return {}
    if isinstance(value, dict):
        members = {name: shape_of(below) for name, below in value.items()}
        if {"type", "data"} <= members.keys():  # an event: another one may be in its place
            members["data"] = {"type": ["object", "null"]}
        return {"type": ["object", "null"], "properties": members, "required": list(members)}
    if isinstance(value, list):
        return {"type": ["array", "null"], **({"items": _common(value)} if value else {})}
    return {"type": [TYPES[type(value)], "null"]}


def _common(items: list[Any]) -> Schema:
    """The schema that fits all of them."""
    return reduce(_merged, map(shape_of, items))


def _merged(one: Schema, other: Schema) -> Schema:
    if not one or not other:
        return {}
    both: Schema = {"type": sorted({*one["type"], *other["type"]})}
    if "required" in one and "required" in other:
        both["required"] = [name for name in one["required"] if name in other["required"]]
        both["properties"] = {
            name: _merged(one["properties"][name], other["properties"][name]) for name in both["required"]
        }
    if "items" in one and "items" in other:
        both["items"] = _merged(one["items"], other["items"])
    for shape in (one, other):  # a constraint of one of them applies to values of its type
        both |= {keyword: value for keyword, value in shape.items() if keyword not in {*one} & {*other}}
    return both


FORMAT = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
NAME = "Travel Partner API"
TRIES = 60
WAITS = {"getWebhookDelivery": 'answer.status === "PENDING"'}
"""Repeated, by operation, while this is true: a delivery takes a moment, and later steps need it finished."""


@cache
def collection() -> dict[str, Any]:
    folders = [
        {"name": name, "item": [item(step, begins=step is steps[0]) for step in steps]}
        for name, steps in chapters()
    ]
    return {
        "info": {"name": NAME, "description": document()["info"]["description"], "schema": FORMAT},
        "auth": {"type": "bearer", "bearer": [{"key": "token", "value": "{{apiKey}}", "type": "string"}]},
        "event": [script("prerequest", days_ahead())],
        "item": folders,
    }


@cache
def environment() -> dict[str, Any]:
    return {
        "name": NAME,
        "values": [
            {"key": "baseUrl", "value": settings.PUBLIC_BASE_URL, "type": "default", "enabled": True},
            {"key": "apiKey", "value": "", "type": "secret", "enabled": True},
            {"key": "webhookUrl", "value": RECEIVER, "type": "default", "enabled": True},
        ],
        "_postman_variable_scope": "environment",
    }


NEW_RUN = ['pm.collectionVariables.set("run", Math.random().toString(36).slice(2, 10));']
"""The partner's own references, which can be used once. They start again in each folder."""
NEW_KEY = [f'pm.collectionVariables.set("{REPEATED}", pm.variables.replaceIn("{FRESH}"));']
"""The key of a request that is sent twice."""


def days_ahead() -> list[str]:
    return [
        "const ahead = (days) => new Date(Date.now() + days * 86400000).toISOString().slice(0, 10);",
        *(f'pm.collectionVariables.set("day{ahead}", ahead({ahead}));' for ahead in days()),
    ]


def item(step: Step, *, begins: bool) -> dict[str, Any]:
    asked = request(step)
    lines = [*(NEW_RUN if begins else []), *(NEW_KEY if step.begins_key else [])]
    before = [script("prerequest", lines)] if lines else []
    return {
        "name": step.name,
        "event": [*before, script("test", checks(step))],
        "request": asked,
        "response": [response(step, asked)],
    }


def request(step: Step) -> dict[str, Any]:
    request = step.example.request
    url: dict[str, Any] = {
        "raw": "{{baseUrl}}" + step.path + (f"?{urlencode(step.query, safe='{}')}" if step.query else ""),
        "host": ["{{baseUrl}}"],
        "path": step.path.strip("/").split("/"),
    }
    if step.query:
        url["query"] = [{"key": name, "value": value} for name, value in step.query.items()]
    operation = document()["paths"][request.path][request.method.lower()]
    asked = {
        "method": request.method,
        "url": url,
        "description": operation.get("description", operation["summary"]),
    }
    if step.body is None:
        return {**asked, "header": pairs(step.headers)}
    body = {"mode": "raw", "raw": step.body, "options": {"raw": {"language": "json"}}}
    return {**asked, "header": pairs({"Content-Type": "application/json", **step.headers}), "body": body}


def response(step: Step, asked: dict[str, Any]) -> dict[str, Any]:
    """The recorded answer, which Postman shows as an example."""
    answer = step.example.answer
    return {
        "name": step.example.summary,
        "originalRequest": asked,
        "code": answer.status,
        "status": HTTPStatus(answer.status).phrase,
        "_postman_previewlanguage": "json",
        "header": pairs(answer.headers),
        "body": "" if answer.body is None else json.dumps(answer.body, indent=2, ensure_ascii=False),
    }


def checks(step: Step) -> list[str]:
    """A check that the answer matches its example, then the variables for later requests."""
    answer = step.example.answer
    lines = [f'pm.test("answers {answer.status}", () => pm.response.to.have.status({answer.status}));']
    if step.is_replay:
        lines.append(
            'pm.test("is a replay", () => pm.response.to.have.header("Idempotent-Replayed", "true"));'
        )
    if answer.body is None:
        return lines
    shape = json.dumps(shape_of(answer.body))
    lines += [
        f'pm.test("has what its example has", () => pm.response.to.have.jsonSchema({shape}));',
        "const answer = pm.response.json();",
        *(f'pm.collectionVariables.set("{keep.variable}", {keep.expression});' for keep in step.keeps),
    ]
    if waiting := WAITS.get(step.example.operation_id):
        lines += [
            'const tries = Number(pm.variables.get("tries")) || 0;',
            f"if ({waiting} && tries < {TRIES}) {{",
            '  pm.variables.set("tries", tries + 1);',
            "  setTimeout(() => {}, 500);",
            "  pm.execution.setNextRequest(pm.info.requestName);",
            "}",
        ]
    return lines


def script(listen: str, lines: list[str]) -> dict[str, Any]:
    return {"listen": listen, "script": {"type": "text/javascript", "exec": lines}}


def pairs(headers: Any) -> list[dict[str, str]]:
    return [{"key": name, "value": value} for name, value in headers.items()]
