"""The gateway's middleware: steps 1 to 3 of contract §2, and the envelope for requests that reach no view."""

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
from django.views import defaults

from apps.common import errors, logs
from apps.gateway import call_metrics
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.compression import is_partner_route
from apps.gateway.envelope import JSON, error_body, error_response
from apps.gateway.signals import call_ended

logger = logging.getLogger(__name__)

NO_SUCH_PATH = "There is no such path. Paths end without a slash; /v1/openapi.json lists them all."


PROBES = frozenset({"/health", "/health/ready", "/metrics"})
"""Answered whatever the Host header says, which they use for nothing. They show nothing of this deployment, but to its token."""

BY_STATUS: dict[int, type[errors.GatewayError]] = {
    400: errors.InvalidRequest,
    403: errors.IpNotAllowed,
    404: errors.NotFound,
    405: errors.MethodNotAllowed,
    413: errors.PayloadTooLarge,
    415: errors.UnsupportedMediaType,
    503: errors.UpstreamUnavailable,
}


class ProbesOfAnyHost:
    """Answers a balancer that asks by address. What follows would refuse its Host."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info not in PROBES or names_us(request):
            return self.get_response(request)
        request.request_id = str(uuid.uuid4())  # type: ignore[attr-defined]
        view, named = view_of(request.path_info)
        response = view(request, **named)
        if isinstance(response, HttpResponse):
            response["Content-Length"] = str(len(response.content))
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response


class GatewayMiddleware:
    """Gives every request its id. A request of /v1 or /sandbox goes from here straight to its view, without sessions and cookies.

    A body that is too large and an unknown path are refused here. Every refusal has the envelope.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.request_id = str(uuid.uuid4())  # type: ignore[attr-defined]
        if is_partner_route(request):
            request.method = method_as_sent(request)
            response = self.answer(request)
            if isinstance(response, HttpResponse) and response.status_code not in {204, 304}:
                response["Content-Length"] = str(len(response.content))
            response.headers.setdefault("Cache-Control", "no-store")
        else:
            logs.enter(logs.Known({"requestId": request.request_id}))  # type: ignore[attr-defined]
            try:
                response = self.get_response(request)
            finally:
                logs.enter(None)
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response

    @staticmethod
    def answer(request: HttpRequest) -> HttpResponseBase:
        request_id: str = request.request_id  # type: ignore[attr-defined]
        began = time.monotonic()
        try:
            refuse_unreadable_length(request)
            refuse_other_hosts(request)
            view, named = view_of(request.path_info)
            response: HttpResponseBase = view(request, **named)
        except Resolver404:
            refusal: errors.GatewayError = errors.NotFound(NO_SUCH_PATH, ours=True)
        except Exception as error:
            refusal = from_exception(error)
        else:
            if response.status_code >= 400 and response.get("Content-Type", "") != JSON:
                return replace(response, request_id)
            return response
        end_without_view(request, request_id, refusal, began)
        response = error_response(refusal, request_id)
        if isinstance(refusal, errors.PayloadTooLarge) and is_search(request):
            response["X-Search-Billable"] = "false"
        return response


def end_without_view(request: HttpRequest, request_id: str, error: errors.GatewayError, began: float) -> None:
    """Counts and logs an unknown path, a body that is too large or a crash outside the steps.

    The key was not read, so no account owns the call.
    """
    call = Call(request, request_id, {}, {}, started=began)
    call_metrics.count(call, error.status_code, error)
    answer = Answer(error_body(error, request_id), error.status_code)
    call_ended.send(Call, call=call, answer=answer, error=error, replayed=False)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """`handler400`: for what is refused in front of this middleware, such as a Host that cannot be led to https."""
    if not is_partner_route(request):
        return defaults.bad_request(request, exception)
    request_id = str(uuid.uuid4())
    response = error_response(from_exception(exception), request_id)
    response["X-Request-Id"], response["Cache-Control"] = request_id, "no-store"
    return response


View = Callable[..., HttpResponseBase]
_views: dict[tuple[str, str], View] = {}
"""The views of paths without an identifier: as many as the URL map has. Resolving tries one pattern after the other."""


def view_of(path: str) -> tuple[View, dict[str, str]]:
    """The view of a path, and the identifiers in it. Raises Resolver404."""
    known = _views.get((settings.ROOT_URLCONF, path))
    if known is not None:
        return known, {}
    view, _, named = resolve(path)
    if not named:
        _views[settings.ROOT_URLCONF, path] = view
    return view, named


def is_search(request: HttpRequest) -> bool:
    """Whether the request is for an operation that counts against the search quota."""
    try:
        view, _ = view_of(request.path_info)
    except Resolver404:
        return False
    route = getattr(view, "initkwargs", {}).get("routes", {}).get(request.method)
    return route is not None and route.counts_quota


def method_as_sent(request: HttpRequest) -> str:
    """The method without Django's upper-casing. Methods are case-sensitive (RFC 9110 §9.1), so `get` is an unknown one."""
    return str(request.META.get("REQUEST_METHOD", ""))


_hosts: set[tuple[str, tuple[str, ...]]] = set()
"""Hosts that were let in, each with the ALLOWED_HOSTS that let it in."""
MAX_HOSTS = 1_000


def refuse_other_hosts(request: HttpRequest) -> None:
    """Raises DisallowedHost for a Host that ALLOWED_HOSTS does not list."""
    asked = request.META.get("HTTP_HOST", ""), tuple(settings.ALLOWED_HOSTS)
    if asked not in _hosts:
        request.get_host()
        if asked[0] and len(_hosts) < MAX_HOSTS:
            _hosts.add(asked)


def names_us(request: HttpRequest) -> bool:
    """Whether ALLOWED_HOSTS lists its Host. Logs nothing."""
    try:
        refuse_other_hosts(request)
    except DisallowedHost:
        return False
    return True


def refuse_unreadable_length(request: HttpRequest) -> None:
    """Step 2. Raises PayloadTooLarge over 256 KiB by Content-Length, and InvalidRequest for a body of unknown length."""
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        raise errors.InvalidRequest("Send the body with a Content-Length, not chunked.", ours=True)
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdigit()):
        raise errors.InvalidRequest("Content-Length is not a number.", ours=True)
    if len(length) > 9 or int(length) > settings.MAX_BODY_BYTES:
        raise errors.PayloadTooLarge.above(settings.MAX_BODY_BYTES)


def replace(response: HttpResponseBase, request_id: str) -> HttpResponse:
    """A refusal that the framework made (a method that a plain view does not take), in the envelope and without its own text."""
    error_class = BY_STATUS.get(response.status_code)
    if error_class is None:
        error_class = errors.InvalidRequest if response.status_code < 500 else errors.InternalError
    refusal = error_response(error_class(), request_id)
    if response.has_header("Allow"):
        refusal["Allow"] = response["Allow"]
    return refusal


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
        return errors.UpstreamUnavailable("An internal service did not answer; try again shortly.", ours=True)
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
