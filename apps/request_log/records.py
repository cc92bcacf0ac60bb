"""The record of a call: what the request log keeps of it, made as the call ends.

A record holds no request and no answer, but only redacted texts of bounded length: thousands of records may wait in a process.
"""

import re
import time
from collections.abc import Mapping, Set
from datetime import timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from apps.common import clock
from apps.common.errors import GatewayError
from apps.gateway import sandbox, trace, value_forms
from apps.gateway.client_ip import address_to_log, client_address
from apps.gateway.idempotency import WELL_FORMED
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.value_forms import HIDDEN, method_to_log
from apps.keys.partner import Partner
from apps.request_log.models import LoggedCall
from apps.request_log.redaction import (
    IN_OUR_WORDS,
    ignored_of,
    key_to_log,
    outline,
    query_of,
    redact,
    redact_path,
    redact_refusal,
    user_agent_to_log,
)

MAX_PATH = 255
MAX_SENT = 1_024

# What may stand in a path: the words of our own paths, and ids. A value with one of our prefixes counts as an id even if no such
# id was ever issued, because a wrong id is what readers look for. A name typed in place of an id is hidden.
OF_OUR_FORM = r"(?:acc|change|eord|esp|etop|evt|ford|fsr|hbk|hsr|htl|offer|quote|rate|slice|tord|tsr|we|whd)_[0-9A-Za-z_-]{1,40}"
MONTH = "[0-9]{4}-(?:0[1-9]|1[0-2])"
ID_IN_PATH = re.compile(rf"{value_forms.OWN_ID}|{value_forms.UUID}|{OF_OUR_FORM}|{MONTH}")
PATH_WORDS = frozenset(
    {
        *(
            "v1",
            "account",
            "ledger",
            "usage",
            "statements",
            "ping",
            "openapi.json",
            "operations",
            "events",
            "places",
            "trips",
        ),
        *("hotels", "flights", "transfers", "esim", "webhooks", "searches", "offers", "orders", "bookings"),
        *(
            "rates",
            "properties",
            "plans",
            "endpoints",
            "deliveries",
            "cancel",
            "change",
            "change-options",
            "resend",
        ),
        *("rotate-secret", "test", "topups", "instructions", "schedule-changes", "accept"),
        *(
            "services",
            "seat-maps",
            "pay",
            "cancellation-quote",
            "correct-guest",
            "min-rates",
            "refund-requests",
        ),
        *("document", "sandbox", "clock", "reset", "funds", "faults", "simulate", "mcp"),
    }
)
PRODUCTS = frozenset({"hotels", "flights", "transfers", "esim", "webhooks", "account"})
BOOKINGS_IN_PATH = frozenset({"bookings", "orders"})


def record_of(request: PartnerRequest, response: Answer, owner: Partner | None) -> LoggedCall:
    """The record of a call that ends now. `owner`: whose key it was, even if its secret was revoked or has expired."""
    seconds = time.monotonic() - request.started
    meta, operation, error = request.META, request.known_operation, request.error
    path = path_of(request.http.path_info[:MAX_SENT])
    record = LoggedCall(
        request_id=UUID(request.request_id),
        created_at=clock.now() - timedelta(seconds=seconds),
        duration_ms=round(seconds * 1000, 1),
        method=method_to_log(request.method),
        path=path.redacted,
        product=path.product,
        status=response.status_code,
        trace=trace.written(request.trace),
        replayed=request.stored is not None,
        client_address=address_to_log(client_address(request.http)),
        user_agent=user_agent_to_log(meta.get("HTTP_USER_AGENT", "")[:MAX_SENT]),
        request_body=redact(request.json),
        response_body=_response_body(request, response),
    )
    if owner is not None:
        record.account_id, record.environment = owner.account_id, owner.environment
        record.key_id, record.secret_id = owner.key_id, owner.secret_id
    if operation is not None:
        record.operation = operation.id
        record.billable = bool(request.billable) if operation.counts_quota else None
        if meta.get("QUERY_STRING"):
            record.query = query_of(request.http, operation)
            record.ignored_parameters = ignored_of(request.http, operation)
    if error is not None:
        record.error_type, record.why = error.type, why(error)
    elif response.status_code >= 400:
        record.error_type = str(_error_of(response.data).get("type", ""))  # replayed: nothing was raised
    sent = request.trigger.value or request.trigger_ignored
    if sent in sandbox.TRIGGERS:
        record.trigger, record.trigger_fired = sent, request.trigger.fired
    idempotency_key = meta.get("HTTP_IDEMPOTENCY_KEY", "")
    if WELL_FORMED.fullmatch(idempotency_key):
        record.idempotency_key = key_to_log(idempotency_key)
    record.booking_id, record.booking_reference = booking_of(response.data) or (path.booking_id, "")
    return record


MOST_REASONS = 3


def why(error: GatewayError) -> str:
    """The reason that the error carries, or what it says of the first fields: `checkIn must not be in the past`."""
    details = error.extras.get("details")
    if not isinstance(details, list) or not details:
        return error.why
    reasons = list(dict.fromkeys(reason(detail["field"], detail["message"]) for detail in details))
    more = f"; and {len(reasons) - MOST_REASONS} more" if len(reasons) > MOST_REASONS else ""
    return "; ".join(reasons[:MOST_REASONS]) + more


def reason(field: object, message: object) -> str:
    """`checkIn must not be in the past`. A message that quotes what was sent is not kept."""
    said = str(message) if IN_OUR_WORDS.fullmatch(str(message)) else "is not valid"
    return f"{redact_path(str(field))} {said}".strip()


def booking_of(body: object) -> tuple[str, str] | None:
    if not isinstance(body, dict):
        return None
    id_, reference = body.get("id"), body.get("reference")
    if isinstance(id_, str) and isinstance(reference, str) and value_forms.IS_REFERENCE(reference):
        return id_, reference
    return None


def _response_body(request: PartnerRequest, response: Answer) -> dict[str, object] | None:
    """Of a search or a read a few facts; of a refusal or a change all that the allow-list admits.

    A change that is replayed is the stored bytes of the first call, whose own record has them.
    """
    if response.status_code >= 400:
        return redact_refusal(response.data, _own_texts(request, response))
    operation = request.known_operation
    if request.method in ("GET", "HEAD") or (operation is not None and operation.counts_quota):
        return outline(response.data)
    return redact(response.data)


def _own_texts(request: PartnerRequest, response: Answer) -> Set[str]:
    """The texts of the error body without a word of the caller or a supplier, as the error states, now or before a replay."""
    if request.error is not None:
        return request.error.own_texts
    body = _error_of(response.data)
    if request.stored is None or not request.stored.ours or not body:
        return frozenset()
    return {body["message"], *(detail["message"] for detail in body.get("details", ()))}


def _error_of(body: object) -> Mapping[str, Any]:
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}


class Path(NamedTuple):
    redacted: str
    """With everything hidden that is neither a word of ours nor an id."""
    product: str
    booking_id: str


@lru_cache(1_024)
def path_of(sent: str) -> Path:
    parts = [
        part if not part or part in PATH_WORDS or ID_IN_PATH.fullmatch(part) else HIDDEN
        for part in sent.split("/")
    ]
    is_booking = len(parts) > 4 and parts[3] in BOOKINGS_IN_PATH and parts[4] != HIDDEN
    return Path(
        "/".join(parts)[:MAX_PATH],
        parts[2] if len(parts) > 2 and parts[2] in PRODUCTS else "",
        parts[4] if is_booking else "",
    )
