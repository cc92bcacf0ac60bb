"""A draft of an entry: what is taken from a call as it ends. The writer makes the entries of many drafts one after the other.

Every call waits for its draft and none for its entry. A draft holds no request: with all its objects it would cost the garbage
collector more than the entry does. It holds texts whose length has a bound, as thousands of drafts may wait in a process.
"""

import time
from collections.abc import Set
from datetime import datetime
from typing import NamedTuple

import orjson

from apps.common import clock
from apps.common.errors import GatewayError, listed
from apps.gateway import sandbox, trace
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.client_ip import client_address
from apps.gateway.request_log.headers import MAX_SENT, ignored_of, query_of
from apps.gateway.request_log.redaction import OUTLINE, redact, redact_path, redact_refusal
from apps.gateway.routes import Route
from apps.keys.partner import Partner


class Draft(NamedTuple):
    """A call as it ended. Path and headers are as they were sent."""

    request_id: str
    ended_at: datetime
    seconds: float
    """How long the call took."""
    method: str
    path: str
    status: int
    trace: str
    owner: Partner | None
    """Whose key it was, also where its secret was revoked or has expired."""
    route: Route | None
    billable: bool | None
    client_address: str
    user_agent: str
    idempotency_key: str
    outlined: tuple[object, ...] | None
    """The properties of the answer's body that OUTLINE names, in its order. None where the body is no object."""
    more: bytes
    """The columns that are made at once, as a JSON object. Empty where there are none, as of most reads."""


def draft_of(
    call: Call, answer: Answer, error: GatewayError | None, owner: Partner | None, *, replayed: bool
) -> Draft:
    """The draft of a call that ends now. By position and with few calls of Python, because every call waits for it."""
    seconds = time.monotonic() - call.started
    request, body = call.request, answer.body
    meta = request.META
    return Draft(
        call.request_id,
        clock.now(),
        seconds,
        request.method or "",
        request.path_info[:MAX_SENT],
        answer.status,
        trace.written(call.trace),
        owner,
        call.routes.get(call.method),
        call.billable,
        client_address(request)[:MAX_SENT],
        meta.get("HTTP_USER_AGENT", "")[:MAX_SENT],
        meta.get("HTTP_IDEMPOTENCY_KEY", "")[:MAX_SENT],
        tuple(map(body.get, OUTLINE)) if isinstance(body, dict) else None,
        _more(call, answer, error, replayed=replayed),
    )


def is_outlined(method: str, status: int, route: Route | None) -> bool:
    """Whether a few facts are kept of the answer, as of a search or a read. Of a refusal or a change all that may be is kept."""
    return status < 400 and (method in ("GET", "HEAD") or (route is not None and route.counts_quota))


def _more(call: Call, answer: Answer, error: GatewayError | None, *, replayed: bool) -> bytes:
    """What few calls have, and what is made of bodies: a body may be larger than all that is kept of it."""
    request, route, trigger = call.request, call.routes.get(call.method), call.trigger
    sent = trigger.value or call.trigger_ignored
    query = request.META.get("QUERY_STRING")
    outlined = is_outlined(call.method, answer.status, route)
    if outlined and not (replayed or sent or query or call.body):
        return b""
    more: dict[str, object] = {
        "replayed": replayed,
        "trigger": sent if sent in sandbox.TRIGGERS else "",
        "trigger_fired": trigger.fired,
        "request_body": redact(call.body),
    }
    if error is not None:
        more["error_type"], more["why"] = error.type, why(error)
    elif answer.status >= 400:
        more["error_type"] = type_of(answer.body)
    if not outlined:
        more["response_body"] = kept_of(call, answer, error)
    if query:
        more["query"], more["ignored_parameters"] = query_of(request, route), ignored_of(request, route)
    more = {name: value for name, value in more.items() if value}
    return orjson.dumps(more) if more else b""


def why(error: GatewayError) -> str:
    """The reason that the refusal carries, or the fields that it names."""
    details = error.extras.get("details")
    fields = [redact_path(str(detail["field"])) for detail in details] if isinstance(details, list) else []
    named = listed([field for field in dict.fromkeys(fields) if field])
    return f"What was sent is not valid in {named}." if named else error.why


def type_of(refusal: object) -> str:
    """The type of a refusal that is replayed: nobody raised it this time."""
    told = refusal.get("error") if isinstance(refusal, dict) else None
    return str(told.get("type", "")) if isinstance(told, dict) else ""


def kept_of(call: Call, answer: Answer, error: GatewayError | None) -> dict[str, object] | None:
    """What may be kept of a refusal or of a change's answer.

    A change that is replayed is the stored bytes of the first call, whose own entry has them.
    """
    if answer.status >= 400:
        return redact_refusal(answer.body, own_texts_of(call, answer, error))
    return redact(answer.body)


def own_texts_of(call: Call, answer: Answer, error: GatewayError | None) -> Set[str]:
    """The refusal's texts in which no word is a caller's or a supplier's, as whoever raised it said, now or before a replay."""
    if error is not None:
        return error.own_texts
    return texts_of(answer.body) if call.stored is not None and call.stored.ours else frozenset()


def texts_of(refusal: object) -> Set[str]:
    """The message of an error's envelope, and those of its details."""
    told = refusal.get("error") if isinstance(refusal, dict) else None
    if not isinstance(told, dict):
        return frozenset()
    return {told["message"], *(detail["message"] for detail in told.get("details", ()))}
