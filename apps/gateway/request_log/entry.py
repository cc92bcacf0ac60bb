"""An entry of the request log, made of its draft: what the log keeps of a call that was answered."""

import re
from collections.abc import Sequence
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

import orjson

from apps.gateway.idempotency_key import WELL_FORMED
from apps.gateway.request_log.draft import Draft, is_outlined
from apps.gateway.request_log.headers import address_to_log, key_to_log, method_to_log, user_agent_to_log
from apps.gateway.request_log.redaction import HIDDEN, OUTLINE, outline
from apps.gateway.request_log.value_forms import BOOKING_REFERENCE, OWN_ID, UUID

MAX_PATH = 255

# What may stand in a path: the words of our own paths, and ids. One with a prefix of ours is an id even if it is none that was
# made: a wrong id is what people look for. A name typed where an id belongs goes.
OF_OUR_FORM = r"(?:acc|change|eord|esp|etop|evt|ford|fsr|hbk|hsr|htl|offer|quote|rate|slice|tord|tsr|we|whd)_[0-9A-Za-z_-]{1,40}"
ID_IN_PATH = re.compile(rf"{OWN_ID}|{UUID}|{OF_OUR_FORM}")
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
ID, NAMED = OUTLINE.index("id"), OUTLINE.index("reference")


class Path(NamedTuple):
    """What a path says."""

    shown: str
    """With what is neither a word of ours nor an id hidden."""
    product: str
    booking_id: str


def serialised(draft: Draft) -> bytes:
    """The entry as a JSON object. Raises where something in it has no JSON form, which no part of it should."""
    entry = orjson.dumps(entry_of(draft))
    return entry[:-1] + b"," + draft.more[1:] if draft.more else entry


def entry_of(draft: Draft) -> dict[str, object]:
    """The row that `rows` writes, by the names of its columns, without those that the draft has in `more`.

    What is empty is left out, which most of a row is.
    """
    owner, route, path = draft.owner, draft.route, path_of(draft.path)
    entry: dict[str, object] = {
        "request_id": draft.request_id,
        "created_at": draft.ended_at - timedelta(seconds=draft.seconds),
        "duration_ms": round(draft.seconds * 1000, 1),
        "method": method_to_log(draft.method),
        "path": path.shown,
        "status": draft.status,
        "trace": draft.trace,
        "client_address": address_to_log(draft.client_address),
        "user_agent": user_agent_to_log(draft.user_agent),
    }
    if owner is not None:
        entry["account_id"] = owner.account_id
        entry["environment"] = owner.environment
        entry["key_id"] = owner.key_id
        entry["secret_id"] = owner.secret_id
    if route is not None:
        entry["operation"] = route.id
        if route.counts_quota:
            entry["billable"] = bool(draft.billable)
    if path.product:
        entry["product"] = path.product
    if WELL_FORMED.fullmatch(draft.idempotency_key):
        entry["idempotency_key"] = key_to_log(draft.idempotency_key)
    if draft.outlined is not None:
        entry.update(_of_the_answer(draft, draft.outlined))
    if path.booking_id and "booking_id" not in entry:
        entry["booking_id"] = path.booking_id
    return entry


def _of_the_answer(draft: Draft, outlined: Sequence[object]) -> dict[str, object]:
    """The booking that was made, read or altered, and the few facts that are kept of a search or a read."""
    found: dict[str, object] = {}
    id_, reference = outlined[ID], outlined[NAMED]
    if isinstance(id_, str) and isinstance(reference, str) and REFERENCE.fullmatch(reference):
        found = {"booking_id": id_, "booking_reference": reference}
    if is_outlined(draft.method, draft.status, draft.route) and (kept := outline(outlined)):
        found["response_body"] = kept
    return found


@lru_cache(1_024)
def path_of(sent: str) -> Path:
    """What the path says. Remembered, because most calls are made to a few paths."""
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
