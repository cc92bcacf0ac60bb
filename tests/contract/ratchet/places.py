"""Every place of a document at which something can break: its schemas, and who sends what they describe."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.contract.ratchet.documents import METHODS
from tests.contract.ratchet.forms import resolved
from tests.contract.ratchet.schemas import Direction

Node = dict[str, Any]


@dataclass(slots=True)
class Place:
    """A part of the document that can be changed where it stands. A shared one has the directions of all who name it."""

    node: Node
    where: str
    directions: set[Direction] = field(default_factory=set)
    part: bool = False
    """Only of an allOf, oneOf or anyOf: what it allows more, another part may forbid or allow already."""


class Places:
    """Found by a walk of its own: what the comparison does not reach is seen here."""

    def __init__(self, document: Node) -> None:
        self.document = document
        self._schemas: dict[int, Place] = {}
        for item, method, where in operations(document):
            for parameter in parameters(item, method, document):
                self._part(parameter, Direction.ASKED, f"{where} {parameter['name']}")
            self._part(item[method].get("requestBody", {}), Direction.ASKED, f"{where} body")
            for status, answer in item[method].get("responses", {}).items():
                self._part(answer, Direction.TOLD, f"{where} {status}")
                for name, header in self.followed(answer).get("headers", {}).items():
                    self._part(header, Direction.TOLD, f"{where} {status} {name}")
        for item, method, where in operations(document, "webhooks"):
            for header in parameters(item, method, document):
                self._part(header, Direction.TOLD, f"{where} {header['name']}")
            self._part(item[method].get("requestBody", {}), Direction.TOLD, where)

    @property
    def schemas(self) -> list[Place]:
        return list(self._schemas.values())

    def followed(self, part: Node) -> Node:
        return followed(part, self.document)

    def _part(self, part: Node, direction: Direction, where: str) -> None:
        part = self.followed(part)
        for holder in (part, *part.get("content", {}).values()):
            if "schema" in holder:
                self._walk(holder["schema"], direction, where)

    def _walk(self, schema: Node, direction: Direction, where: str, *, part: bool = False) -> None:
        if "$ref" in schema:
            self._walk(self.followed(schema), direction, schema["$ref"].rsplit("/", 1)[1], part=part)
            return
        place = self._schemas.setdefault(id(schema), Place(schema, where, part=part))
        place.part = place.part and part
        if direction in place.directions:
            return
        place.directions.add(direction)
        for name, below in schema.get("properties", {}).items():
            self._walk(below, direction, f"{where}.{name}")
        for keyword in ("items", "additionalProperties"):
            if isinstance(schema.get(keyword), dict):
                self._walk(schema[keyword], direction, f"{where}.{keyword}")
        for keyword in ("allOf", "oneOf", "anyOf"):
            for number, below in enumerate(schema.get(keyword, [])):
                self._walk(below, direction, f"{where}.{keyword}[{number}]", part=True)


def operations(document: Node, kind: str = "paths") -> Iterator[tuple[Node, str, str]]:
    """Each operation as its path's item, its method and its name."""
    for path, item in document.get(kind, {}).items():
        for method in METHODS:
            if method in item:
                yield item, method, f"{method.upper()} {path}" if kind == "paths" else path


def parameters(item: Node, method: str, document: Node) -> list[Node]:
    """What the path and the operation name, with references followed."""
    named = [*item.get("parameters", []), *item[method].get("parameters", [])]
    return [followed(parameter, document) for parameter in named]


def answers(operation: Node, document: Node) -> list[tuple[str, Node]]:
    """Each with its status, references followed."""
    return [(status, followed(answer, document)) for status, answer in operation.get("responses", {}).items()]


def followed(part: Node, document: Node) -> Node:
    """What a reference names; the part itself where it is none."""
    while "$ref" in part:
        part = resolved(part["$ref"], document)
    return part
