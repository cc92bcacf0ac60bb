"""`GatewayViewSet`: the base of every viewset of /v1. What happens around an operation happens here, once."""

from collections.abc import Iterable
from dataclasses import replace
from time import perf_counter_ns
from typing import Any, cast

import orjson
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework import routers
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.common import clock, errors, logs
from apps.gateway import calls, faults, idempotency, operations, sandbox, search_quota, throttling, trace
from apps.gateway.authentication import KeyAuthentication
from apps.gateway.exceptions import error_body, from_exception
from apps.gateway.idempotency import Asked, StoredAnswer
from apps.gateway.operations import Operation, methods_served
from apps.gateway.parsers import StrictJSONParser
from apps.gateway.permissions import (
    AccountActive,
    AddressListed,
    EnvironmentServed,
    MethodTaken,
    Permission,
    ProductOffered,
    ScopeGranted,
)
from apps.gateway.renderers import OrjsonRenderer
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.serializers import validate
from apps.gateway.settlement import settle


class OnlyJson(BaseContentNegotiation):
    """Whatever the client accepts or sends: the parser rejects other types, and there is one renderer."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class OperationViewSet(ViewSet):
    renderer_classes = [OrjsonRenderer]
    content_negotiation_class = OnlyJson
    default_response_headers: dict[str, str] = {}  # DRF would name the methods of the path in each answer

    handle: str = ""
    """What the identifier in the path is, in a sentence of the OpenAPI document."""
    other_handles: dict[str, str] = {}
    operations: dict[str, Operation] = {}
    """The operations of one path, by method in upper case. `as_view` sets it."""

    @classmethod
    def as_view(cls, actions: dict[str, Any] | None = None, **initkwargs: Any) -> Any:
        """The view of one path. Raises AttributeError for an action that is not declared with `@operation`."""
        found = {method.upper(): getattr(cls, name).operation for method, name in (actions or {}).items()}
        return super().as_view(actions, operations=found, **initkwargs)

    def get_renderer_context(self) -> dict[str, Any]:
        """Our renderer needs none, and the request would live as long as a stored answer."""
        return {}

    @classmethod
    def get_extra_actions(cls) -> list[Any]:
        """The extra actions in the order of their declaration. DRF sorts them by name, and the OpenAPI document would too."""
        declared = [name for owner in reversed(cls.__mro__) for name in vars(owner)]
        return sorted(super().get_extra_actions(), key=lambda action: declared.index(action.__name__))


class PublicViewSet(OperationViewSet):
    """Operations that need no key (ping and the probes)."""

    authentication_classes = []

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        served = methods_served(self.operations)
        if request.META["REQUEST_METHOD"] not in served:  # Django writes it in capitals
            raise errors.MethodNotAllowed(headers={"Allow": ", ".join(served)})

    def finalize_response(self, request: Any, response: Any, *args: object, **kwargs: object) -> Response:
        if response.status_code == errors.UpstreamUnavailable.status:
            response.headers.setdefault("Retry-After", str(errors.UpstreamUnavailable.retry_after))
        return super().finalize_response(request, response, *args, **kwargs)


class Replayed(Exception):
    """Ends the checks: this answer is sent again, and the operation is not carried out."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer


