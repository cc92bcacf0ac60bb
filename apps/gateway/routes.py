"""How an operation of /v1 declares itself, beside its view: scope, rate class, quota, triggers, bodies.

The declarations are the single source for the gateway's checks, the OpenAPI document and the table tests.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from rest_framework.serializers import Serializer

from apps.gateway.errors import GatewayError

Handler = TypeVar("Handler", bound=Callable[..., Any])


class RateClass(StrEnum):
    SEARCH = "SEARCH"
    BOOKING = "BOOKING"
    READ = "READ"


@dataclass(frozen=True, slots=True)
class QueryParameter:
    """A query parameter, for the OpenAPI document; `schema` is its JSON schema."""

    name: str
    schema: Mapping[str, object]
    description: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """One operation: what the gateway checks before it, and what the OpenAPI document says of it."""

    id: str
    scope: str
    rate_class: RateClass
    answer: type[Serializer[Any]] | None
    summary: str
    status: int = 200
    body: type[Serializer[Any]] | None = None
    product: str = ""
    """Set where the call counts against the search quota: the product its billable searches are booked under."""
    triggers: frozenset[str] = frozenset()
    query: tuple[QueryParameter, ...] = ()
    errors: tuple[type[GatewayError], ...] = ()
    also: Mapping[int, type[Serializer[Any]]] = field(default_factory=dict)
    """Further successful statuses than `status`."""
    inactive_status: int = 403
    """The status of account_not_active: 402 on the flight change."""
    stored_body: Callable[[str], str | None] | None = None
    """Reads the answer of an earlier call back from the record that holds it (searches)."""

    @property
    def counts_quota(self) -> bool:
        return bool(self.product)


def route(
    id: str,
    scope: str,
    rate_class: RateClass,
    answer: type[Serializer[Any]] | None,
    **more: Any,
) -> Callable[[Handler], Handler]:
    """Declare the method below it to be an operation of /v1; its docstring is the operation's description."""

    def declare(handler: Handler) -> Handler:
        summary = (handler.__doc__ or id).strip().splitlines()[0]
        handler.route = Route(id, scope, rate_class, answer, summary, **more)  # type: ignore[attr-defined]
        return handler

    return declare
