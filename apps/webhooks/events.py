"""Events: the catalogue of their types, and how they are written.

An event is written in the transaction of the fact that it reports: a booking that is rolled back leaves no event behind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from django.db import connection, transaction

from apps.accounts import clocks
from apps.common import clock, sql, tracing
from apps.common.clock import rfc3339
from apps.webhooks import wakeups
from apps.webhooks.models import new_delivery_id, new_event_id

BOOKING_CONFIRMED = "booking.confirmed"

BOOKING_CANCELLED = "booking.cancelled"

BOOKING_CHANGED = "booking.changed"

BOOKING_SCHEDULE_CHANGED = "booking.schedule_changed"

BOOKING_SUPPLIER_CHANGED = "booking.supplier_changed"

BOOKING_APPROVAL_REQUESTED = "booking.approval_requested"

BOOKING_APPROVAL_DECIDED = "booking.approval_decided"

BOOKING_REJECTED = "booking.rejected"

BOOKING_HOLD_EXPIRING = "booking.hold_expiring"

BOOKING_HOLD_EXPIRED = "booking.hold_expired"

PAYMENT_REFUNDED = "payment.refunded"

AIRLINE_CREDIT_ISSUED = "airline_credit.issued"

ESIM_PROVISIONED = "esim.provisioned"

ESIM_TOPPED_UP = "esim.topped_up"

ESIM_DATA_LOW = "esim.data_low"

ESIM_STATUS_CHANGED = "esim.status_changed"

ESIM_REFUND_DECIDED = "esim.refund_decided"

BALANCE_LOW = "balance.low"

TEST = "webhook.test"
"""Sent by the test operation only. Not in the catalogue: it cannot be subscribed to."""


@dataclass(frozen=True, slots=True)
class EventType:
    """One type of the catalogue. `note` states when it is sent, or what to use instead if it never is."""

    name: str
    note: str
    emitted: bool = False
    subscribable: bool = True
    since: str = ""
    """The release that added it; nothing for what was there in 1.1."""


CATALOGUE = (
    EventType(BOOKING_CONFIRMED, "The supplier confirmed a hotel, flight or transfer booking.", emitted=True),
    EventType(BOOKING_CANCELLED, "You or the supplier cancelled a booking.", emitted=True),
    EventType(
        BOOKING_CHANGED,
        "You changed dates, legs, rooms, services or names of a booking.",
        emitted=True,
        since="1.3",
    ),
    EventType(
        BOOKING_SCHEDULE_CHANGED,
        "The airline changed the times, number, airport or carrier of a flight.",
        emitted=True,
        since="1.2",
    ),
    EventType(
        BOOKING_SUPPLIER_CHANGED,
        "The supplier changed a hotel booking or a transfer.",
        emitted=True,
        since="1.2",
    ),
    EventType(
        BOOKING_APPROVAL_REQUESTED,
        "A booking or a payment waits for approval in the portal.",
        emitted=True,
        since="1.3",
    ),
    EventType(
        BOOKING_APPROVAL_DECIDED,
        "A request for approval was approved, declined or cancelled, or it expired.",
        emitted=True,
        since="1.3",
    ),
    EventType(
        BOOKING_REJECTED,
        "A booking without a final status was not made; its hold is released.",
        emitted=True,
        since="1.2",
    ),
    EventType(
        BOOKING_HOLD_EXPIRING,
        "A flight order on hold must be paid within six hours.",
        emitted=True,
        since="1.3",
    ),
    EventType(
        BOOKING_HOLD_EXPIRED, "A flight order on hold was not paid in time.", emitted=True, since="1.3"
    ),
    EventType(PAYMENT_REFUNDED, "Money of a booking was returned to your balance.", emitted=True),
    EventType(
        AIRLINE_CREDIT_ISSUED,
        "The airline issued credit for a cancelled flight order.",
        emitted=True,
        since="1.3",
    ),
    EventType(ESIM_PROVISIONED, "An eSIM is ready to install.", emitted=True),
    EventType(ESIM_TOPPED_UP, "A plan was added to an eSIM.", emitted=True, since="1.2"),
    EventType(
        ESIM_DATA_LOW,
        "An eSIM has little data or few days left; sent once per level.",
        emitted=True,
        since="1.3",
    ),
    EventType(
        ESIM_STATUS_CHANGED,
        "An eSIM was installed, used up or topped up, or it expired.",
        emitted=True,
        since="1.3",
    ),
    EventType(
        ESIM_REFUND_DECIDED,
        "A refund request for an eSIM was granted or declined.",
        emitted=True,
        since="1.3",
    ),
    EventType(
        BALANCE_LOW, "The available balance fell below your warning threshold.", emitted=True, since="1.3"
    ),
    EventType("checkout.created", "Reserved.", subscribable=False),
    EventType("checkout.expired", "Reserved.", subscribable=False),
    EventType(
        "booking.failed",
        "The POST returns 4xx or 5xx; `booking.rejected` for a booking without a final status.",
    ),
    EventType("booking.modified", "`booking.changed`"),
    EventType("payment.succeeded", "Travellers do not pay through this API."),
    EventType("payment.failed", "Travellers do not pay through this API."),
    EventType("esim.usage_threshold", "`esim.data_low`"),
    EventType("ledger.low_balance", "`balance.low`"),
    EventType("search_quota.threshold", "The header `X-Search-Quota-Remaining`."),
    EventType("settlement.invoice_issued", "There are no invoices; read statements."),
    EventType("settlement.payment_failed", "There are no invoices; read statements."),
    EventType("apikey.revoked", "The next call returns 401 `api_key_revoked`."),
)

EMITTED = frozenset(event.name for event in CATALOGUE if event.emitted)
SUBSCRIBABLE = frozenset(event.name for event in CATALOGUE if event.subscribable)
NOT_SUBSCRIBABLE = "is not an event type that can be subscribed to"

COUNTED = "%(counted)s::int"


# One round trip for all: the events, and a delivery for every enabled endpoint that subscribed. A delivery's
# id is the event's time and 16 random digits; how many are needed is known to the database alone.
def emitting(once: str = "true", *, counted: str = COUNTED) -> str:
    """Two CTEs for a longer statement, such as the one that settles. Events are written where the SQL condition `once` holds.

    `counted` says how many events the booking has with these, whose row is locked until the commit: the last one's sequence.
    """
    return f"""
