"""What surrounds the views: steps 1 to 3 of contract §2, the envelope for requests that reach no view, gzip, safe headers."""

import re
import time
import uuid
from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.template.response import SimpleTemplateResponse
from django.urls import Resolver404, resolve
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_header_parameters
from django.views import defaults

from apps.common import errors, logs
from apps.gateway import calls
from apps.gateway.exceptions import error_response, from_exception
from apps.gateway.renderers import JSON

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
        response = rendered(view(request, **named))
        if isinstance(response, HttpResponse):
            response["Content-Length"] = str(len(response.content))
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response


class GatewayMiddleware:
    """Gives every request its id. A request of /v1, /sandbox or /mcp goes from here to its view, without sessions and cookies.

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
        elif request.path_info == MCP:
            view, _ = view_of(MCP)
            response = view(request)
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
            request.get_host()  # raises DisallowedHost
            view, named = view_of(request.path_info)
            response = rendered(view(request, **named))
        except Resolver404:
            refusal: errors.GatewayError = errors.NotFound(NO_SUCH_PATH, ours=True)
        except Exception as error:
            refusal = from_exception(error)
        else:
            if response.status_code >= 400 and response.get("Content-Type", "") != JSON:
                return replace(response, request_id)
            return response
        calls.end_without_view(request, refusal, began)
        response = error_response(refusal, request_id)
        if isinstance(refusal, errors.PayloadTooLarge) and is_search(request):
            response["X-Search-Billable"] = "false"
        return response


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


def rendered(response: HttpResponseBase) -> HttpResponseBase:
    """As Django's handler does, which these views do not pass."""
    return response.render() if isinstance(response, SimpleTemplateResponse) else response


def is_search(request: HttpRequest) -> bool:
    try:
        view, _ = view_of(request.path_info)
    except Resolver404:
        return False
    operation = getattr(view, "initkwargs", {}).get("operations", {}).get(request.method)
    return operation is not None and operation.counts_quota


def method_as_sent(request: HttpRequest) -> str:
    """The method without Django's upper-casing. Methods are case-sensitive (RFC 9110 §9.1), so `get` is an unknown one."""
    return str(request.META.get("REQUEST_METHOD", ""))


def names_us(request: HttpRequest) -> bool:
    """Whether ALLOWED_HOSTS lists its Host. Logs nothing."""
    try:
        request.get_host()
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


# --- Gzip (contract §2, fine print) -----------------------------------------------------------------------------------

LEAST_BYTES = 1024
"""A shorter answer fits one packet as it is."""
PARTNER_ROUTES = frozenset({"v1", "sandbox"})
MCP = "/mcp"
"""Its view answers everything itself, in JSON-RPC (`apps.mcp.views`)."""
COMPRESSED = frozenset({"application/pdf"})
"""What gzip makes no smaller."""
GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


def is_partner_route(request: HttpRequest) -> bool:
    """Whether the path belongs to /v1 or to /sandbox, where every answer is JSON.

    `//v1/account` (a base address with a slash at its end) and `/V1/account` belong to it, as unknown paths.
    """
    return request.path_info.lstrip("/").partition("/")[0].lower() in PARTNER_ROUTES


def accepts_gzip(request: HttpRequest) -> bool:
    """Whether Accept-Encoding names gzip, and not with a weight of 0."""
    return GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")) is not None


class CompressionMiddleware(GZipMiddleware):
    """Never compresses an answer that shows a secret: its length would reveal the secret letter by letter to anyone who sees it
    and can put text into such answers (BREACH). So the other lengths need no noise, and HEAD has that of GET.
    """

    max_random_bytes = 0

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        content: bytes = getattr(response, "content", b"")
        if not content or not (is_partner_route(request) or request.path_info == MCP):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if len(content) < LEAST_BYTES or getattr(response, "secret", False) or not accepts_gzip(request):
            return response
        if response.get("Content-Type") in COMPRESSED:
            return response
        return super().process_response(request, response)


# --- Headers that Django cannot read safely ----------------------------------------------------------------------------

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
UNREADABLE = "application/x-unreadable"
MAX_TYPE_LENGTH = 512
"""In characters. A boundary, a charset and a few more parameters take less than half of it."""
MAX_COOKIES_LENGTH = 16 * 1024


def with_readable_headers(application: Application) -> Application:
    """`application` with two safe headers, because Django reads them outside every handler.

    Content-Type: a parameter in an unknown encoding raises there, and the answer would not have the envelope. A charset changes
    how even the query is decoded. And the standard library parses the parameters in a time that grows with the square of their
    length: 190 KB take seven seconds, before the key is checked. One that Django may fail on becomes one that step 11 rejects.

    Cookie: a quoted value with backslashes takes quadratic time as well (CVE-2024-7592, fixed in Python 3.11.10): 150 KB take
    half a minute.
    """

    def call(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if "HTTP_COOKIE" in environ:
            environ["HTTP_COOKIE"] = readable_cookies(environ["HTTP_COOKIE"])
        if not is_readable(environ.get("CONTENT_TYPE", "")):
            environ["CONTENT_TYPE"] = UNREADABLE
        return application(environ, start_response)

    return call


def is_readable(content_type: str) -> bool:
    """Whether the parameters are short enough, well-formed, and name no charset but UTF-8."""
    if len(content_type) > MAX_TYPE_LENGTH:
        return False
    try:
        _, parameters = parse_header_parameters(content_type)
    except ValueError:
        return False
    return parameters.get("charset", "utf-8").lower() in {"utf-8", "utf8"}


def readable_cookies(header: str) -> str:
    """The cookies without backslashes, which ours never contain. Empty if there are more than a browser keeps for one site."""
    return "" if len(header) > MAX_COOKIES_LENGTH else header.replace("\\", "")
