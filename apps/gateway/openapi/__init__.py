"""The OpenAPI documents of /v1 and of /sandbox: what they hold, how their parts are named, how they are served.

Operations are drawn by `openapi.schema`, bodies and answers by drf-spectacular from their serializers.
"""

from apps.gateway.openapi.components import ENVELOPE, ERROR, ERROR_DETAIL
from apps.gateway.openapi.serving import (
    OpenApiDocument,
    document,
    offered_document,
    sandbox_document,
    written,
)

__all__ = [
    "ENVELOPE",
    "ERROR",
    "ERROR_DETAIL",
    "OpenApiDocument",
    "document",
    "offered_document",
    "sandbox_document",
    "written",
]
