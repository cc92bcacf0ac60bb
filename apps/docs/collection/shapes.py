"""What the answer to a request looks like, read off the recorded one: its members and their types, at every depth."""

from functools import reduce
from typing import Any

Schema = dict[str, Any]
TYPES = {str: "string", bool: "boolean", int: "number", float: "number"}


def shape_of(value: Any) -> Schema:
    """A JSON Schema. Whatever has a value may be null another time, and a list may be empty."""
    if value is None:
        return {}
    if isinstance(value, dict):
        members = {name: shape_of(below) for name, below in value.items()}
        if {"type", "data"} <= members.keys():  # an event, and another one may come in its place
            members["data"] = {"type": ["object", "null"]}
        return {"type": ["object", "null"], "properties": members, "required": list(members)}
    if isinstance(value, list):
        return {"type": ["array", "null"], **({"items": _common(value)} if value else {})}
    return {"type": [TYPES[type(value)], "null"]}


def _common(items: list[Any]) -> Schema:
    """What is so of each one."""
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
    for shape in (one, other):  # what only one of them says holds where a value is of its type
        both |= {keyword: value for keyword, value in shape.items() if keyword not in {*one} & {*other}}
    return both
