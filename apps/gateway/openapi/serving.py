"""GET /v1/openapi.json: the document, drawn once a process."""

import gzip
import hashlib
import threading
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator

from apps.gateway import compression
from apps.gateway.envelope import JSON, render

_drawing = threading.Lock()


def document() -> dict[str, Any]:
    """The whole document, made once a process; drf-spectacular cannot draw it in two threads at once."""
    with _drawing:
        return _drawn()


@cache
def _drawn() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


@dataclass(frozen=True, slots=True)
class Written:
    """The document as it is sent, in one coding. The tag is that of these bytes."""

    content: bytes
    etag: str
    coding: str = ""
    """What Content-Encoding says."""

    @classmethod
    def of(cls, content: bytes, coding: str = "") -> Self:
        return cls(content, f'"{hashlib.sha256(content).hexdigest()[:32]}"', coding)


@cache
def written() -> Written:
    """Called as the process starts, so that no request waits for it. The tag is the same in every process of one release."""
    return Written.of(render(document()))


@cache
def written_compressed() -> Written:
    """Called as the process starts as well. Made once, so at the level that gains most."""
    return Written.of(gzip.compress(written().content, 9, mtime=0), "gzip")


@method_decorator(csrf_exempt, name="dispatch")  # a POST is a wrong method here, not a forgery
class OpenApiDocument(View):
    """Public; describes the 43 operations and not itself."""

    http_method_names = ["get", "head"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method not in {"GET", "HEAD"}:  # Django would take `get` as well
            return self.http_method_not_allowed(request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        accepted = compression.least_bytes(request.headers.get("Accept-Encoding", ""))
        found = written() if accepted is None else written_compressed()
        response = HttpResponse(found.content, content_type=JSON)
        response["ETag"] = found.etag
        response["Cache-Control"] = "public, max-age=60"
        response["Vary"] = "Accept-Encoding"
        if found.coding:
            response["Content-Encoding"] = found.coding
        return get_conditional_response(request, etag=found.etag, response=response) or response
