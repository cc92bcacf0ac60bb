"""What the document says of the service as a whole, and the hooks of drf-spectacular that complete and order it."""

from typing import Any

from django.conf import settings

from apps.gateway.openapi.components import ENVELOPE, ERROR, ERROR_DETAIL, HEADERS, PARAMETERS, responses

SUMMARY = "Hotels, flights, transfers and eSIM data plans through one API"

# Relative here, so that what is committed and compared is the same everywhere. Where it is served, it is PUBLIC_BASE_URL.
SERVERS = [
    {
        "url": "/",
        "description": "Test and live share this address: the API key decides whether a call moves money.",
    }
]

TAGS = [
    {
        "name": "account",
        "description": "The account of the key: status, balance, limits, ledger, searches used",
    },
    {"name": "operations", "description": "The outcome of a POST, by its Idempotency-Key"},
    {"name": "bookings", "description": "Bookings of all products in one list, by trip or by days of travel"},
    {"name": "trips", "description": "One document of all bookings of a trip"},
    {"name": "places", "description": "Find cities, airports, hotels and landmarks as a user types"},
    {"name": "hotels", "description": "Search stays, read a rate again, book, read bookings back, cancel"},
    {
        "name": "flights",
        "description": "Search offers, price one again, order tickets, read orders back, change a slice, cancel",
    },
    {"name": "transfers", "description": "Search rides between two places, order, read orders back, cancel"},
    {
        "name": "esim",
        "description": "Read the catalogue of data plans, order a profile, read orders and usage",
    },
    {
        "name": "webhooks",
        "description": "Endpoints that receive events; deliveries, attempts, tests and resends",
    },
    {"name": "events", "description": "Everything that happened, in an order that never changes"},
    {"name": "ping", "description": "Whether the API responds; needs no key"},
    {"name": "health", "description": "Health of the service, for its operator; needs no key"},
]

SANDBOX_SUMMARY = "Control a test environment: its clock, funds, faults and bookings"
SANDBOX_TAGS = [{"name": "sandbox", "description": SANDBOX_SUMMARY}]

SECURITY_SCHEMES = {
    "apiKey": {
        "type": "http",
        "scheme": "bearer",
        "description": (
            "An API key from the portal, sent as `Authorization: Bearer <key>`. `svc_test_…` works on test data and books "
            "nothing, `svc_live_…` books and costs money. A key has scopes; the `security` of an operation lists the one that "
            "it needs."
        ),
    }
}

LICENSE = {"name": "Proprietary; see the agreement with the owner", "identifier": "LicenseRef-Proprietary"}


def described(info: dict[str, Any]) -> dict[str, Any]:
    """`info`, with who answers for the service. The address and the terms are the deployment's."""
    support, terms = settings.SUPPORT_EMAIL, settings.TERMS_URL
    return {
        "title": info["title"],
        "version": info["version"],
        "summary": SUMMARY,
        "description": info["description"],
        **({"termsOfService": terms} if terms else {}),
        "contact": {"name": "Support", **({"email": support} if support else {})},
        "license": LICENSE,
    }


# --- The hooks ------------------------------------------------------------------------------------------------------

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
Endpoint = tuple[str, str, str, Any]


def without_sandbox(endpoints: list[Endpoint]) -> list[Endpoint]:
    """A drf-spectacular preprocessing hook: the controls of the sandbox are no part of /v1, and of no client made from it."""
    return [endpoint for endpoint in endpoints if not endpoint[0].startswith("/sandbox/")]


def only_sandbox(endpoints: list[Endpoint]) -> list[Endpoint]:
    """A drf-spectacular preprocessing hook: the document of the sandbox has nothing else."""
    return [endpoint for endpoint in endpoints if endpoint[0].startswith("/sandbox/")]


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


def complete_sandbox(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """As `complete`, for the document of the sandbox."""
    whole = complete(result)
    return {**whole, "info": {**whole["info"], "summary": SANDBOX_SUMMARY}, "tags": SANDBOX_TAGS}


def beside_references(result: dict[str, Any], **kwargs: object) -> dict[str, Any]:
    """A drf-spectacular postprocessing hook: what is said of a reference stands beside it, as OpenAPI 3.1 allows.

    drf-spectacular wraps the reference in an `allOf` of one, which generators of code take for a type of its own.
    """
    _unwrap(result)
    return result


def _unwrap(node: Any) -> None:
    if isinstance(node, dict):
        match node.get("allOf"):
            case [{"$ref": reference}]:
                rest = {name: value for name, value in node.items() if name != "allOf"}
                node.clear()
                node.update({"$ref": reference} | rest)
        for below in node.values():
            _unwrap(below)
    elif isinstance(node, list):
        for below in node:
            _unwrap(below)
