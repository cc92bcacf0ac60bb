"""An entry of the request log: what of a call is kept, made from the call itself once it was answered."""

import re
from dataclasses import dataclass
from datetime import datetime

import orjson
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest

from apps.gateway import sandbox, trace
from apps.gateway.call import Call
from apps.gateway.errors import GatewayError
from apps.gateway.request_log.kept import BOOKING_REFERENCE, KEPT, OWN_ID, UUID
from apps.gateway.request_log.reasons import address_of, idempotency_key_of, owner_of, why
from apps.gateway.request_log.redaction import HIDDEN, outline, redact, redact_refusal
from apps.gateway.routes import Route

MAX_PATH = 255
MAX_USER_AGENT = 200

# What may stand in a path: the words of our own paths, and ids. A name typed where an id belongs goes.
ID_IN_PATH = re.compile(rf"{OWN_ID}|{UUID}")
REFERENCE = re.compile(BOOKING_REFERENCE)
PATH_WORDS = frozenset(
    {
        *("v1", "account", "ledger", "usage", "ping", "openapi.json"),
        *("hotels", "flights", "transfers", "esim", "webhooks", "searches", "offers", "orders", "bookings"),
        *("rates", "plans", "endpoints", "deliveries", "cancel", "change", "change-options", "resend"),
        *("rotate-secret", "test"),
    }
)
PRODUCTS = frozenset({"hotels", "flights", "transfers", "esim", "webhooks", "account"})
BOOKINGS_IN_PATH = frozenset({"bookings", "orders"})
METHODS = frozenset({"GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "CONNECT"})
METHOD = re.compile(r"[A-Z]{1,16}")

QUERY_VALUES = {
    "limit": re.compile(r"[0-9]{1,6}"),
    "page": re.compile(r"[0-9]{1,6}"),
    "pageSize": re.compile(r"[0-9]{1,6}"),
    "cursor": re.compile(r"[A-Za-z0-9_:.-]{1,255}"),
    "status": re.compile(r"[A-Za-z_]{1,16}"),
}
SECRET = re.compile(r"(?:svc_(?:live|test)_|whsec_)[0-9A-Za-z+/=_-]*")


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
        entry["why"] = why(call, error)
    elif kind := _type_of(seen):
        entry["error_type"] = kind
    if seen.replayed:
        entry["replayed"] = True
    if call.trigger.fired:
        entry["trigger_fired"] = True
    may_be_empty = (
        ("query", query_of(request, route)),
        ("client_address", address_of(call)),
        ("user_agent", user_agent_of(request)),
        ("idempotency_key", hide_secrets(idempotency_key_of(call))),
        ("trigger", trigger_of(call)),
        ("booking_id", booking_id),
        ("booking_reference", booking_reference),
        ("request_body", redact(call.body)),
        ("response_body", answer_of(seen)),
    )
    entry.update({name: value for name, value in may_be_empty if value})
    return entry


def method_of(request: HttpRequest) -> str:
    method = request.method or ""
    return method if method in METHODS or METHOD.fullmatch(method) else HIDDEN


def path_of(request: HttpRequest) -> list[str]:
    """The path's parts, those hidden that are neither a word of ours nor an id."""
    return [
        part if not part or part in PATH_WORDS or ID_IN_PATH.fullmatch(part) else HIDDEN
        for part in request.path_info[: 4 * MAX_PATH].split("/")
    ]


def query_of(request: HttpRequest, route: Route | None) -> str:
    """The query's parameters that the operation knows, each with its value where that is of the parameter's form."""
    if route is None or not request.META.get("QUERY_STRING"):
        return ""
    known = {parameter.name for parameter in route.query}
    try:
        sent = request.GET.items()
    except SuspiciousOperation:  # more parameters than Django reads, which was the refusal
        return HIDDEN
    pairs = [f"{name}={value if _may_show(name, value) else HIDDEN}" for name, value in sent if name in known]
    return "&".join(pairs)[:255]


def _may_show(name: str, value: object) -> bool:
    form, judge = QUERY_VALUES.get(name), KEPT.get(name)
    if form is not None:
        return isinstance(value, str) and form.fullmatch(value) is not None
    return judge is not None and judge(value)


def user_agent_of(request: HttpRequest) -> str:
    """As sent, as far as it is printable ASCII; a secret that got into it is hidden."""
    sent = request.META.get("HTTP_USER_AGENT", "")[:MAX_USER_AGENT]
    return hide_secrets(sent) if sent.isascii() and sent.isprintable() else ""


def hide_secrets(sent: str) -> str:
    return SECRET.sub(HIDDEN, sent) if sent else ""


def trigger_of(call: Call) -> str:
    """The sandbox trigger that the call carried, also one that did not apply."""
    sent = call.trigger.value or call.trigger_ignored
    return sent if sent in sandbox.TRIGGERS else ""


def answer_of(seen: Seen) -> dict[str, object] | None:
    """What may be kept of the answer: of a refusal or a change all of it, of a search or a read a few facts, which is cheap.

    A replay is the stored bytes of the first call, whose own entry has them.
    """
    if seen.status >= 400:
        return redact_refusal(seen.body)
    route = seen.call.routes.get(seen.call.method)
    if seen.call.method == "GET" or (route is not None and route.counts_quota):
        return outline(seen.body)
    return redact(seen.body)


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
