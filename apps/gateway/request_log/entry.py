"""An entry of the request log: what it keeps of a call that was answered."""

import re
from collections.abc import Set
from dataclasses import dataclass
from datetime import datetime

import orjson
from django.http import HttpRequest

from apps.common.errors import GatewayError, listed
from apps.gateway import sandbox, trace
from apps.gateway.call import Call
from apps.gateway.client_ip import client_address
from apps.gateway.idempotency_key import WELL_FORMED
from apps.gateway.request_log.headers import (
    address_to_log,
    ignored_of,
    key_to_log,
    method_of,
    query_of,
    user_agent_of,
)
from apps.gateway.request_log.redaction import HIDDEN, outline, redact, redact_path, redact_refusal
from apps.gateway.request_log.value_forms import BOOKING_REFERENCE, OWN_ID, UUID
from apps.keys.partner import Partner

MAX_PATH = 255

# What may stand in a path: the words of our own paths, and ids. A name typed where an id belongs goes.
ID_IN_PATH = re.compile(rf"{OWN_ID}|{UUID}")
REFERENCE = re.compile(BOOKING_REFERENCE)
PATH_WORDS = frozenset(
    {
        *("v1", "account", "ledger", "usage", "ping", "openapi.json", "operations", "events"),
        *("hotels", "flights", "transfers", "esim", "webhooks", "searches", "offers", "orders", "bookings"),
        *("rates", "plans", "endpoints", "deliveries", "cancel", "change", "change-options", "resend"),
        *("rotate-secret", "test", "topups", "instructions", "schedule-changes", "accept"),
        *("sandbox", "clock", "reset", "funds", "faults", "simulate"),
    }
)
PRODUCTS = frozenset({"hotels", "flights", "transfers", "esim", "webhooks", "account"})
BOOKINGS_IN_PATH = frozenset({"bookings", "orders"})


@dataclass(slots=True)
class Seen:
    """A call as it ended."""

    call: Call
    status: int
    body: object
    """The answer's body, as the operation gave it."""
    error: GatewayError | None
    replayed: bool
    created_at: datetime
    duration_ms: float

    @property
    def is_owned(self) -> bool:
        return owner_of(self.call, self.error) is not None


def serialised(seen: Seen) -> bytes:
    """The entry as JSON. Raises where something in it has no JSON form, which no part of it should."""
    return orjson.dumps(entry_of(seen))


def entry_of(seen: Seen) -> dict[str, object]:
    """The row that `drain` writes, by the names of its columns. What is empty is left out, which most of a row is."""
    call, error = seen.call, seen.error
    request, owner = call.request, owner_of(call, error)
    route = call.routes.get(call.method)
    path = path_of(request)
    booking_id, booking_reference = booking_of(path, seen.body)
    entry: dict[str, object] = {
        "request_id": call.request_id,
        "created_at": seen.created_at,
        "duration_ms": seen.duration_ms,
        "method": method_of(request),
        "path": "/".join(path)[:MAX_PATH],
        "status": seen.status,
        "trace": trace.written(call.trace),
    }
    if owner is not None:
        entry["account_id"] = owner.account_id
        entry["environment"] = owner.environment
        entry["key_id"] = owner.key_id
        entry["secret_id"] = owner.secret_id
    if route is not None:
        entry["operation"] = route.id
        if route.counts_quota:
            entry["billable"] = bool(call.billable)
    if len(path) > 2 and path[2] in PRODUCTS:
        entry["product"] = path[2]
    if error is not None:
        entry["error_type"] = error.type
        entry["why"] = why(error)
    elif kind := _type_of(seen):
        entry["error_type"] = kind
    if seen.replayed:
        entry["replayed"] = True
    if call.trigger.fired:
        entry["trigger_fired"] = True
    may_be_empty: tuple[tuple[str, object], ...] = (
        ("client_address", address_of(call)),
        ("user_agent", user_agent_of(request)),
        ("idempotency_key", key_to_log(idempotency_key_of(call))),
        ("trigger", trigger_of(call)),
        ("booking_id", booking_id),
        ("booking_reference", booking_reference),
        ("request_body", redact(call.body)),
        ("response_body", answer_of(seen)),
    )
    if request.META.get("QUERY_STRING"):
        may_be_empty += (
            ("query", query_of(request, route)),
            ("ignored_parameters", ignored_of(request, route)),
        )
    entry.update({name: value for name, value in may_be_empty if value})
    return entry


