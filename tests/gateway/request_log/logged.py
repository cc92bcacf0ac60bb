"""Calls in the log as if they had been made, and how the list of a page finds them."""

import uuid
from datetime import UTC, datetime
from typing import Any

import orjson

from apps.gateway.request_log import rows
from apps.gateway.request_log.selectors import Filters, page_of_calls
from apps.keys.models import ApiKey
from tests.gateway.request_log.test_rows import entry

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def log(key: ApiKey, **changes: Any) -> uuid.UUID:
    """One call with the key, as if it had been made."""
    request_id = uuid.uuid4()
    owner = {"account_id": key.account_id, "environment": key.environment, "key_id": key.id}
    secret = {"secret_id": key.secrets.earliest("id").pk}
    written = entry(**{"request_id": request_id, **owner, **secret, **changes})
    rows.write([orjson.dumps(written)])
    return request_id


def found(key: ApiKey, **filters: Any) -> list[uuid.UUID]:
    page = page_of_calls(key.account_id, key.environment, filters=Filters(**filters))
    return [call.request_id for call in page.rows]
