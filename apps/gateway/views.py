"""`GatewayViewSet`: the base of every viewset of /v1. What happens around an operation happens here, once."""

from collections.abc import Callable

from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from apps.accounts import clocks
from apps.common import logs
from apps.common.errors import AccountNotActive, GatewayError
from apps.gateway import concurrency, faults, rate_limits, search_quota, steps
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.envelope import error_body, json_response
from apps.gateway.finish import finish
from apps.gateway.middleware import from_exception
from apps.gateway.query import IGNORED, ignored_parameters, named_in_header
from apps.gateway.replay import replay
from apps.gateway.trace import timed
from apps.gateway.viewsets import OperationViewSet


class GatewayViewSet(OperationViewSet):
    """The operations of one resource. An action takes the call and the identifier in the path, and returns an Answer."""

    lookup_url_kwarg = "id"

    def initial(self, call: Call) -> None:  # type: ignore[override]  # DRF's own takes its request, and is not called
        """The checks of contract §2 in its order. The first refusal is raised, and the rest is not looked at.

        Steps 1 to 3 (request id, body size, unknown path) come before any view; step 17 is the operation.
        """
        steps.bearer_key(call)  # step 4: 401
        steps.environment(call)  # step 5: 401 wrong_environment
        steps.client_ip(call)  # step 6: 403 ip_not_allowed
        steps.method(call)  # step 7: 405
        steps.account_status(call)  # step 8: 403 account_not_active
        steps.scope(call)  # step 9: 403 product_not_offered, insufficient_scope
        steps.rate_limit(call)  # step 10: 429
        steps.body(call)  # step 11: 415, 400
        steps.idempotency_key(call)  # step 12: 400 idempotency_key_required
        steps.sandbox_trigger(call)  # step 13: 400
        steps.idempotency_claim(call)  # step 14: 409, or the stored answer
        if call.stored is None:
            steps.validation(call)  # step 15: 400
            steps.quota(call)  # step 16: 429

    def dispatch(self, request: HttpRequest, *args: object, **path_arguments: str) -> HttpResponseBase:
        """Check the call, carry its operation out or replay the stored answer, and settle what follows from that."""
        try:
            return self.answered(request, path_arguments)
        finally:
            clocks.enter(None)
            logs.enter(None)

    def answered(self, request: HttpRequest, path_arguments: dict[str, str]) -> HttpResponseBase:
        """The answer of `dispatch`. From step 4 on this thread works for whoever calls."""
        call = Call(request, request.request_id, self.routes, path_arguments)  # type: ignore[attr-defined]
        logs.enter(call)
        try:
            return self.carried_out(call)
        finally:
            if call.is_counted_as_running:
                concurrency.leave(call.partner)

    def carried_out(self, call: Call) -> HttpResponseBase:
        """The checks, the operation, and what follows from both."""
        error: GatewayError | None = None
        try:
            self.initial(call)
            answer = self.operate(call) if call.stored is None else replay(call, call.stored)
        except Exception as raised:
            error = from_exception(raised)
            faults.explain(call, error)
            answer = Answer(error_body(error, call.request_id), error.status_code)
        replayed = call.stored is not None
        answer, error = finish(call, answer, error, replayed=replayed)
        response = respond(call, answer, error, replayed=replayed)
        return faults.happen(call, response) if has_faults(call) else response

    def operate(self, call: Call) -> Answer:
        """Step 17: the operation itself. The account may have been stopped since step 8."""
        if call.partner.faults:
            faults.plan(call)
        action: Callable[..., Answer] = getattr(self, self.names[call.method])
        arguments = call.path_arguments.values()
        try:
            return timed("operation", lambda call: action(call, *arguments), call, call.trace)
        except AccountNotActive as refused:
            refused.status_code = call.route.inactive_status
            raise


def has_faults(call: Call) -> bool:
    """Whether a fault may happen to the answer. Controls of the sandbox have none: whoever set the dial can set it back."""
    return (
        call.partner_found is not None
        and bool(call.partner.faults)
        and not call.request.path.startswith("/sandbox")
    )


def respond(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> HttpResponse:
    """The answer as an HTTP response, with every header that contract §2 promises."""
    content = b"" if answer.body is None else answer.content
    response = json_response(content, status=answer.status, headers=headers(call, error, replayed=replayed))
    response.shows_secret = answer.secret  # type: ignore[attr-defined]  # for CompressionMiddleware
    if answer.status == 204:
        del response["Content-Type"]
    return response


def headers(call: Call, error: GatewayError | None, *, replayed: bool) -> dict[str, str]:
    """Headers for limits, quota, environment, billing and trigger, as far as the call has come."""
    found: dict[str, str] = dict(error.headers) if error else {}
    if call.partner_found is not None:
        found["X-Environment"] = call.partner.environment
        call.window = call.window or rate_limits.peek(call.partner, steps.rate_class_of(call))
        found |= quota_headers(call)
    if call.window is not None:
        found |= call.window.headers
    if call.method in call.routes and call.route.counts_quota:
        found["X-Search-Billable"] = "true" if call.billable else "false"
    if replayed:
        found["Idempotent-Replayed"] = "true"
    if call.trigger.fired and not call.trigger.by_dial:
        found["X-Sandbox-Trigger"] = call.trigger.value
    if call.trigger_ignored:
        found["X-Sandbox-Trigger-Ignored"] = call.trigger_ignored
    if call.request.META.get("QUERY_STRING") and (names := ignored_names(call)):
        found[IGNORED] = names
    return found


def ignored_names(call: Call) -> str:
    """The parameters that the operation ignored. Nothing where no operation, or nobody, is known to be calling."""
    if call.partner_found is None or call.method not in call.routes:
        return ""
    return named_in_header(ignored_parameters(call.request, call.route.query))


def quota_headers(call: Call) -> dict[str, str]:
    """The day's quota as a step or the operation read it, else read now. No headers while the database is away."""
    try:
        call.quota = call.quota or search_quota.read(call.partner)
    except (DatabaseError, InterfaceError):
        return {}
    return call.quota.headers
