"""A refusal in the envelope, as a plain Django client sees it."""

import json
import uuid
from typing import Any


def refusal(response: Any) -> tuple[int, str]:
    """Status and type; the envelope and its request id are asserted."""
    error = json.loads(response.content)["error"]
    assert response["Content-Type"] == "application/json"
    assert error["requestId"] == response["X-Request-Id"] == str(uuid.UUID(error["requestId"]))
    return response.status_code, error["type"]
