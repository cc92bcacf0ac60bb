"""The span of a whole call of /v1: its operation, how it ended, and whose it was."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from apps.common.errors import GatewayError
from apps.common.tracing import spans
from apps.gateway.call import Call
from apps.gateway.request_log.headers import method_to_log

UNNAMED = "no operation"
"""The name of a call that was refused before its operation was known."""


def traced(answer: Callable[[HttpRequest], HttpResponseBase], request: HttpRequest) -> HttpResponseBase:
    """The answer, as a span of the caller's trace or the first of a new one. The caller hears nothing of it."""
    span = spans.begin_trace(UNNAMED, spans.SERVER, request.META.get("HTTP_TRACEPARENT", ""))
    if span is None:
        return answer(request)
    spans.note(request_id=request.request_id)  # type: ignore[attr-defined]

    def answered() -> HttpResponseBase:
        response = answer(request)
        span.attributes["http.response.status_code"] = response.status_code
        return response

    return spans.carry_out(span, answered)


def describe(call: Call, *, replayed: bool, error: GatewayError | None) -> None:
    """What is known of the call as it ends."""
    span = spans.current()
    if span is None:
        return
    span.name = call.route.id if call.method in call.routes else UNNAMED
    span.attributes["http.request.method"] = method_to_log(call.request.method or "")
    if call.partner_found is not None:
        partner = call.partner_found
        spans.note(account_id=partner.account_id, environment=partner.environment)
    if replayed:
        spans.note(replayed=True)
    if error is not None:
        spans.fail(span, error)
