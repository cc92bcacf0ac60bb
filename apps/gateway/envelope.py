"""Answers and refusals as JSON, and the error envelope (specification §7, contract §1)."""

from collections.abc import Callable, Collection, Mapping
from http.cookies import SimpleCookie
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpResponse
from django.http.response import ResponseHeaders

from apps.common.errors import GatewayError

JSON = "application/json"


def render(body: object) -> bytes:
    """`body` as JSON in UTF-8. Dates and amounts must already have their wire form."""
    return orjson.dumps(body)


def error_body(error: GatewayError, request_id: str) -> dict[str, object]:
    """`{"error": {"type", "message", "requestId", ...extras}}`, with docUrl where the deployment has documentation pages."""
    fields: dict[str, object] = {"type": error.type, "message": error.message, "requestId": request_id}
    if page := doc_url(error.type):
        fields["docUrl"] = page
    return {"error": {**fields, **error.extras}}


class OwnHeaders(ResponseHeaders):
    """Our own numbers and words, which nobody need look through for line feeds."""

    def __init__(self, data: Mapping[str, str]) -> None:
        self._store = {name.lower(): (name, value) for name, value in data.items()}

    def __setitem__(self, name: str, value: Any) -> None:
        self._store[name.lower()] = (name, value)

    def setdefault(self, name: str, value: Any) -> None:
        self._store.setdefault(name.lower(), (name, value))

    def items(self) -> Collection[tuple[str, str]]:  # type: ignore[override]  # Django looks each of them up again
        """As they are sent."""
        found: Collection[tuple[str, str]] = self._store.values()
        return found


class JsonAnswer(HttpResponse):
    """An answer of /v1."""

    shows_secret = False
    """Whether the body shows a secret. It is then not compressed."""

    def __init__(self, content: bytes, *, status: int, headers: Mapping[str, str]) -> None:
        """As Django's, which asks for a charset and doubts status, headers and content: all of them are ours."""
        self.headers = OwnHeaders({"Content-Type": JSON, **headers})
        self.status_code = status
        self.cookies = SimpleCookie()
        self.closed = False
        self._container = [content]
        self._resource_closers: list[Callable[[], None]] = []
        self._charset = self._reason_phrase = self._handler_class = None


def doc_url(error_type: str) -> str:
    """The address of an error type's page; empty where the deployment has no documentation pages."""
    base = settings.DOCS_BASE_URL
    return f"{base.rstrip('/')}/errors/{error_type}" if base else ""


def error_response(error: GatewayError, request_id: str) -> HttpResponse:
    """The response to a refusal that is raised outside a view: in the middleware, for an unknown path, by the framework."""
    return JsonAnswer(render(error_body(error, request_id)), status=error.status_code, headers=error.headers)