event AS (
    INSERT INTO webhooks_event
           (id, account_id, environment, type, payload, booking_id, booking_reference, request_id, sequence,
            trace_context, created_at)
    SELECT fact.id, %(account_id)s::text, %(environment)s::text, fact.type,
           coalesce(left(fact.payload, -1) || ',"sequence":' || fact.sequence || '}}', fact.payload),
           %(booking_id)s::text, %(booking_reference)s::text, %(request_id)s::text, fact.sequence,
           %(trace_context)s::bytea, %(now)s::timestamptz
      FROM (SELECT id, type, payload, {counted} - %(reported)s::int + number AS sequence
              FROM unnest(string_to_array(%(ids)s::text, ' '), string_to_array(%(types)s::text, ' '),
                          string_to_array(%(payloads)s::text, chr(10))) WITH ORDINALITY AS fact (id, type, payload, number)
           ) AS fact
     WHERE {once}
    RETURNING id, type
), delivery AS (
    INSERT INTO webhooks_delivery
           (id, event_id, endpoint_id, account_id, environment, event_type, status, attempt_count, lost_count,
            next_attempt_at, created_at)
    SELECT %(delivery_id_head)s::text || right(replace(gen_random_uuid()::text, '-', ''), 16),
           event.id, e.id, e.account_id, e.environment, event.type, 'PENDING', 0, 0,
           %(due)s::timestamptz + e.schedule_ahead, %(now)s::timestamptz
      FROM event
      JOIN webhooks_endpoint e
        ON e.account_id = %(account_id)s::text
       AND e.environment = %(environment)s::text
       AND e.status = 'enabled'
       AND event.type = ANY (e.events)
    RETURNING id
)"""  # noqa: S608


DELIVERIES = "(SELECT count(*) FROM delivery)"
"""How many deliveries `emitting` made, for `wake`."""

INSERT = f"WITH {emitting()} SELECT {DELIVERIES}"

DELIVERY_ID_HEAD = len("whd_") + 10  # the prefix and the digits of time


@dataclass(frozen=True, slots=True)
class Fact:
    """What happened: a type of the catalogue, and its `data` under the names of the wire."""

    type: str
    data: Mapping[str, object]


def emit_many(
    *,
    account_id: str,
    environment: str,
    facts: Sequence[Fact],
    booking_id: str | None = None,
    booking_reference: str | None = None,
    counted: int | None = None,
    request_id: str = "",
) -> list[str]:
    """Write several events of one moment (a cancellation and its refund) in one statement. Returns their ids, in order.

    `counted`: how many events the booking has with these; its row is locked. Without it they have no sequence.
    Raises RuntimeError outside of a transaction.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("An event belongs in the transaction of the fact that it reports.")
    ids, due = [new_event_id() for _ in facts], clock.now()
    place = clocks.place_of(account_id, environment)
    values = parameters(
        account_id=account_id,
        environment=environment,
        ids=ids,
        facts=facts,
        booking_id=booking_id,
        booking_reference=booking_reference,
        counted=counted,
        request_id=request_id,
        now=due + place.clock_offset,
        due=due,
    )
    row = sql.one_row(INSERT, values)
    assert row is not None
    wake(row[0])
    return ids


def parameters(
    *,
    account_id: str,
    environment: str,
    ids: Sequence[str],
    facts: Sequence[Fact],
    booking_id: str | None,
    booking_reference: str | None,
    request_id: str,
    now: datetime,
    due: datetime,
    counted: int | None = None,
    trace_context: bytes | memoryview | None = None,
) -> dict[str, Any]:
    """The parameters of `emitting`. `now` is the time in the environment; `due` is the same instant in real time.

    Deliveries belong to the trace of what this thread does; where that has none, to `trace_context`.

    Each list goes as text: psycopg takes longer to write an array than PostgreSQL to read one. JSON has no line feed in it.
    """
    created_at = rfc3339(now)
    return {
        "account_id": account_id,
        "environment": environment,
        "reported": len(facts),
        "counted": counted,
        "ids": " ".join(ids),
        "types": " ".join(fact.type for fact in facts),
        "payloads": "\n".join(
            payload_text(event_id=event_id, fact=fact, created_at=created_at, environment=environment)
            for event_id, fact in zip(ids, facts, strict=True)
        ),
        "booking_id": booking_id or "",
        "booking_reference": booking_reference or "",
        "request_id": request_id,
        "trace_context": tracing.stored() or trace_context,
        "delivery_id_head": new_delivery_id()[:DELIVERY_ID_HEAD],
        "now": now,
        "due": due,
    }


def wake(deliveries: int) -> None:
    """Start a dispatcher once the transaction is committed, where it made deliveries; at once where the statement was one."""
    if deliveries:
        transaction.on_commit(wakeups.notify)


def payload_text(*, event_id: str, fact: Fact, created_at: str, environment: str) -> str:
    """The body that every attempt sends; that of a booking gets its `sequence` as it is written."""
    return orjson.dumps(
        {
            "id": event_id,
            "type": fact.type,
            "createdAt": created_at,
            "environment": environment,
            "data": dict(fact.data),
        }
    ).decode()
