"""What the document holds beside the operations, and the order of its parts: the hooks of drf-spectacular."""

from typing import Any

from apps.gateway.openapi.about import SECURITY_SCHEMES, SERVERS, TAGS, described
from apps.gateway.openapi.error_schemas import ENVELOPE, ERROR, ERROR_DETAIL
from apps.gateway.openapi.headers import HEADERS
from apps.gateway.openapi.parameters import PARAMETERS
from apps.gateway.openapi.refusals import responses

METHODS = ("GET", "POST", "PATCH", "DELETE")
Endpoint = tuple[str, str, str, Any]
"""Path, path as a pattern, method, view."""


def without_sandbox(endpoints: list[Endpoint]) -> list[Endpoint]:
    """A drf-spectacular preprocessing hook: the controls of the sandbox are no part of /v1, and of no client made from it."""
    return [endpoint for endpoint in endpoints if not endpoint[0].startswith("/sandbox/")]


def in_order_of_methods(endpoints: list[Endpoint]) -> list[Endpoint]:
    """A drf-spectacular preprocessing hook: paths stay in the order of the URL map, and the methods of each get a fixed one.

    drf-spectacular takes a viewset's methods from a set, whose order differs between processes. The document's ETag must not.
    """
    paths = {path: position for position, (path, *_) in reversed(list(enumerate(endpoints)))}
    return sorted(endpoints, key=lambda endpoint: (paths[endpoint[0]], METHODS.index(endpoint[2])))


def complete(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook: the rest of the document, and its parts in reading order."""
    components = result.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas |= {"ErrorEnvelope": ENVELOPE, "ApiError": ERROR, "ApiErrorDetail": ERROR_DETAIL}
    components |= {
        "responses": responses(),
        "headers": HEADERS,
        "parameters": PARAMETERS,
        "securitySchemes": SECURITY_SCHEMES,
    }
    for operations in result["paths"].values():
        for operation in operations.values():
            operation.setdefault("security", [])  # drf-spectacular leaves out that no key is needed
    return {
        "openapi": result["openapi"],
        "info": described(result["info"]),
        "servers": SERVERS,
        "tags": TAGS,
        "paths": result["paths"],
        "components": components,
    }
