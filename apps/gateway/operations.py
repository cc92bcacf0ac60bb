"""How an operation of /v1 is declared, at the method that carries it out: scope, rate class, quota, triggers, bodies, query.

The gateway's checks, the OpenAPI document (`openapi.schema`) and the table tests all read this one declaration.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, TypeVar, cast
from urllib.parse import quote

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest
from rest_framework import decorators
from rest_framework.serializers import Serializer

from apps.common.errors import GatewayError, InvalidRequest
from apps.keys.scopes import product_of

ANY_SCOPE = "any"
"""The scope of an operation that opens to every key, whatever its scopes; the operation itself may ask for one."""

Handler = TypeVar("Handler", bound=Callable[..., Any])


OPEN = "x-extensible-enum"
"""In the document: values known today; others may follow (a keyword of Zalando's, which generators take for a plain string)."""
SINCE = "x-since"
"""In the document: the release that added what is marked; what is not was there in 1.1."""


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
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation, declared as a decorator of the method that carries it out:

        @operation("getFlightOrder", scope="flights:book", rate_class=RateClass.READ, answer=FlightOrderAnswer)
        def retrieve(self, request: PartnerRequest, order_id: str) -> Answer:

    Every POST takes an Idempotency-Key; that needs no declaration.
    """

    id: str = field(kw_only=False)
    scope: str = ""
    """The scope that a key needs, or ANY_SCOPE. Empty: the operation is public, or it is one of the sandbox."""
    other_scopes: tuple[str, ...] = ()
    """Each of them opens it as well. It then belongs to no product."""
    sandbox: bool = False
    """It controls a test environment: outside /v1, for test keys alone, whatever their scopes."""
    rate_class: RateClass
    body: type[Serializer[Any]] | None = None
    answer: type[Serializer[Any]] | None
    files: tuple[str, ...] = ()
    """The media types of an answer that is a file: in place of `answer`, or where a query parameter asks for one."""
    status: int = 200
    also: Mapping[int, type[Serializer[Any]]] = field(default_factory=dict)
    """Successful statuses beside `status`, with their bodies."""
    product: str = ""
    """For a call that counts against the search quota: the product under which it is billed."""
    units: Callable[[Mapping[str, Any]], int] | None = None
    """As how many searches it counts, by its validated body; None: as one."""
    triggers: frozenset[str] = frozenset()
    query: tuple[QueryParameter, ...] = ()
    errors: tuple[type[GatewayError], ...] = ()
    after_sale: bool = False
    """It is about a booking that was made, and continues where its product is not offered any more."""
    inactive_status: int = 403
    """The status of account_not_active: 402 on the flight change."""
    stored_body: Callable[[str], str | None] | None = None
    """For searches: reads the answer of an earlier call back from the record that holds it."""
    since: str = ""
    summary: str = ""
    description: str = ""

    @property
    def sells(self) -> str:
        """The product that this operation belongs to, unless it is about a booking that was made."""
        return "" if self.after_sale or self.other_scopes else product_of(self.scope)

    @property
    def scopes(self) -> tuple[str, ...]:
        """Each of them opens it; none for ANY_SCOPE, and where no scope is looked at."""
        return (self.scope, *self.other_scopes) if self.scope not in ("", ANY_SCOPE) else ()

    @property
    def needs_key(self) -> bool:
        return bool(self.scope) or self.sandbox

    @property
    def counts_quota(self) -> bool:
        return bool(self.product)

    def __call__(self, handler: Handler) -> Handler:
        """Declare that `handler` carries out this operation. Its docstring becomes summary and description."""
        summary, _, rest = (handler.__doc__ or self.id).strip().partition("\n")
        declared = replace(self, summary=summary, description=" ".join(rest.split()))
        handler.operation = declared  # type: ignore[attr-defined]
        _declared[declared.id] = declared
        return handler


operation = Operation  # as a decorator
_declared: dict[str, Operation] = {}


def operation_named(operation_id: str) -> Operation | None:
    return _declared.get(operation_id)


def declared_ids() -> list[str]:
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


# --- The query of a request (contract §1): a declared parameter is sent once at most, an undeclared one is ignored and named ----

IGNORED = "X-Ignored-Parameters"
MOST_NAMED = 20
LONGEST_NAME = 64
"""In characters as the header has them. A longer name is left out."""


def refuse_repeated(request: HttpRequest, declared: Iterable[QueryParameter]) -> None:
    """Raises InvalidRequest for parameters that were sent twice, because it is not certain which value was meant."""
    if not request.META.get("QUERY_STRING"):
        return
    repeated = [parameter.name for parameter in declared if len(request.GET.getlist(parameter.name)) > 1]
    if repeated:
        raise InvalidRequest(details=[{"field": name, "message": "must be sent once"} for name in repeated])


def ignored_parameters(request: HttpRequest, declared: Iterable[QueryParameter]) -> list[str]:
    """The names of parameters that the operation does not know, each once, in the order sent."""
    if not request.META.get("QUERY_STRING"):
        return []
    try:
        sent = request.GET
    except SuspiciousOperation:  # more parameters than Django reads
        return []
    known = {parameter.name for parameter in declared}
    return [str(name) for name in sent if name and name not in known]


def named_in_header(names: Iterable[str]) -> str:
    """The first 20 of `names`, with commas. What is not a letter, a digit or one of `-._~[]` is percent-encoded, as in a URL."""
    written = (quote(name, safe="[]", errors="replace") for name in names)
    return ", ".join([name for name in written if len(name) <= LONGEST_NAME][:MOST_NAMED])
