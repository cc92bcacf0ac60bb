"""Calls in the log as if they had been made."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import RequestFactory

from apps.accounts.models import Account
from apps.common import clock
from apps.gateway.idempotency import StoredAnswer
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.keys.models import ApiKey
from apps.keys.partner import Partner
from apps.request_log.models import LoggedCall
from apps.request_log.records import record_of
from apps.request_log.selectors import Filters, page_of_calls
from apps.request_log.writer import write

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
PARTNER = Partner("acc_a", "active", "key_a", "test", frozenset(), (), "EUR", 0, secret_id=1)


def record(**changes: Any) -> LoggedCall:
    """Of a read of an account that is in no table."""
    fields = {
        "request_id": uuid.uuid4(),
        "created_at": clock.now(),
        "account_id": "acc_a",
        "environment": "test",
        "key_id": "key_a",
        "secret_id": 1,
        "method": "GET",
        "path": "/v1/account",
        "status": 200,
        "duration_ms": 1.5,
    }
    return LoggedCall(**{**fields, **changes})


def log(key: ApiKey, **changes: Any) -> uuid.UUID:
    """One call with the key."""
    owner = {"account_id": key.account_id, "environment": key.environment, "key_id": key.id}
    secret = {"secret_id": key.secrets.earliest("id").pk}
    logged = record(**{**owner, **secret, **changes})
    assert write([logged]) == 0
    return logged.request_id


def log_many(
    account: Account,
    count: int,
    *,
    error_type: str = "",
    environment: str = "test",
    status: int = 409,
    ms: float = 5,
    ago: timedelta = timedelta(0),
    at: datetime | None = None,
) -> None:
    """Calls of the account, rejected if there is an error type."""
    LoggedCall.objects.bulk_create(
        record(
            created_at=at or clock.now() - ago,
            account_id=account.pk,
            environment=environment,
            status=status if error_type or at else 200,
            error_type=error_type,
            duration_ms=ms,
        )
        for _ in range(count)
    )


def found(key: ApiKey, **filters: Any) -> list[uuid.UUID]:
    page = page_of_calls(key.account_id, key.environment, filters=Filters(**filters))
    return [call.request_id for call in page.rows]


def call(path: str = "/v1/account", *, method: str = "GET", **sent: Any) -> PartnerRequest:
    """Of nobody, and to no operation."""
    request: Any = RequestFactory().generic(method, path, **sent)
    request.request_id = str(uuid.uuid4())
    return PartnerRequest(request)


def ended(made: PartnerRequest, body: object, status: int = 200, *, replayed: bool = False) -> LoggedCall:
    """The record of a call that ended without an exception."""
    if replayed:
        made.stored = StoredAnswer(status, None, "")
    return record_of(made, Answer(body, status), None)
