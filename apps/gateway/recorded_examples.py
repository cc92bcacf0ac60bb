"""One partner's journey over every operation and event, as it was recorded: the examples of the OpenAPI document.

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


def draw(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook: the examples at their places in the document."""
    for example in recorded():
        entry = result["paths"].get(example.request.path, {}).get(example.request.method.lower())
        if entry is not None:
            _draw_call(entry, example)
    for event in recorded_events():
        _draw_body(result["webhooks"][event.type]["post"]["requestBody"], event, event.payload)
        _draw_parameters(result["webhooks"][event.type]["post"], {"header": event.headers})
    return result


def _calls() -> Iterator[Example]:
    for path in FILES.glob("*.json"):
        for told in json.loads(path.read_bytes()):
            request, answer = Request(**told.pop("request")), Answer(**told.pop("answer"))
            yield Example(operation_id=path.stem, request=request, answer=answer, **told)


def _deliveries() -> Iterator[EventExample]:
    for path in (FILES / "events").glob("*.json"):
        for told in json.loads(path.read_bytes()):
            yield EventExample(type=path.stem, **told)


def _draw_call(entry: dict[str, Any], example: Example) -> None:
    request, answer = example.request, example.answer
    if request.body is not None:
        _draw_body(entry["requestBody"], example, request.body)
    if answer.body is not None:
        _draw_body(entry["responses"][str(answer.status)], example, answer.body)
    cursor = answer.body.get("nextCursor") if isinstance(answer.body, dict) else None
    _draw_parameters(
        entry,
        {
            "path": request.path_parameters,
            "query": {**({"cursor": cursor} if cursor else {}), **request.query},
            "header": request.headers,
        },
    )


def _draw_body(place: dict[str, Any], example: Example | EventExample, value: Any) -> None:
    (media,) = place["content"].values()
    media.setdefault("examples", {})[example.name] = {"summary": example.summary, "value": value}


def _draw_parameters(entry: dict[str, Any], sent: dict[str, Mapping[str, str]]) -> None:
    """The first value that was sent is the parameter's example. One that is shared by operations has its own."""
    for parameter in entry.get("parameters", ()):
        value = sent.get(parameter.get("in"), {}).get(parameter.get("name"))
        if value is not None and "example" not in parameter:
            parameter["example"] = int(value) if parameter["schema"]["type"] == "integer" else value
