"""GET /v1/openapi.json, and what the document holds beside the operations: the envelope and the security scheme."""

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

ENVELOPE: dict[str, Any] = {
    "type": "object",
    "description": "Every failure. Branch on `type`, never on `message`; ignore fields and types you do not know.",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "type": {"type": "string", "description": "Machine-readable and stable"},
                "message": {"type": "string"},
                "requestId": {"type": "string", "description": "Equals X-Request-Id"},
                "docUrl": {"type": "string"},
                "details": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"field": {"type": "string"}, "message": {"type": "string"}},
                        "required": ["field", "message"],
                    },
                },
                "detailsOmitted": {
                    "type": "integer",
                    "description": "How many details are left out; absent where all are given",
                    "x-since": "1.2",
                },
            },
            "required": ["type", "message", "requestId"],
            "additionalProperties": True,
        }
    },
    "required": ["error"],
}


METHODS = ("GET", "POST", "PATCH", "DELETE")
Endpoint = tuple[str, str, str, Any]
"""Path, path as a pattern, method, view."""


def in_order_of_methods(endpoints: list[Endpoint]) -> list[Endpoint]:
    """A drf-spectacular preprocessing hook: paths stay in the order of the URL map, and the methods of each get a fixed one.

    drf-spectacular takes a viewset's methods from a set, whose order differs between processes. The document's ETag must not.
    """
    paths = {path: position for position, (path, *_) in reversed(list(enumerate(endpoints)))}
    return sorted(endpoints, key=lambda endpoint: (paths[endpoint[0]], METHODS.index(endpoint[2])))


def complete(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook."""
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["ErrorEnvelope"] = ENVELOPE
    components["securitySchemes"] = {
        "apiKey": {
            "type": "http",
            "scheme": "bearer",
            "description": "Your API key: `svc_test_…` or `svc_live_…`",
        }
    }
    return result


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
