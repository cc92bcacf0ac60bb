"""How an operation of /v1 is declared, at the method that carries it out: scope, rate class, quota, triggers, bodies.

The gateway's checks, the OpenAPI document and the table tests all read this one declaration.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, TypeVar, cast

from rest_framework import decorators
from rest_framework.serializers import Serializer

from apps.common.errors import GatewayError
from apps.keys.offered import product_of

ANY_SCOPE = "any"
"""The scope of an operation that opens to every key, whatever its scopes; the operation itself may ask for one."""

Handler = TypeVar("Handler", bound=Callable[..., Any])


class RateClass(StrEnum):
    SEARCH = "SEARCH"
    BOOKING = "BOOKING"
    READ = "READ"


@dataclass(frozen=True, slots=True)
class QueryParameter:
    """A query parameter. `schema` is its JSON schema in the OpenAPI document."""

    name: str
    schema: Mapping[str, object]
    description: str
    since: str = ""
    """The release that added it, such as "1.2"; nothing for what was there in 1.1."""
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One operation, declared as a decorator of the method that carries it out:

        @Route("getFlightOrder", scope="flights:book", rate_class=RateClass.READ, answer=FlightOrderAnswer)
        def retrieve(self, call: Call, order_id: str) -> Answer:

    Every POST takes an Idempotency-Key; that needs no declaration.
    """

    id: str = field(kw_only=False)
    """The operationId of the OpenAPI document."""
    scope: str = ""
    """The scope that a key needs, or ANY_SCOPE. Empty: the operation is public, or it is one of the sandbox."""
    sandbox: bool = False
    """It controls a test environment: outside /v1, for test keys alone, whatever their scopes."""
    rate_class: RateClass
    body: type[Serializer[Any]] | None = None
    """What a request body is validated with."""
    answer: type[Serializer[Any]] | None
    """The body of the successful answer; None for 204."""
    status: int = 200
    also: Mapping[int, type[Serializer[Any]]] = field(default_factory=dict)
    """Successful statuses beside `status`, with their bodies."""
    product: str = ""
    """For a call that counts against the search quota: the product under which it is billed."""
    triggers: frozenset[str] = frozenset()
    """The sandbox triggers that have an effect on it."""
    query: tuple[QueryParameter, ...] = ()
    errors: tuple[type[GatewayError], ...] = ()
    """Refusals of its own, beside those that every operation can answer."""
    after_sale: bool = False
    """It is about a booking that was made, and goes on where its product is not offered any more."""
    inactive_status: int = 403
    """The status of account_not_active: 402 on the flight change."""
    stored_body: Callable[[str], str | None] | None = None
    """For searches: reads the answer of an earlier call back from the record that holds it."""
    since: str = ""
    """The release that added it, such as "1.2"; nothing for what was there in 1.1."""
    summary: str = ""
    """The first line of the method's docstring."""
    description: str = ""
    """The rest of the method's docstring."""

    @property
    def sells(self) -> str:
        """The product that this operation belongs to, unless it is about a booking that was made."""
        return "" if self.after_sale else product_of(self.scope)

    @property
    def counts_quota(self) -> bool:
        return bool(self.product)

    def __call__(self, handler: Handler) -> Handler:
        """Declare that `handler` carries out this operation. Its docstring becomes summary and description."""
        summary, _, rest = (handler.__doc__ or self.id).strip().partition("\n")
        declared = replace(self, summary=summary, description=" ".join(rest.split()))
        handler.route = declared  # type: ignore[attr-defined]
        _declared[declared.id] = declared
        return handler


_declared: dict[str, Route] = {}


def route_named(operation_id: str) -> Route | None:
    """The operation of this id; None where this release has none."""
    return _declared.get(operation_id)


def declared_ids() -> list[str]:
    """The ids of all operations, in the order of the alphabet."""
    return sorted(_declared)


def methods_served(methods: Iterable[str]) -> list[str]:
    """What `Allow` lists: these methods, and HEAD where there is GET."""
    served = {*methods}
    return sorted(served | {"HEAD"} if "GET" in served else served)


def action(
    *, methods: Sequence[Literal["get", "post"]], detail: bool, url_path: str | None = None
) -> Callable[[Handler], Handler]:
    """DRF's `@action`, typed for methods that return an Answer."""
    return cast(
        "Callable[[Handler], Handler]", decorators.action(methods=methods, detail=detail, url_path=url_path)
    )
