"""The recorded journey in the document: a request and an answer at each place, a value for each parameter and header."""

from collections.abc import Mapping
from typing import Any

from apps.gateway.recorded_examples import EventExample, Example, recorded, recorded_events

Part = dict[str, Any]


def draw_examples(result: Part, **kwargs: object) -> Part:
    """A drf-spectacular postprocessing hook. The request and the answer of one call have the same name.

    What the files tell of a place that is no longer there is left out, so that they can be recorded anew.
    """
    components = result.setdefault("components", {})
    for kind in ("parameters", "headers"):  # one drawing is not to change the next
        components[kind] = dict(components.get(kind, {}))
    for call in recorded():
        entry = result["paths"].get(call.request.path, {}).get(call.request.method.lower(), {})
        _draw_call(entry, call, components)
    for event in recorded_events():
        entry = result["webhooks"].get(event.type, {}).get("post", {})
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
    """The cursor that the partner would send next."""
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
