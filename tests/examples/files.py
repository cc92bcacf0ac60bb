"""The recorded examples as files, the way `apps.gateway.recorded_examples` reads them."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from apps.gateway.openapi.examples import FILES, EventExample, Example


def write(calls: Sequence[Example], events: Sequence[EventExample]) -> None:
    """Replace all files."""
    for old in FILES.rglob("*.json"):
        old.unlink()
    for operation_id in dict.fromkeys(call.operation_id for call in calls):
        told = [asdict(call) for call in calls if call.operation_id == operation_id]
        _write(operation_id, told, without="operation_id")
    for type_ in dict.fromkeys(event.type for event in events):
        told = [asdict(event) for event in events if event.type == type_]
        _write(f"events/{type_}", told, without="type")


def _write(name: str, examples: list[dict[str, Any]], *, without: str) -> None:
    path = FILES / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    told = [
        {part: _told(value) for part, value in example.items() if part != without} for example in examples
    ]
    path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def _told(value: Any) -> Any:
    """A request or an answer without what it has not; an empty body is one."""
    if not isinstance(value, dict) or not {"path", "status"} & value.keys():
        return value
    return {name: below for name, below in value.items() if below or (name == "body" and below is not None)}
