"""The OpenAPI document of /v1: what it holds, how its parts are named, how it is served.

Operations are drawn by `openapi.schema`, bodies and answers by drf-spectacular from their serializers.
"""

from apps.gateway.openapi.components import ENVELOPE, ERROR, ERROR_DETAIL
from apps.gateway.openapi.serving import (
    OpenApiDocument,
    document,
    offered_document,
    written,
)

__all__ = [
    "ENVELOPE",
    "ERROR",
    "ERROR_DETAIL",
    "OpenApiDocument",
    "document",
    "offered_document",
    "written",
]
