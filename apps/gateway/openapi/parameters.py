"""The parameters that many operations take, each told once: `components.parameters` of the document."""

from typing import Any

from apps.gateway.operations import SINCE, QueryParameter
from apps.gateway.pagination import PAGE_PARAMETERS

IDEMPOTENCY_KEY = "IdempotencyKey"
PAGE_NAMES = {"limit": "PageLimit", "cursor": "PageCursor"}


def of_query(parameter: QueryParameter) -> dict[str, Any]:
    """A query parameter of an operation; those of every list by reference."""
    if parameter in PAGE_PARAMETERS:
        return referred(PAGE_NAMES[parameter.name])
    return _drawn(parameter)


def referred(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/parameters/{name}"}


def _drawn(parameter: QueryParameter) -> dict[str, Any]:
    return {
        "in": "query",
        "name": parameter.name,
        **({"required": True} if parameter.required else {}),
        "schema": dict(parameter.schema),
        "description": parameter.description,
        **({SINCE: parameter.since} if parameter.since else {}),
    }


PARAMETERS: dict[str, dict[str, Any]] = {
    IDEMPOTENCY_KEY: {
        "in": "header",
        "name": "Idempotency-Key",
        "required": True,
        "description": (
            "A new value for each new request, a UUID for instance: 8 to 255 printable ASCII characters. Repeat it only "
            "with the same request: for 24 hours that gets the first call's answer, or goes on with what a 5xx left, and books "
            "nothing twice."
        ),
        "schema": {"type": "string", "minLength": 8, "maxLength": 255, "pattern": "^[!-~][ -~]*[!-~]$"},
    },
    **{PAGE_NAMES[parameter.name]: _drawn(parameter) for parameter in PAGE_PARAMETERS},
}
