"""The recorded journey with variables in place of what is another one each time: ids, prices, days, references.

What a request holds of an earlier answer is kept from that answer under a name; nothing recorded is sent.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any

from apps.docs.collection.choices import CHOICES
from apps.gateway.recorded_examples import Example, recorded
from apps.keys.offered import products_not_sold

ID = re.compile(r"([a-z]+)_[0-9a-z]{20,}")
OUR_REFERENCE = re.compile(r"[A-Z]-[0-9A-Z]{8}")
DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(T.*)?")
OWN_REFERENCE = re.compile(r"ACME-(\d+)")
RECEIVER = "https://partner.example/hooks"
KEY = "Idempotency-Key"
FRESH = "{{$guid}}"
REPEATED = "repeatedKey"
PRICES = ("totalCents", "priceCents")
# What an id is the id of, by its first part.
NAMES = {
    "we": "endpointId",
    "hsr": "hotelSearchId",
    "rate": "rateId",
    "hbk": "hotelBookingId",
    "offer": "offerId",
    "ford": "flightOrderId",
    "slice": "sliceId",
    "change": "changeId",
    "schedule": "scheduleChangeId",
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
    """A variable, and how it is read: an expression of JavaScript over `answer`."""

    variable: str
    expression: str


@dataclass(slots=True)
class Step:
    """One call. `path`, `query` and `body` are texts with `{{variables}}`; a price in a body stands without quotes."""

    example: Example
    path: str
    query: dict[str, str]
    body: str | None
    key: str = FRESH
    """The Idempotency-Key: a fresh one, or the variable of one that is used again."""
    begins_key: bool = False
    """Whether it is the first to use that one."""
    keeps: list[Keep] = field(default_factory=list)

    @property
    def headers(self) -> dict[str, str]:
        told = self.example.request.headers
        return {name: self.key if name == KEY else value for name, value in told.items()}

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
    """Every recorded call that a service which is well answers so, in the order of the journey."""
    return tuple(Journey([example for example in recorded() if example.answer.status < 500]).steps())


def chapters() -> Iterator[tuple[str, list[Step]]]:
    """Steps that belong together and follow each other: `4 Hotels`. None of a product that is not sold here."""
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
            parameters = {name: str(self._sent(value)) for name, value in request.path_parameters.items()}
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
        """What stands for a recorded value."""
        if isinstance(value, dict):
            return {member: self._sent(below, member) for member, below in value.items()}
        if isinstance(value, list):
            return [self._sent(below) for below in value]
        if name == "maxTotalCents":
            return Bare(self._variable(value, f"{self._product}TotalCents"))
        return self._sent_text(value, name) if isinstance(value, str) else value

    def _sent_text(self, value: str, name: str) -> str:
        if value == RECEIVER:
            return "{{webhookUrl}}"
        if own := OWN_REFERENCE.fullmatch(value):
            return f"ACME-{own[1]}-{{{{run}}}}"
        if id_ := ID.fullmatch(value):
            return f"{{{{{self._variable(value, NAMES[id_[1]])}}}}}"
        if name == "updatedSince":
            return f"{{{{{self._variable(value, f'{self._product}UpdatedAt')}}}}}"
        if OUR_REFERENCE.fullmatch(value):
            return f"{{{{{self._variable(value, 'bookingReference')}}}}}"
        if (day := DAY.fullmatch(value)) and name != "dateOfBirth":
            return f"{{{{day{self._ahead(day[1])}}}}}{day[2] or ''}"
        return value

    def _ahead(self, day: str) -> int:
        began = datetime.fromisoformat(self._examples[0].at).date()
        return (date.fromisoformat(day) - began).days

    def _variable(self, value: object, name: str) -> str:
        """The variable that holds the value. It is kept from the answer so far that tells it most plainly."""
        if value not in self._variables:
            taken = sum(one.rstrip("0123456789") == name for one in self._variables.values())
            variable = f"{name}{taken + 1}" if taken else name
            _depth, position, path = min(self._places(value, name), key=lambda place: place[:2])
            expression = CHOICES.get(variable) or _expression(path)
            self._steps[position].keeps.append(Keep(variable, expression))
            self._variables[value] = variable
        return self._variables[value]

    def _places(self, value: object, name: str) -> Iterator[tuple[int, int, Path]]:
        """Where earlier answers hold it: how many lists deep, in which step, and the path."""
        for position, step in enumerate(self._steps):
            for path in _paths_to(value, step.example.answer.body):
                if not name.endswith("TotalCents") or path[-1] in PRICES:
                    yield sum(isinstance(part, int) for part in path), position, path


class Bare(str):
    """A variable that stands for a number: written without quotes."""

    __slots__ = ()


def _text(body: Any) -> str:
    bare = {}

    def marked(value: Any) -> Any:
        if isinstance(value, Bare):
            bare[f'"<{value}>"'] = f"{{{{{value}}}}}"
            return f"<{value}>"
        if isinstance(value, dict):
            return {name: marked(below) for name, below in value.items()}
        return [marked(below) for below in value] if isinstance(value, list) else value

    text = json.dumps(marked(body), indent=2, ensure_ascii=False)
    for quoted, variable in bare.items():
        text = text.replace(quoted, variable)
    return text


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
