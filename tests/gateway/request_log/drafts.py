"""Drafts of calls that nobody made, and what their entries say."""

import uuid
from typing import Any

import orjson
from django.test import RequestFactory

from apps.common import clock
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.request_log.draft import Draft, draft_of
from apps.gateway.request_log.entry import serialised
from apps.gateway.request_log.redaction import OUTLINE, outline
from apps.keys.partner import Partner

PARTNER = Partner("acc_a", "active", "key_a", "test", frozenset(), (), "EUR", 0, secret_id=1)


def draft(**changes: Any) -> Draft:
    """Of a read of the account, as it would be without a database."""
    plain = Draft(
        request_id=str(uuid.uuid4()),
        ended_at=clock.now(),
        seconds=0.001,
        method="GET",
        path="/v1/account",
        status=200,
        trace="",
        owner=PARTNER,
        route=None,
        billable=None,
        client_address="",
        user_agent="",
        idempotency_key="",
        outlined=None,
        more=b"",
    )
    return plain._replace(**changes)


def call(path: str = "/v1/account", *, method: str = "GET", **sent: Any) -> Call:
    """Of nobody, and to no operation."""
    return Call(RequestFactory().generic(method, path, **sent), str(uuid.uuid4()), {}, {})


def ended(made: Call, body: object) -> Draft:
    """Of a call that succeeded."""
    return draft_of(made, Answer(body), None, None, replayed=False)


def replay(status: int, body: object, path: str = "/v1/account", **sent: Any) -> Draft:
    return draft_of(call(path, **sent), Answer(body, status), None, None, replayed=True)


def row_of(made: Draft) -> dict[str, Any]:
    """The entry, as a worker reads it."""
    row: dict[str, Any] = orjson.loads(serialised(made))
    return row


def outline_of(body: dict[str, Any]) -> dict[str, object]:
    return outline([body.get(name) for name in OUTLINE])