def owner_of(call: Call, error: GatewayError | None) -> Partner | None:
    """Whose key it was, also where its secret was revoked or has expired."""
    return call.partner_found or getattr(error, "owner", None)


def why(error: GatewayError) -> str:
    """The reason that the refusal carries, or the fields that it names."""
    details = error.extras.get("details")
    fields = [redact_path(str(detail["field"])) for detail in details] if isinstance(details, list) else []
    named = listed([field for field in dict.fromkeys(fields) if field])
    return f"What was sent is not valid in {named}." if named else error.why


def address_of(call: Call) -> str:
    """Where the call came from, if that is an address."""
    return address_to_log(client_address(call.request))


def idempotency_key_of(call: Call) -> str:
    """The Idempotency-Key as sent, where it could be one."""
    sent: str = call.request.META.get("HTTP_IDEMPOTENCY_KEY", "")
    return sent if sent and WELL_FORMED.fullmatch(sent) else ""


def path_of(request: HttpRequest) -> list[str]:
    """The path's parts, those hidden that are neither a word of ours nor an id."""
    return [
        part if not part or part in PATH_WORDS or ID_IN_PATH.fullmatch(part) else HIDDEN
        for part in request.path_info[: 4 * MAX_PATH].split("/")
    ]


def trigger_of(call: Call) -> str:
    """The sandbox trigger that the call carried, also one that did not apply."""
    sent = call.trigger.value or call.trigger_ignored
    return sent if sent in sandbox.TRIGGERS else ""


def answer_of(seen: Seen) -> dict[str, object] | None:
    """What may be kept of the answer: of a refusal or a change all of it, of a search or a read a few facts, which is cheap.

    A replay is the stored bytes of the first call, whose own entry has them.
    """
    if seen.status >= 400:
        return redact_refusal(seen.body, own_texts_of(seen))
    route = seen.call.routes.get(seen.call.method)
    if seen.call.method == "GET" or (route is not None and route.counts_quota):
        return outline(seen.body)
    return redact(seen.body)


def own_texts_of(seen: Seen) -> Set[str]:
    """The refusal's texts in which no word is a caller's or a supplier's, as whoever raised it said, now or before a replay."""
    if seen.error is not None:
        return seen.error.own_texts
    stored = seen.call.stored
    return texts_of(seen.body) if stored is not None and stored.ours else frozenset()


def texts_of(refusal: object) -> Set[str]:
    """The message of an error's envelope, and those of its details."""
    told = refusal.get("error") if isinstance(refusal, dict) else None
    if not isinstance(told, dict):
        return frozenset()
    return {told["message"], *(detail["message"] for detail in told.get("details", ()))}


def booking_of(path: list[str], body: object) -> tuple[str, str]:
    """Id and reference of the booking that was made, read or altered; empty where there is none."""
    if isinstance(body, dict):
        id_, reference = body.get("id"), body.get("reference")
        if isinstance(reference, str) and REFERENCE.fullmatch(reference) and isinstance(id_, str):
            return id_, reference
    if len(path) > 4 and path[3] in BOOKINGS_IN_PATH and path[4] != HIDDEN:
        return path[4], ""
    return "", ""


def _type_of(seen: Seen) -> str:
    """The type of a refusal that is replayed: nobody raised it this time."""
    if seen.status < 400 or not isinstance(seen.body, dict):
        return ""
    told = seen.body.get("error")
    return str(told.get("type", "")) if isinstance(told, dict) else ""
