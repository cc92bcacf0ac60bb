"""One partner's journey over every operation and event, as it was recorded. The OpenAPI document's examples come from it.

The files of `recorded/` are written by `make examples`, which plays the journey of `tests/examples/journey/` against the service
on its simulator. A test plays it again and compares.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

FILES = Path(__file__).parent / "recorded"
"""A file for each operation, named by its operationId; in `events` one for each type of event."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was sent. The API key is not in it: every operation of /v1 takes `Authorization: Bearer …`."""

    method: str
    path: str
    """As the document names it, with its parameters: `/v1/hotels/rates/{rateId}`."""
    path_parameters: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    """None where the operation takes none."""

    @property
    def url(self) -> str:
        """The path with its parameters filled in, and the query."""
        path = self.path.format_map(self.path_parameters)
        return f"{path}?{urlencode(self.query)}" if self.query else path


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Of the headers those that the document describes."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    """None for a 204."""


@dataclass(frozen=True, slots=True)
class Example:
    """One call of the journey. `name` is unique among the examples of its operation."""

    operation_id: str
    name: str
    summary: str
    at: str
    """The instant at which it was made, RFC 3339: the order of the journey."""
    request: Request
    answer: Answer


@dataclass(frozen=True, slots=True)
class EventExample:
    """One delivery as the partner's endpoint got it."""

    type: str
    name: str
    summary: str
    at: str
    headers: Mapping[str, str]
    payload: Mapping[str, Any]


def recorded() -> list[Example]:
    """Every recorded call, in the order of the journey. Reads the files each time: keep what you make of it."""
    return sorted(_calls(), key=lambda example: example.at)


def recorded_events() -> list[EventExample]:
    """Every recorded delivery, in the order in which they came."""
    return sorted(_deliveries(), key=lambda example: (example.at, example.payload["id"]))


def _calls() -> Iterator[Example]:
    for path in FILES.glob("*.json"):
        for told in json.loads(path.read_bytes()):
            request, answer = Request(**told.pop("request")), Answer(**told.pop("answer"))
            yield Example(operation_id=path.stem, request=request, answer=answer, **told)


def _deliveries() -> Iterator[EventExample]:
    for path in (FILES / "events").glob("*.json"):
        for told in json.loads(path.read_bytes()):
            yield EventExample(type=path.stem, **told)
