"""Every operation the service declares, found where Django finds them: in the URL map."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver

from apps.gateway import operations as declared
from apps.gateway.operations import ANY_SCOPE

UNKNOWN_ID = "unknown_01kb2c0000000000000000000a"


@dataclass(frozen=True)
class Operation:
    """One method of one path, and what its view declares of it."""

    method: str
    path: str
    route: declared.Operation

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def url(self) -> str:
        """The path with an id in it that is well-formed and nobody's."""
        return self.url_of(UNKNOWN_ID)

    @property
    def a_scope(self) -> str:
        """One that opens it."""
        return "account:read" if self.route.scope == ANY_SCOPE else self.route.scope

    @property
    def takes_id(self) -> bool:
        return "{" in self.path

    def url_of(self, id: str, *further: str) -> str:
        """With an id in each place; the last one given stands in those that are left. With the query parameters that it needs."""
        ids = [id, *further]
        path = re.sub(r"\{\w+\}", lambda _: ids.pop(0) if len(ids) > 1 else ids[0], self.path)
        required = [f"{each.name}={UNKNOWN_ID}" for each in self.route.query if each.required]
        required += ["query=Lisbon"] if self.route.id == "searchPlaces" else []  # or `near`
        return f"{path}?{'&'.join(required)}" if required else path


@cache
def operations() -> tuple[Operation, ...]:
    """All declared operations of the document, the public ones too."""
    return tuple(operation for operation in _declared() if not operation.route.sandbox)


@cache
def sandbox_operations() -> tuple[Operation, ...]:
    """The controls of the sandbox, which have a document of their own."""
    return tuple(operation for operation in _declared() if operation.route.sandbox)


@cache
def _declared() -> tuple[Operation, ...]:
    return tuple(
        Operation(method, path, route)
        for path, routes in _views(get_resolver().url_patterns, "/")
        for method, route in routes.items()
    )


@cache
def partner_operations() -> tuple[Operation, ...]:
    """Those that need a key."""
    return tuple(operation for operation in operations() if operation.route.scope)


def operation_of(operation_id: str) -> Operation:
    every = (*operations(), *sandbox_operations())
    return next(operation for operation in every if operation.route.id == operation_id)


def _views(
    patterns: list[URLPattern | URLResolver], prefix: str
) -> Iterator[tuple[str, dict[str, declared.Operation]]]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _views(pattern.url_patterns, path)
        else:
            initkwargs = getattr(pattern.callback, "initkwargs", {})
            yield re.sub(r"<\w+:(\w+)>", r"{\1}", path), initkwargs.get("operations", {})
