"""What a request meets before any view, and the envelope for what never reaches one (contract §2, steps 1 to 3)."""

import logging
import time
import uuid
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost, SuspiciousOperation
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from apps.gateway import errors
from apps.gateway.envelope import JSON, error_response
from apps.gateway.request_log import note

logger = logging.getLogger(__name__)

NO_SUCH_PATH = "There is no such path. Paths end without a slash; /v1/openapi.json lists them all."

BY_STATUS: dict[int, type[errors.GatewayError]] = {
    400: errors.InvalidRequest,
    403: errors.IpNotAllowed,
    404: errors.NotFound,
    405: errors.MethodNotAllowed,
    413: errors.PayloadTooLarge,
    415: errors.UnsupportedMediaType,
    503: errors.UpstreamUnavailable,
}


class GatewayMiddleware:
    """Gives every request its id. /v1 goes from here to its view, past sessions, cookies and all else that is for pages:

    what is too large or unknown is refused, and nothing leaves without the envelope.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.request_id = str(uuid.uuid4())  # type: ignore[attr-defined]
        if is_partner_route(request):
            response = self.answer(request)
            if isinstance(response, HttpResponse) and response.status_code != 204:
                response["Content-Length"] = str(len(response.content))
        else:
            response = self.get_response(request)
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response

    @staticmethod
    def answer(request: HttpRequest) -> HttpResponseBase:
        request_id: str = request.request_id  # type: ignore[attr-defined]
        began = time.monotonic()
        try:
            refuse_unreadable_length(request)
            request.get_host()  # raises for a name that is none of ours
            view, arguments, named = resolve(request.path_info)
            response: HttpResponseBase = view(request, *arguments, **named)
        except Resolver404:
            refusal: errors.GatewayError = errors.NotFound(NO_SUCH_PATH)
        except Exception as error:
            refusal = from_exception(error)
        else:
            if response.status_code >= 400 and response.get("Content-Type", "") != JSON:
                return replace(response, request_id)
            return response
        note.refused_before_any_view(request, request_id, refusal, began)
        return error_response(refusal, request_id)


def is_partner_route(request: HttpRequest) -> bool:
    """Whether the path belongs to /v1, where nothing but JSON ever answers.

    One that merely means /v1 (`//v1/account` of a base address that ends with a slash, `/V1/account`) is an unknown path of it.
    """
    return request.path_info.lstrip("/").partition("/")[0].lower() == "v1"


def refuse_unreadable_length(request: HttpRequest) -> None:
    """Step 2: over 256 KiB is 413, told from Content-Length alone; a body of unknown length is not read at all."""
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        raise errors.InvalidRequest("Send the body with a Content-Length, not chunked.")
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdigit()):
        raise errors.InvalidRequest("Content-Length is not a number.")
    if len(length) > 9 or int(length) > settings.MAX_BODY_BYTES:
        raise errors.PayloadTooLarge


def replace(response: HttpResponseBase, request_id: str) -> HttpResponse:
    """A framework-made refusal (a method that a plain view does not take) in the envelope, its own text left out."""
    error_class = BY_STATUS.get(response.status_code)
    if error_class is None:
        error_class = errors.InvalidRequest if response.status_code < 500 else errors.InternalError
    refusal = error_response(error_class(), request_id)
    if response.has_header("Allow"):
        refusal["Allow"] = response["Allow"]
    return refusal


def from_exception(error: BaseException) -> errors.GatewayError:
    """The refusal that an exception becomes: its own, 503 while the database is away or too busy, else 500 and a log line."""
    if isinstance(error, errors.GatewayError):
        return error
    if isinstance(error, DisallowedHost):
        return errors.InvalidRequest("The Host header names no address of this service.")
    if isinstance(error, SuspiciousOperation):  # Django's own limits: more parameters than it reads
        return errors.InvalidRequest("The request could not be read.")
    if isinstance(error, DatabaseError | InterfaceError) and is_passing(error):
        logger.warning("database not available: %s", error)
        return errors.UpstreamUnavailable("An internal service did not answer; try again shortly.")
    logger.error("unexpected error", exc_info=error)
    return errors.InternalError()


def is_passing(error: BaseException) -> bool:
    """Whether the database is away, restarting, or gave up waiting (lock, statement, deadlock): worth another try."""
    state = getattr(error.__cause__, "sqlstate", None)
    if state is None:
        return type(error).__name__ in {"OperationalError", "InterfaceError"}
    return state[:2] in {"08", "53", "55", "57", "40"} or state == "25P03"
