"""The recorded journey in the document: a request and an answer at each place, and a value for each parameter."""

from collections.abc import Mapping
from typing import Any

from apps.gateway.recorded_examples import EventExample, Example, recorded, recorded_events


def draw_examples(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook. The request and the answer of one call have the same name."""
    components = result.setdefault("components", {})
    components["parameters"] = dict(components.get("parameters", {}))  # one drawing is not to change the next
    for call in recorded():
        entry = result["paths"].get(call.request.path, {}).get(call.request.method.lower())
        if entry is not None:  # else the file is older than the operation, and a test says so
            _draw_call(result, entry, call)
    for event in recorded_events():
        entry = result["webhooks"][event.type]["post"]
        _draw_body(entry["requestBody"], event, event.payload)
        _draw_parameters(result, entry, {"header": event.headers})
    return result


def _draw_call(result: dict[str, Any], entry: dict[str, Any], call: Example) -> None:
    request, answer = call.request, call.answer
    if request.body is not None:
        _draw_body(entry["requestBody"], call, request.body)
    if answer.body is not None:
        _draw_body(entry["responses"][str(answer.status)], call, answer.body)
    _draw_parameters(
        result,
        entry,
        {
            "path": request.path_parameters,
            "query": _next_page(answer.body) | dict(request.query),
            "header": request.headers,
        },
    )


def _next_page(answer: Any) -> dict[str, str]:
    """The cursor that the partner would send next."""
    cursor = answer.get("nextCursor") if isinstance(answer, dict) else None
    return {"cursor": cursor} if cursor else {}


def _draw_body(place: dict[str, Any], example: Example | EventExample, value: Any) -> None:
    (media,) = place["content"].values()
    media.setdefault("examples", {})[example.name] = {"summary": example.summary, "value": value}


def _draw_parameters(
    result: dict[str, Any], entry: dict[str, Any], sent: Mapping[str, Mapping[str, str]]
) -> None:
    """The first value that was sent is the parameter's example."""
    shared = result["components"]["parameters"]
    for place, named in enumerate(entry.get("parameters", ())):
        name = named.get("$ref", "").rpartition("/")[2]
        parameter = shared[name] if name else named
        value = sent.get(parameter["in"], {}).get(parameter["name"])
        if value is None or "example" in parameter:
            continue
        whole = parameter["schema"]["type"] == "integer"
        told = {**parameter, "example": int(value) if whole else value}
        if name:
            shared[name] = told
        else:
            entry["parameters"][place] = told
