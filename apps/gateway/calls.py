"""What is noted of a call as it ends: metrics, a log line, its span, and the signal that the request log listens to."""

import logging
import time

from django.dispatch import Signal
from django.http import HttpRequest
from prometheus_client import Counter, Histogram

from apps.common import tracing
from apps.common.errors import GatewayError
from apps.common.metrics import SECONDS
from apps.gateway import trace
from apps.gateway.exceptions import error_body
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.value_forms import method_to_log

logger = logging.getLogger(__name__)

call_ended = Signal(use_caching=True)
"""A call of /v1 or /sandbox has its answer, whether or not it reached a view.

Arguments: `request` (a PartnerRequest) and `response` (an Answer). A receiver must not raise.
"""
NO_OPERATION = "none"
CALLS = Counter("travel_partner_calls", "Calls of /v1, by operation and status.", ["operation", "status"])
CALL_SECONDS = Histogram(
    "travel_partner_call_seconds", "How long calls of /v1 took, by operation.", ["operation"], buckets=SECONDS
)
REFUSALS = Counter(
    "travel_partner_refusals",
    "Calls of /v1 that were refused, by the gate that did it and the error's type.",
    ["gate", "error"],
)


def log(request: PartnerRequest, response: Answer) -> None:
    """Count the call, write its log line and the signal that the request log listens to."""
    count(request, response.status_code)
    describe(request)
    if logger.isEnabledFor(logging.INFO):
        write_line(request, response)
    call_ended.send(PartnerRequest, request=request, response=response)


def end_without_view(request: HttpRequest, error: GatewayError, began: float) -> None:
    """Count and log an unknown path, a body that is too large or a crash outside the steps.

    The key was not read, so no account owns the call.
    """
    call = PartnerRequest(request, started=began)
    call.error = error
    count(call, error.status_code)
    answer = Answer(error_body(error, call.request_id), error.status_code)
    call_ended.send(PartnerRequest, request=call, response=answer)


def describe(request: PartnerRequest) -> None:
    if request.known_operation is not None:
        tracing.rename(request.known_operation.id)
    tracing.note(request_id=request.request_id, replayed=request.stored is not None)
    if partner := request.known_partner:
        tracing.note(account_id=partner.account_id, environment=partner.environment)
    if request.error is not None:
        tracing.fail(request.error)


def write_line(request: PartnerRequest, response: Answer) -> None:
    """One line. `extra` has the steps, as the request log writes them. It has no body, no key and no traveller's name."""
    operation, error, replayed = request.known_operation, request.error, request.stored is not None
    name = operation.id if operation else method_to_log(request.method)
    milliseconds = round((time.monotonic() - request.started) * 1000, 1)
    entry = {
        "requestId": request.request_id,
        "operation": name,
        "keyId": request.known_partner.key_id if request.known_partner else None,
        "status": response.status_code,
        "errorType": error.type if error else None,
        "replayed": replayed,
        "billable": request.billable,
        "via": request.via or None,
        "milliseconds": milliseconds,
        "steps": trace.written(request.trace),
    }
    remark = f" {error.type}" if error else " replayed" if replayed else ""
    logger.info(
        "%s %s%s in %s ms, request %s",
        response.status_code,
        name,
        remark,
        milliseconds,
        request.request_id,
        extra={"call": entry},
    )


def count(request: PartnerRequest, status: int) -> None:
    operation = request.known_operation.id if request.known_operation else NO_OPERATION
    CALLS.labels(operation, str(status)).inc()
    CALL_SECONDS.labels(operation).observe(time.monotonic() - request.started)
    if request.error is not None:
        REFUSALS.labels(gate_of(request), request.error.type).inc()


def gate_of(request: PartnerRequest) -> str:
    """The last step that the call took. `before any view`: it took none."""
    return request.trace[-1].partition(" ")[0] if request.trace else "before any view"
