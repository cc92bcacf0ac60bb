"""What is known of a supplier's answers, and how an answer differs from it.

`known.json` has, for each call (`GET /bookings/*`), each field by its path (`.data.guests[].email`): the types that it has had,
`read` where the connector reads it, and `sometimes` where answers may lack it.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from django.conf import settings

from apps.suppliers.vendors import vendors_of

UNKNOWN, MISSING, OTHER_TYPE = "unknown", "missing", "type"
ITEMS_LOOKED_AT = 3
"""Of each list: the others are alike."""
LONGEST_PATH = 200
DEEPEST = 20
READ, SOMETIMES = "read", "sometimes"
NAME = re.compile(r"[A-Za-z0-9_$-]{1,40}")
KEY_OF_A_MAP = re.compile(r"\d+|[A-Z]{3}")
"""An index or a currency: what stands under one stands under each."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`kind` is unknown, missing or type. `is_read`: the connector reads the field."""

    path: str
    kind: str
    is_read: bool


@dataclass(frozen=True, slots=True)
class Field:
    types: frozenset[str]
    is_read: bool
    sometimes: bool

    @classmethod
    def of(cls, words: str) -> "Field":
        told = frozenset(words.split())
        return cls(told - {READ, SOMETIMES}, READ in told, SOMETIMES in told)


class Shape:
    """One call's answers."""

    def __init__(self, known: Mapping[str, str]) -> None:
        self.fields = {path: Field.of(words) for path, words in known.items()}
        self._parts: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for path in self.fields:
            parent, _, name = path.rpartition(".")
            if name and not path.endswith("[]"):
                self._parts[parent].append((name, path))

    def differences(self, answer: Any) -> set[Difference]:
        return set(self._differences(answer, ""))

    def _differences(self, value: Any, path: str) -> Iterator[Difference]:
        field = self.fields.get(path)
        if field is None:
            yield Difference(path[:LONGEST_PATH], UNKNOWN, is_read=False)
            return
        if type_of(value) not in field.types:
            yield Difference(path, OTHER_TYPE, field.is_read)
            return
        if isinstance(value, dict) and path.count(".") < DEEPEST:
            present = {part_of(name) for name in value}
            for name, part in self._parts[path]:
                known = self.fields[part]
                if name != "*" and name not in present and not known.sometimes:
                    yield Difference(part, MISSING, known.is_read)
            for name, part_value in value.items():
                yield from self._differences(part_value, joined(path, name))
        elif isinstance(value, list):
            for item in value[:ITEMS_LOOKED_AT]:
                yield from self._differences(item, f"{path}[]")


def joined(path: str, name: str) -> str:
    return f"{path}.{part_of(name)}"


def part_of(name: str) -> str:
    """As it stands in a path. What is no name of a field could be a value, and is not repeated."""
    if KEY_OF_A_MAP.fullmatch(name):
        return "*"
    return name if NAME.fullmatch(name) else "?"


def type_of(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, str):
        return "text"
    if isinstance(value, dict):
        return "object"
    return "list" if isinstance(value, list) else "number"


@cache
def calls_of(supplier: str) -> Mapping[str, Shape]:
    """What is known of each call of a supplier; nothing of one that has no known.json."""
    path = known_file(supplier)
    if path is None or not path.exists():
        return {}
    return {call: Shape(fields) for call, fields in json.loads(path.read_text()).items()}


def known_file(supplier: str) -> Path | None:
    """In the folder of its connector."""
    for product in settings.SUPPLIERS:
        if supplier in vendors_of(product):
            module = import_module(f"apps.{product}.suppliers.{supplier}")
            return Path(str(module.__file__)).parent / "known.json"
    return None


def call_named(supplier: str, method: str, path: str) -> tuple[str, Shape] | None:
    """The call that a request was, by its path without the address; None for one of which nothing is known."""
    for call, shape in calls_of(supplier).items():
        verb, _, pattern = call.partition(" ")
        if verb == method and _matches(pattern, path):
            return call, shape
    return None


def _matches(pattern: str, path: str) -> bool:
    """Part by part: `*` stands for any one, and `**` at the end for all that follow."""
    wanted, parts = pattern.split("/"), path.split("/")
    if wanted[-1] == "**":
        wanted.pop()
        if len(parts) <= len(wanted):
            return False
        parts = parts[: len(wanted)]
    return len(wanted) == len(parts) and all(
        want == part or (want == "*" and part) for want, part in zip(wanted, parts, strict=True)
    )
