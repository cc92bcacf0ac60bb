"""Where a call is taken down for the request log: at its end, and where it is refused before any view."""

import time
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest

from apps.common import clock
from apps.gateway.call import Answer, Call
from apps.gateway.envelope import error_body
from apps.gateway.errors import GatewayError
from apps.gateway.request_log import writer
from apps.gateway.request_log.entry import Seen


def call_ended(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> None:
    """Every call that reached a view of /v1, whatever came of it."""
    if settings.REQUEST_LOG:
        _take_down(call, answer, error, replayed=replayed)


def refused_before_any_view(request: HttpRequest, request_id: str, error: GatewayError, began: float) -> None:
    """An unknown path, a body too large, a crash outside the steps. The key was not looked at: it is nobody's call."""
    if settings.REQUEST_LOG:
        call = Call(request, request_id, {}, {}, started=began)
        answer = Answer(error_body(error, request_id), error.status_code)
        _take_down(call, answer, error, replayed=False)


def _take_down(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> None:
    seconds = time.monotonic() - call.started
    began_at = clock.now() - timedelta(seconds=seconds)
    milliseconds = round(seconds * 1000, 1)
    writer.take_down(Seen(call, answer.status, answer.body, error, replayed, began_at, milliseconds))
