"""Refusals on the wire: the error envelope (specification §7, contract §1), and DRF's handler that makes it of an exception."""

import logging
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.db import DatabaseError, InterfaceError
from django.http import HttpResponse

from apps.common import errors
from apps.common.errors import GatewayError
from apps.gateway import faults
from apps.gateway.renderers import JSON, render
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer

logger = logging.getLogger(__name__)


def error_body(error: GatewayError, request_id: str) -> dict[str, object]:
    """`{"error": {"type", "message", "requestId", ...extras}}`, with docUrl where the deployment has documentation pages."""
    fields: dict[str, object] = {"type": error.type, "message": error.message, "requestId": request_id}
    if page := doc_url(error.type):
        fields["docUrl"] = page
    return {"error": {**fields, **error.extras}}


def doc_url(error_type: str) -> str:
    """The address of an error type's page; empty where the deployment has no documentation pages."""
    base = settings.DOCS_BASE_URL
    return f"{base.rstrip('/')}/errors/{error_type}" if base else ""


def error_response(error: GatewayError, request_id: str) -> HttpResponse:
    return HttpResponse(
        render(error_body(error, request_id)),
        status=error.status_code,
        headers={"Content-Type": JSON, **error.headers},
    )


def exception_handler(raised: Exception, context: dict[str, Any]) -> Answer:
    """DRF's EXCEPTION_HANDLER: any exception of a check or an operation, in the envelope."""
    request = context["request"]
    error = from_exception(raised)
    if isinstance(request, PartnerRequest):
        request.error = error
        faults.explain(request, error)
        if isinstance(error, errors.AccountNotActive):  # it may have been stopped since step 8
            error.status_code = request.operation.inactive_status
    return Answer(error_body(error, request.request_id), error.status_code, headers=error.headers)


def from_exception(error: BaseException) -> errors.GatewayError:
    """The refusal for an exception: itself if it is one, 503 while the database is away or too busy, else 500 with a log line.

    A refusal loses its traceback, and what it came from. These hold the frame of the caller, which holds the refusal: the call
    and its whole body would stay in memory until Python next looks for such circles.
    """
    if isinstance(error, errors.GatewayError):
        error.__context__ = error.__cause__ = None
        return error.with_traceback(None)
    if isinstance(error, DisallowedHost):
        return errors.InvalidRequest("The Host header names no address of this service.", ours=True)
    if isinstance(error, SuspiciousOperation):  # Django's own limits: more parameters than it reads
        return errors.InvalidRequest("The request could not be read.", ours=True)
    if isinstance(error, DatabaseError | InterfaceError) and is_passing(error):
        logger.warning("database not available: %s", error)
        return errors.UpstreamUnavailable(
            "An internal service did not respond; try again shortly.", ours=True
        )
    logger.error("unexpected error", exc_info=error)
    return errors.InternalError()


OF_SESSION = frozenset({"25P03", "25006"})
"""A transaction did nothing for too long; or the server takes no writes: in a failover a standby that is not promoted yet."""


def is_passing(error: BaseException) -> bool:
    """Whether a retry may succeed: the database is away, restarts, fails over, or gave up waiting (lock, statement, deadlock)."""
    state = getattr(error.__cause__, "sqlstate", None)
    if state is None:
        return type(error).__name__ in {"OperationalError", "InterfaceError"}
    return state[:2] in {"08", "53", "55", "57", "40"} or state in OF_SESSION
