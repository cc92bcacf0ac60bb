"""One partner's journey over every operation and event, as it was recorded, and where it stands in the document.

The files of `recorded/` are written by `make examples`, which plays the journey of `tests/examples/journey/` against the service
on its simulator. A test plays it again and compares.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from apps.gateway.declared import example_of
from apps.gateway.openapi.schema import component_name
from apps.gateway.openapi.serving import document, sandbox_document
from apps.gateway.serializers import Body

FILES = Path(__file__).parents[1] / "recorded"
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


# --- The journey in the document: a value at each place -------------------------------------------------------------

Part = dict[str, Any]


def draw_examples(result: Part, **kwargs: object) -> Part:
    """A drf-spectacular postprocessing hook. The request and the answer of one call have the same name.

    Examples in the files for a place that no longer exists are left out, so that they can be recorded again.
    """
    components = result.setdefault("components", {})
    for kind in ("parameters", "headers"):  # one drawing is not to change the next
        components[kind] = dict(components.get(kind, {}))
    for call in recorded():
        entry = result["paths"].get(call.request.path, {}).get(call.request.method.lower(), {})
        _draw_call(entry, call, components)
    for event in recorded_events():
        entry = result.get("webhooks", {}).get(event.type, {}).get("post", {})
        _draw_body(entry.get("requestBody"), event, event.payload)
        _draw_parameters(entry, {"header": event.headers}, components)
    return result


def _draw_call(entry: Part, call: Example, components: Part) -> None:
    request, answer = call.request, call.answer
    response = entry.get("responses", {}).get(str(answer.status), {})
    _draw_body(entry.get("requestBody"), call, request.body)
    _draw_body(response, call, answer.body)
    query = {**_next_page(answer.body), **request.query}
    sent = {"path": request.path_parameters, "query": query, "header": request.headers}
    _draw_parameters(entry, sent, components)
    headers = response.get("headers", {})
    for name in headers:
        _give(headers, name, answer.headers.get(name), components["headers"])


def _next_page(answer: Any) -> dict[str, str]:
    cursor = answer.get("nextCursor") if isinstance(answer, dict) else None
    return {"cursor": cursor} if cursor else {}


def _draw_body(place: Part | None, example: Example | EventExample, value: Any) -> None:
    if value is not None and place:
        for media in place.get("content", {}).values():
            media.setdefault("examples", {})[example.name] = {"summary": example.summary, "value": value}


def _draw_parameters(entry: Part, sent: Mapping[str, Mapping[str, str]], components: Part) -> None:
    shared, parameters = components["parameters"], entry.get("parameters", [])
    for place, parameter in enumerate(parameters):
        told = shared[_named(parameter)] if "$ref" in parameter else parameter
        _give(parameters, place, sent.get(told["in"], {}).get(told["name"]), shared)


def _give(holder: Any, place: str | int, value: str | None, shared: Part) -> None:
    """The first value that was sent is the example of the parameter or header that `holder` has at `place`."""
    if "$ref" in holder[place]:
        holder, place = shared, _named(holder[place])
    told = holder[place]
    if value is not None and "example" not in told:
        whole = told["schema"]["type"] == "integer"
        holder[place] = {**told, "example": int(value) if whole else value}


def _named(reference: Mapping[str, str]) -> str:
    return reference["$ref"].rpartition("/")[2]


# --- Example bodies, made of the examples that the fields of a body declare -----------------------------------------


def request_examples() -> dict[str, dict[str, Any]]:
    """By operationId, the body that the reference page begins with, for every operation that takes one.

    The recorded journey (`recorded_examples`) begins with the same ones, at its own instant.

    The service takes it as it stands, but for the handles that only a search gives, such as `offer_…`.
    """
    paths = [*document()["paths"].values(), *sandbox_document()["paths"].values()]
    operations = [entry for path in paths for entry in path.values()]
    bodies = {component_name(body, is_request=True): body for body in _below(Body)}
    return {
        entry["operationId"]: example_of(bodies[_component_of(entry)]()) or {}
        for entry in operations
        if "requestBody" in entry
    }


def _below(base: type[Body]) -> Iterator[type[Body]]:
    for body in base.__subclasses__():
        yield body
        yield from _below(body)


def _component_of(operation: dict[str, Any]) -> str:
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    return str(schema["$ref"]).rpartition("/")[2]
