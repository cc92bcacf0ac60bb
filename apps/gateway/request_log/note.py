"""Hands calls to the request log: at their end, and where they are refused before any view."""

from django.conf import settings
from django.http import HttpRequest

from apps.common.errors import GatewayError
from apps.gateway import call_metrics
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.envelope import error_body
from apps.gateway.request_log import writer


def call_ended(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> None:
    """Logs a call that reached a view of /v1, whatever its answer."""
    if settings.REQUEST_LOG:
        writer.log_call(call, answer, error, replayed=replayed)


def refused_before_any_view(request: HttpRequest, request_id: str, error: GatewayError, began: float) -> None:
    """Logs an unknown path, a body that is too large or a crash outside the steps. The key was not read: nobody owns the call."""
    call = Call(request, request_id, {}, {}, started=began)
    call_metrics.count(call, error.status_code, error)
    if settings.REQUEST_LOG:
        answer = Answer(error_body(error, request_id), error.status_code)
        writer.log_call(call, answer, error, replayed=False)