class GatewayViewSet(OperationViewSet):
    """The operations of one resource. An action takes the request and the identifiers in the path, and returns an Answer."""

    lookup_url_kwarg = "id"
    authentication_classes = [KeyAuthentication]
    throttle_classes = [throttling.KeyThrottle, throttling.ConcurrencyThrottle]
    parser_classes = [StrictJSONParser]

    def initial(self, request: PartnerRequest, *args: object, **kwargs: object) -> None:  # type: ignore[override]
        """The checks of contract §2 in its order. The first refusal is raised, and the rest is not looked at.

        Steps 1 to 3 (request id, body size, unknown path) come before any view; step 17 is the operation. DRF's own order has
        405 last. Each step is noted in the call's trace.
        """
        logs.enter(request)
        steps = request.trace
        trace.timed(steps, "bearer_key", self.perform_authentication, request)  # step 4: 401
        trace.timed(steps, "environment", self.require, request, EnvironmentServed)  # step 5: 401
        trace.timed(steps, "client_ip", self.require, request, AddressListed)  # step 6: 403
        trace.timed(steps, "method", self.require, request, MethodTaken)  # step 7: 405
        trace.timed(steps, "account_status", self.require, request, AccountActive)  # step 8: 403
        trace.timed(steps, "scope", self.require, request, ProductOffered, ScopeGranted)  # step 9: 403
        trace.timed(steps, "rate_limit", self.check_throttles, request)  # step 10: 429
        trace.timed(steps, "body", self.parse, request)  # step 11: 415, 400
        trace.timed(steps, "idempotency_key", self.check_idempotency_key, request)  # step 12: 400
        trace.timed(steps, "sandbox_trigger", self.read_trigger, request)  # step 13: 400
        trace.timed(steps, "idempotency_claim", self.claim, request)  # step 14: 409, or the stored answer
        if request.stored is not None:
            raise Replayed(replay(request, request.stored))
        trace.timed(steps, "validation", self.validate, request)  # step 15: 400
        trace.timed(steps, "quota", self.take_quota, request)  # step 16: 429
        faults.plan(request)
        request.operation_began = perf_counter_ns()

    # --- The steps. The permissions of 5 to 9 and the throttles of 10 are classes of their own ----------------------------

    def require(self, request: PartnerRequest, *permissions: type[Permission]) -> None:
        for permission in permissions:
            permission().has_permission(request, self)

    @staticmethod
    def parse(request: PartnerRequest) -> None:
        """A GET has no body, whatever was sent."""
        if request.method not in ("GET", "HEAD"):
            request.json = cast("dict[str, object]", request.data) or {}

    @staticmethod
    def check_idempotency_key(request: PartnerRequest) -> None:
        if request.method == "POST":
            idempotency.read_key(request.http)

    @staticmethod
    def read_trigger(request: PartnerRequest) -> None:
        """The sandbox trigger of a test key. An unknown sbx_ value is rejected."""
        request.trigger, request.trigger_ignored = sandbox.read(
            request.META.get(sandbox.SENT_AS),
            environment=request.partner.environment,
            applicable=request.operation.triggers,
        )

    def claim(self, request: PartnerRequest) -> None:
        """Claim the Idempotency-Key, or find the answer of an earlier call with it (`request.stored`).

        A search that will pass step 15 takes its unit of step 16 in the same statement: a round trip less.
        """
        if request.method != "POST":
            return
        claimed = idempotency.claim(
            request.partner,
            idempotency.read_key(request.http),
            idempotency.fingerprint(request.method, request.path, request.json),
            units=request.units
            if request.operation.counts_quota and self.refusal_of_body(request) is None
            else 0,
            asked=Asked(request.operation.id, request.request_id),
        )
        if isinstance(claimed, StoredAnswer):
            request.stored = claimed
        else:
            request.claim, request.quota = claimed, claimed.quota

    def validate(self, request: PartnerRequest) -> None:
        """No query parameter is sent twice, and the body has the fields of its serializer."""
        if refusal := self.refusal_of_body(request):
            raise refusal

    @staticmethod
    def refusal_of_body(request: PartnerRequest) -> errors.InvalidRequest | None:
        """What step 15 will say. It is validated once, and step 14 may ask ahead."""
        if request.validated_data is None and request.invalid is None:
            try:
                operations.refuse_repeated(request.http, request.operation.query)
                body = request.operation.body
                request.validated_data = {} if body is None else validate(body, request.json)
            except errors.InvalidRequest as refused:
                request.invalid = refused
        return request.invalid

    @staticmethod
    def take_quota(request: PartnerRequest) -> None:
        """Take what the call counts of the day's search quota, unless the claim took it. `settle` gives it back if it fails."""
        if not request.operation.counts_quota:
            return
        if request.quota is None or request.quota.unit is None:
            try:
                lapses_at = request.claim.lease_until if request.claim else None
                request.quota = search_quota.take(request.partner, lapses_at, units=request.units)
            except errors.RateLimitExceeded:
                full = search_quota.read(request.partner)
                # Not even one unit was left, whatever was given back meanwhile.
                request.quota = replace(full, used=max(full.used, full.limit)) if request.units == 1 else full
                raise
        request.billable = True

    # --- Around them -------------------------------------------------------------------------------------------------------

    def dispatch(self, request: HttpRequest, *args: object, **path_arguments: str) -> HttpResponseBase:
        """DRF's, for which this thread works until the response. Actions take the identifiers of the path by their order."""
        try:
            return super().dispatch(request, *path_arguments.values())
        finally:
            made = cast("PartnerRequest", self.request)
            if made.is_running:
                throttling.ConcurrencyThrottle.leave(made.partner)
            # Both are circles, which would hold the body until Python next looks for such.
            made.parser_context.clear()
            vars(self).clear()
            clock.enter(None)
            logs.enter(None)

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> PartnerRequest:
        return PartnerRequest(
            request,
            self.operations,
            parsers=self.get_parsers(),
            authenticators=self.get_authenticators(),
            negotiator=self.get_content_negotiator(),
            parser_context=self.get_parser_context(request),
        )

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, Replayed):
            return exc.answer
        self.note_operation(exc)
        return super().handle_exception(exc)

    def note_operation(self, error: Exception | None = None) -> None:
        """Step 17 has ended, if it began."""
        request = cast("PartnerRequest", self.request)
        if request.operation_began:
            trace.note(request.trace, "operation", request.operation_began, error)
            request.operation_began = 0

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Settle quota and claim, log the call, and add every header that contract §2 promises."""
        self.note_operation()
        response = finish(request, response)
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in headers(request).items():
            response[name] = value
        return faults.happen(request, response)


def replay(request: PartnerRequest, stored: StoredAnswer) -> Answer:
    """The stored status and body. In the body of an error, requestId is that of this call, as in its header.

    Raises InternalError if the record that holds the body is gone.
    """
    body = stored.body
    if body is None:
        read = request.operation.stored_body
        text = read(stored.resource) if read is not None else None
        if text is None:
            raise errors.InternalError
        body = text.encode()
    if stored.status >= 400:
        refusal = orjson.loads(body)
        refusal["error"]["requestId"] = request.request_id
        return Answer(refusal, stored.status)
    return Answer(body, stored.status, secret=stored.secret)


def finish(request: PartnerRequest, response: Answer) -> Answer:
    """Settle quota and claim, and log the call. If settling fails, the failure is the answer: no answer is sent unstored."""
    try:
        settle(request, response)
    except Exception as raised:
        request.error = error = from_exception(raised)
        response = Answer(error_body(error, request.request_id), error.status_code, headers=error.headers)
    calls.log(request, response)
    return response


def headers(request: PartnerRequest) -> dict[str, str]:
    """Headers for limits, quota, environment, billing and trigger, as far as the call has come."""
    found: dict[str, str] = {}
    operation, partner = request.known_operation, request.known_partner
    if partner is not None:
        found["X-Environment"] = partner.environment
        request.window = request.window or throttling.window_of(
            throttling.counter_of(partner, request.rate_class)
        )
        found |= quota_headers(request)
    if request.window is not None:
        found |= request.window.headers
    if operation is not None and operation.counts_quota:
        found["X-Search-Billable"] = "true" if request.billable else "false"
    if request.stored is not None:
        found["Idempotent-Replayed"] = "true"
    if request.trigger.fired and not request.trigger.by_dial:
        found["X-Sandbox-Trigger"] = request.trigger.value
    if request.trigger_ignored:
        found["X-Sandbox-Trigger-Ignored"] = request.trigger_ignored
    if operation is not None and partner is not None and request.META.get("QUERY_STRING"):
        ignored = operations.ignored_parameters(request.http, operation.query)
        if names := operations.named_in_header(ignored):
            found[operations.IGNORED] = names
    return found


def quota_headers(request: PartnerRequest) -> dict[str, str]:
    """The day's quota as a step or the operation read it, else read now. No headers while the database is away."""
    try:
        request.quota = request.quota or search_quota.read(request.partner)
    except (DatabaseError, InterfaceError):
        return {}
    return request.quota.headers


class GatewayRouter(routers.SimpleRouter):
    """The paths of a resource, without a trailing slash: the collection, one record of it, and the extra actions of both.

    Identifiers may have any form; a malformed one is an unknown one.
    """

    def __init__(self) -> None:
        super().__init__(trailing_slash=False, use_regex_path=False)


class SingletonRouter(GatewayRouter):
    """The paths of a resource that exists once (the account): it is read at the prefix itself, its extra actions below it."""

    routes = [
        routers.Route(
            url="{prefix}", mapping={"get": "retrieve"}, name="{basename}-detail", detail=True, initkwargs={}
        ),
        routers.DynamicRoute(
            url="{prefix}/{url_path}", name="{basename}-{url_name}", detail=True, initkwargs={}
        ),
    ]
