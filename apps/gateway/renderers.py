"""Bodies of answers as JSON."""

from collections.abc import Mapping
from typing import Any

import orjson
from rest_framework.renderers import BaseRenderer

JSON = "application/json"


def render(body: object) -> bytes:
    """`body` as JSON in UTF-8. Dates and amounts must already have their wire form. Bytes are a body that was rendered before."""
    return body if isinstance(body, bytes) else orjson.dumps(body)


class OrjsonRenderer(BaseRenderer):
    """The one renderer of /v1. drf-orjson-renderer renders other types as well, and no stored bytes."""

    media_type = JSON
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return b"" if data is None else render(data)
