"""One call of /v1 for one tool call: through every check of the gateway, in this process, logged with `via: "mcp"`."""

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Any
from urllib.parse import urlencode

import orjson
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.bookings.presenters import OfferSteps
from apps.common import clock, errors
from apps.gateway.authentication import BEARER
from apps.gateway.exceptions import error_body, from_exception
from apps.gateway.faults import LostAnswer
from apps.gateway.middleware import MCP, GatewayMiddleware, rendered
from apps.gateway.openapi.serving import document
from apps.gateway.operations import ANY_SCOPE, Operation, QueryParameter, RateClass
from apps.gateway.renderers import JSON
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet
from apps.keys import authentication
from apps.keys.partner import Partner
from apps.transfers import presenters
from apps.transfers.selectors import QuotedSearch, quoted_transfer

NOT_PASSED_ON = frozenset({"HTTP_IDEMPOTENCY_KEY", "HTTP_CONTENT_ENCODING", "HTTP_ACCEPT_ENCODING"})
IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,64}")
PLACEHOLDER = re.compile(r"\{[^}]+\}")
TRANSFER_QUOTE = "readTransferQuote"
"""A read that /v1 does not have: the price and terms of a transfer that was searched for."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer of a call: its status and body. `lost`: the sandbox was asked to lose it on its way (the faults dial)."""

    status: int
    body: dict[str, Any]
    lost: bool = False

    @property
    def is_refusal(self) -> bool:
        return self.status >= 400

    @property
    def error(self) -> dict[str, Any]:
        error: dict[str, Any] = self.body["error"]
        return error

    @classmethod
    def of(cls, error: errors.GatewayError, request_id: str) -> "Outcome":
        return cls(error.status_code, error_body(error, request_id))


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    operation: Mapping[str, Any]
    """As the OpenAPI document has it."""


@cache
def routes() -> dict[str, Route]:
    """Of every operation, by its id."""
    return {
        operation["operationId"]: Route(method.upper(), path, operation)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
        if isinstance(operation, dict) and "operationId" in operation
    }


def call(
    request: HttpRequest,
    operation_id: str,
    *,
    identifier: str = "",
    query: Mapping[str, str] | None = None,
    body: object = None,
    key: str = "",
) -> Outcome:
    """Carry out an operation for the caller of `request`. A POST gets a random Idempotency-Key unless `key` names one."""
    if operation_id == TRANSFER_QUOTE:
        return read_transfer_quote(request, identifier)
    route = routes()[operation_id]
    if identifier and not IDENTIFIER.fullmatch(identifier):
        return Outcome.of(errors.NotFound(), request_id_of(request))
    inner = inner_request(
        request,
        route.method,
        PLACEHOLDER.sub(identifier, route.path),
        query=query,
        body=body,
        key=key or str(uuid.uuid4()),
    )
    return outcome_of(GatewayMiddleware.answer(inner))


def inner_request(
    request: HttpRequest,
    method: str,
    path: str,
    *,
    query: Mapping[str, str] | None = None,
    body: object = None,
    key: str = "",
) -> HttpRequest:
    """A request of the same caller: key, address, trace and sandbox trigger are those of `request`."""
    raw = b"" if body is None else json.dumps(body).encode()
    environ = {name: value for name, value in request.META.items() if name not in NOT_PASSED_ON}
    environ |= {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": urlencode(query or {}),
        "CONTENT_TYPE": JSON,
        "CONTENT_LENGTH": str(len(raw)),
        "wsgi.input": BytesIO(raw),
    }
    if method == "POST":
        environ["HTTP_IDEMPOTENCY_KEY"] = key
    inner = WSGIRequest(environ)
    # The first call has the id that the answer shows. The rare second one needs its own: the request log has each id once.
    has_called = hasattr(request, "has_called")
    inner.request_id = str(uuid.uuid4()) if has_called else request_id_of(request)  # type: ignore[attr-defined]
    inner.via = "mcp"  # type: ignore[attr-defined]
    request.has_called = True  # type: ignore[attr-defined]
    return inner


def outcome_of(response: HttpResponseBase) -> Outcome:
    assert isinstance(response, HttpResponse)
    body = orjson.loads(response.content)
    return Outcome(response.status_code, body, lost=isinstance(response, LostAnswer))


def request_id_of(request: HttpRequest) -> str:
    return str(getattr(request, "request_id", ""))


def partner_of(request: HttpRequest) -> Partner | None:
    """Whose key it is; None for one that is refused. Counts nothing: a call of /v1 follows, which does."""
    header = BEARER.fullmatch(request.META.get("HTTP_AUTHORIZATION", "").strip())
    if header is None:
        return None
    try:
        return authentication.authenticate(header[1])
    except errors.GatewayError:
        return None


# --- What tools need besides the operations of /v1 ------------------------------------------------------------------


class AssistantViewSet(GatewayViewSet):
    """Reads that pass the checks of the gateway as an operation does. Only this module calls them: they have no address."""

    def admit(self, request: PartnerRequest) -> Answer:
        partner = request.partner
        return Answer({"scopes": sorted(partner.scopes), "environment": partner.environment})

    admit.operation = Operation(  # type: ignore[attr-defined]
        "listAssistantTools", scope=ANY_SCOPE, rate_class=RateClass.READ, answer=None
    )

    def transfer_quote(self, request: PartnerRequest) -> Answer:
        quoted = quoted_transfer(request.partner, request.http.GET["quoteId"])
        now = clock.now(request.partner)
        search = QuotedSearch(quoted.id, now, now, request.partner.markup_bp, quoted.request, [quoted.offer])
        steps, journey = OfferSteps(since=now, now=now), presenters.journey_json(quoted.request)
        return Answer(presenters.offer_json(quoted.offer, quoted.id, search, steps, journey))

    transfer_quote.operation = Operation(  # type: ignore[attr-defined]
        TRANSFER_QUOTE,
        scope="transfers:search",
        rate_class=RateClass.READ,
        answer=None,
        query=(QueryParameter("quoteId", {"type": "string"}, "The quote."),),
    )


admitting = AssistantViewSet.as_view({"get": "admit"})
quoting = AssistantViewSet.as_view({"get": "transfer_quote"})


def admit(request: HttpRequest) -> Outcome:
    """The scopes and the environment of the key, or the refusal of a check."""
    return answered(admitting, inner_request(request, "GET", MCP))


def read_transfer_quote(request: HttpRequest, quote_id: str) -> Outcome:
    return answered(quoting, inner_request(request, "GET", MCP, query={"quoteId": quote_id}))


def answered(view: Any, inner: HttpRequest) -> Outcome:
    try:
        return outcome_of(rendered(view(inner)))
    except Exception as raised:
        return Outcome.of(from_exception(raised), request_id_of(inner))
