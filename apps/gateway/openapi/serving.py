"""GET /v1/openapi.json: the document, drawn once a process."""

import hashlib
import threading
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.generators import SchemaGenerator

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
    """The document as it is sent. The tag is the same in every process of one release."""

    content: bytes
    etag: str


@cache
def written() -> Written:
    """Called as the process starts, so that no request waits for it."""
    content = render(document())
    return Written(content, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


@method_decorator(csrf_exempt, name="dispatch")  # a POST is a wrong method here, not a forgery
class OpenApiDocument(View):
    """Public; describes the 43 operations and not itself."""

    http_method_names = ["get", "head"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method not in {"GET", "HEAD"}:  # Django would take `get` as well
            return self.http_method_not_allowed(request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponseBase:
        found = written()
        response = HttpResponse(found.content, content_type=JSON)
        response["ETag"] = found.etag
        response["Cache-Control"] = "public, max-age=60"
        return get_conditional_response(request, etag=found.etag, response=response) or response
