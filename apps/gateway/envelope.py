"""Answers and refusals as JSON, and the error envelope (specification §7, contract §1)."""

from collections.abc import Mapping

import orjson
from django.conf import settings
from django.http import HttpResponse

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


def json_response(content: bytes, *, status: int, headers: Mapping[str, str]) -> HttpResponse:
    """An answer of /v1, as rendered."""
    return HttpResponse(content, status=status, headers={"Content-Type": JSON, **headers})


def doc_url(error_type: str) -> str:
    """The address of an error type's page; empty where the deployment has no documentation pages."""
    base = settings.DOCS_BASE_URL
    return f"{base.rstrip('/')}/errors/{error_type}" if base else ""


def error_response(error: GatewayError, request_id: str) -> HttpResponse:
    """The response to a refusal that is raised outside a view: in the middleware, for an unknown path, by the framework."""
    return json_response(
        render(error_body(error, request_id)), status=error.status_code, headers=error.headers
    )
