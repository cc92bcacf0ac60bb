"""The SQL statements of the booking path, written by hand because every order runs them.

The ORM writes one table per statement, and compiles each statement again. A booking, its operation and its hold are written
together; between that and the end the call is marked; state, booking, answer, events and money are ended together. Each is one
trip to the database, and takes its locks in the order of `services.settle`: the wallet last, because all bookings of an account
wait for it. `EXISTS (SELECT FROM …)` is what keeps a part of a statement waiting for the part before.

Whatever changes what a partner sees of a booking writes `updated_at` by `CHANGED`, on which lists by `updatedSince` rely.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson
from django.db.models import DateTimeField
from django.db.models.expressions import RawSQL

from apps.accounts import clocks
from apps.bookings.last_names import hashed_last_names
from apps.bookings.models import Booking, Operation, OperationState, Settlement
from apps.bookings.refusals import operation_in_words
from apps.bookings.travellers import at_rest, new_key
from apps.common import sql
from apps.common.errors import IdempotencyKeyInProgress
from apps.common.sql import RELAX_UNLESS, LongStatement
from apps.gateway.idempotency import COMPLETE, STANDS, Claim
from apps.ledger.models import HoldStatus
from apps.ledger.money import NO_LIMITS, Trace, parameters, refusal, refuse_uncovered, sized
from apps.ledger.statements import LOOKING, RESOLVABLE, SPENT, holding_covered, resolving
from apps.webhooks import events as webhook_events
from apps.webhooks.events import DELIVERIES, Fact, emitting
from apps.webhooks.models import new_event_id

LATE = timedelta(seconds=4)
"""How old the instant of a change may be when its statement runs, in the time of the booking's environment."""
# The instant that the answer states, unless its caller has paused since, or the sandbox's clock has moved: then the time of the
# statement, less LATE. The transaction has its number before the time is read, so that `updated_since` sees it by then.
CHANGED = """CASE WHEN pg_current_xact_id() IS NOT NULL THEN greatest(
    {now}::timestamptz,
    clock_timestamp() - {late}::interval + coalesce((
        SELECT s.clock_offset FROM accounts_sandbox s WHERE s.account_id = {account} AND {environment} = 'test'), '0')
) END"""
CHANGED_ROW = CHANGED.format(
    now="%(now)s",
    late="%(late)s",
    account="bookings_booking.account_id",
    environment="bookings_booking.environment",
)
CHANGED_NOW = CHANGED.format(
    now="%(now)s", late="%(late)s", account="%(account_id)s::text", environment="%(environment)s::text"
)

# The one statement that creates bookings. Where the claim is lost or the funds do not suffice, nothing is written, and what was
# seen of the wallet says why. A booking that is to be paid later has no hold: its funds must suffice, and stay available.
INSERT_BOOKING = LongStatement(f"""
WITH {LOOKING}, claim AS MATERIALIZED (
    SELECT %(claim)s::bigint IS NULL OR {STANDS % ("%(claim)s", "%(claim_token)s")} AS stands
), made AS (
    INSERT INTO bookings_booking (
        id, product, account_id, environment, key_id, reference, external_reference, trip_reference, status,
        total_cents, currency, sold_for_cents, exchange, supplier_name, supplier_reference, details, request_id,
        approval_expires_at, created_at, updated_at)
    SELECT %(booking_id)s, %(booking_type)s::text, %(account_id)s::text, %(environment)s::text, %(key_id)s::text,
           %(booking_reference)s::text, %(external_reference)s, %(trip_reference)s,
           CASE WHEN %(awaits)s::boolean THEN 'awaiting' ELSE 'pending' END,
           %(amount_cents)s::bigint, %(currency)s::text, %(sold_for_cents)s::bigint, %(exchange)s::jsonb,
           %(supplier_name)s, '', %(details)s::jsonb,
           %(request_id)s::text, %(approval_expires_at)s::timestamptz, %(now)s::timestamptz, {CHANGED_NOW}
      FROM look CROSS JOIN claim WHERE look.covers AND claim.stands
    RETURNING id
), kept AS (
    INSERT INTO bookings_travellerkey (booking_id, wrapped, last_names)
    SELECT made.id, %(traveller_key)s::bytea, %(last_names)s::bytea[] FROM made WHERE %(traveller_key)s::bytea IS NOT NULL
), begun AS (
    INSERT INTO bookings_operation (
        booking_id, kind, state, client_ref, idempotency_record_id, request, prepared, amount_cents, hold_id,
        failure, approval_expires_at, lease_token, lease_until, next_attempt_at, lookups, key_id, request_id,
        trace_context, created_at)
    SELECT made.id, 'book', %(state)s::text, %(reference)s::text, %(claim)s::bigint, %(request)s::jsonb, '{{}}',
           %(held_cents)s::bigint, %(hold_id)s::text, '', %(approval_expires_at)s::timestamptz,
           %(lease_token)s::uuid, %(lease_until)s::timestamptz, %(next_attempt_at)s::timestamptz, 0,
           %(key_id)s::text, %(request_id)s::text, %(trace_context)s::bytea,
           %(now)s::timestamptz
      FROM made
    RETURNING id
), {holding_covered(once="%(hold_id)s::text <> '' AND EXISTS (SELECT FROM begun)")}
SELECT begun.id, claim.stands, {RELAX_UNLESS % "%(awaits)s::boolean"}, look.currency, look.available_cents, look.active, {SPENT}
  FROM claim LEFT JOIN look ON true LEFT JOIN begun ON true
""")  # noqa: S608

# Writes nothing where the settlement was settled before.
MARK_SETTLED = f"""
WITH marked AS (
    UPDATE bookings_settlement SET settled_at = %(now)s WHERE id = %(settlement)s AND settled_at IS NULL RETURNING booking_id
)
UPDATE bookings_booking SET details = %(details)s::jsonb, updated_at = {CHANGED_ROW} FROM marked
 WHERE bookings_booking.id = marked.booking_id
"""  # noqa: S608

COUNT_EVENTS = """
UPDATE bookings_booking SET event_count = event_count + %(told)s WHERE id = %(booking_id)s RETURNING event_count
"""

START_CALL = """
UPDATE bookings_operation SET state = 'calling', call_started_at = %(now)s, lease_until = %(lease_until)s,
       next_attempt_at = %(lease_until)s, prepared = coalesce(
           %(prepared)s::jsonb, jsonb_build_object(%(as_requested)s::text, request -> %(as_requested)s::text))
WHERE id = %(operation)s AND state = 'held' AND lease_token = %(token)s
"""

END = LongStatement(f"""
WITH ended AS (
    UPDATE bookings_operation SET state = 'confirmed', next_attempt_at = NULL, resolved_at = %(now)s::timestamptz
    WHERE id = %(operation)s AND state = %(state)s AND lease_token = %(token)s AND {RESOLVABLE}
    RETURNING booking_id
), booked AS (
    UPDATE bookings_booking SET status = %(booking_status)s, total_cents = %(total_cents)s,
           supplier_reference = %(supplier_reference)s, details = %(details)s::jsonb,
           cancellation = %(cancellation)s::jsonb, updated_at = {CHANGED_ROW},
           event_count = event_count + %(reported)s::int, watched_until = %(watched_until)s, next_news_at = %(next_news_at)s
    FROM ended WHERE bookings_booking.id = ended.booking_id
    RETURNING bookings_booking.id, event_count
), answered AS (
    {COMPLETE} AND EXISTS (SELECT FROM booked)
    RETURNING id
), {emitting(once="EXISTS (SELECT FROM booked)", counted="(SELECT event_count FROM booked)")}, {
    resolving(once=f"EXISTS (SELECT FROM booked) AND (SELECT count(*) FROM answered) + {DELIVERIES} >= 0")
}
SELECT {DELIVERIES} FROM booked
""")  # noqa: S608

NO_ANSWER = dict.fromkeys(
    (
        "claim",
        "claim_token",
        "answer_status",
        "answer_body",
        "answer_encrypted",
        "answer_resource",
        "answered_at",
    )
)


def insert_booking_with_hold(booking: Booking, operation: Operation, claim: Claim | None) -> None:
    """Insert both rows and hold the operation's funds, if it is to hold any; the operation gets its id. Raises
    IdempotencyKeyInProgress where another call has the key by now, what `hold` raises, and IntegrityError, also where the funds
    or what the key may spend went meanwhile (OVERDRAWN, OVERSPENT): nothing is written then.

    One statement is a transaction by itself. Its commit does not wait for the disk. The next one, which marks the supplier call,
    does. After an operation that awaits approval none follows: its commit waits.
    """
    money: dict[str, Any] = {
        "hold_id": operation.hold_id,
        "account_id": booking.account_id,
        "environment": booking.environment,
        "amount_cents": booking.total_cents,
        "currency": booking.currency,
        "reference": operation.client_ref,
    }
    traveller_key = new_key(booking)
    row = sql.one_row(
        INSERT_BOOKING,
        {
            **parameters(trace_of(operation, operation_in_words(operation.kind, booking.reference)), **money),
            "now": booking.created_at,
            "late": LATE,
            "request_id": booking.request_id,
            "booking_id": booking.id,
            "held_cents": sized(operation.amount_cents),
            "external_reference": booking.external_reference,
            "trip_reference": booking.trip_reference,
            "sold_for_cents": sized(booking.sold_for_cents),
            "exchange": _json(booking.exchange),
            "supplier_name": booking.supplier_name,
            "traveller_key": traveller_key,
            "last_names": _array(hashed_last_names(booking, booking.details)),
            "details": _json(at_rest(booking, booking.details)),
            "request": _json(operation.request),
            "lease_token": operation.lease_token,
            "lease_until": operation.lease_until,
            "state": operation.state,
            "awaits": operation.state == OperationState.AWAITING,
            "approval_expires_at": operation.approval_expires_at,
            "next_attempt_at": operation.next_attempt_at,
            "trace_context": operation.trace_context,
            "claim": sized(claim.record_id) if claim else None,
            "claim_token": claim.token if claim else None,
        },
    )
    assert row is not None
    operation.pk, stands, _, wallet_currency, available_cents, active, *spent = row
    if not stands:
        raise IdempotencyKeyInProgress
    if operation.pk is None:
        raise refusal(
            # An account without a wallet never received any money.
            (wallet_currency, available_cents, active) if wallet_currency else (booking.currency, 0, True),
            account_id=booking.account_id,
            environment=booking.environment,
            amount_cents=booking.total_cents,
            currency=booking.currency,
            spent=spent if operation.hold_id else NO_LIMITS,
            awaits=operation.state == OperationState.AWAITING,
        )
    for inserted in (booking, operation):
        inserted._state.adding = False


def start_call(
    operation: Operation, *, now: datetime, lease_until: datetime, prepared: dict[str, Any]
) -> bool:
    """Mark that the supplier may be asked from now on. Returns False when the lease was lost."""
    as_requested = _entry_as_requested(operation, prepared)
    marked = sql.rows_changed(
        START_CALL,
        {
            "now": now,
            "lease_until": lease_until,
            "prepared": None if as_requested else _json(prepared),
            "as_requested": as_requested,
            "operation": sized(operation.pk),
            "token": operation.lease_token,
        },
    )
    return marked > 0


def _entry_as_requested(operation: Operation, prepared: Mapping[str, Any]) -> str | None:
    """The only entry of `prepared`, where it is the very value that `request` has under that name. PostgreSQL copies it then: to
    read it again takes it several times as long.
    """
    if len(prepared) != 1:
        return None
    ((name, value),) = prepared.items()
    return name if value is operation.request.get(name) else None


def mark_settled(settlement: Settlement, details: Mapping[str, Any]) -> bool:
    """Note that it is settled, with the details of its booking. Returns False where it was settled before."""
    written = {
        "now": settlement.settled_at,
        "late": LATE,
        "settlement": sized(settlement.pk),
        "details": _json(details),
    }
    return sql.rows_changed(MARK_SETTLED, written) > 0


def save_change(booking: Booking, *fields: str, now: datetime | None = None) -> None:
    """Save these fields, and that the booking has changed; `now` is the time in its environment."""
    booking.updated_at = now or booking.now()
    stamp = CHANGED.format(
        now="%s",
        late="%s",
        account="bookings_booking.account_id",  # not that of the sandbox that is looked up
        environment="bookings_booking.environment",
    )
    Booking.objects.filter(pk=booking.pk).update(
        **{field: getattr(booking, field) for field in fields},
        updated_at=RawSQL(stamp, (booking.updated_at, LATE), output_field=DateTimeField()),  # noqa: S611
    )


def count_events(booking: Booking, told: int) -> int:
    """How many events the booking has with `told` more. Its row stays locked, so that their sequence has no gaps."""
    row = sql.one_row(COUNT_EVENTS, {"told": told, "booking_id": booking.id})
    assert row is not None
    return int(row[0])


def end_together(
    booking: Booking,
    operation: Operation,
    *,
    completion: Mapping[str, Any] | None = None,
    facts: Sequence[Fact] = (),
    capture_cents: int | None = None,
) -> bool:
    """Confirm the operation, write the booking as it stands in memory, store the answer (`Caller.completion`) and the events, and
    capture the operation's hold.

    Returns False when the lease was lost. Nothing is written then, nor where it raises what `capture` raises: one statement is a
    transaction by itself.
    """
    captured: dict[str, Any] = {
        "hold_id": operation.hold_id if capture_cents is not None else None,
        "captured_cents": capture_cents,
    }
    events = webhook_events.parameters(
        account_id=booking.account_id,
        environment=booking.environment,
        ids=[new_event_id() for _ in facts],
        facts=facts,
        booking_id=booking.id,
        booking_reference=booking.reference,
        request_id=operation.request_id,
        now=booking.updated_at,
        due=booking.updated_at - clocks.place_of(booking.account_id, booking.environment).clock_offset,
        trace_context=operation.trace_context,
    )
    trace = trace_of(operation, operation_in_words(operation.kind, booking.reference))
    row = sql.one_row(
        END,
        {
            **parameters(trace, status=HoldStatus.CAPTURED.value, **captured),
            **events,
            **(completion or NO_ANSWER),
            "operation": sized(operation.pk),
            "state": operation.state,
            "token": operation.lease_token,
            "late": LATE,
            "booking_status": booking.status,
            "total_cents": sized(booking.total_cents),
            "supplier_reference": booking.supplier_reference,
            "details": _json(at_rest(booking, booking.details)),
            "watched_until": booking.watched_until,
            "next_news_at": booking.next_news_at,
            "cancellation": _json(booking.cancellation),
        },
    )
    if row is None:
        if captured["hold_id"]:
            refuse_uncovered(**captured)
        return False
    webhook_events.wake(row[0])
    return True


def _array(values: Sequence[bytes] | None) -> str | None:
    """As PostgreSQL reads it, which costs half of what the driver takes for a list."""
    return None if values is None else "{" + ",".join([f'"\\\\x{value.hex()}"' for value in values]) + "}"


def _json(value: object) -> str | None:
    return None if value is None else orjson.dumps(value).decode()


def trace_of(operation: Operation, description: str) -> Trace:
    """The cause of a ledger entry that this operation makes. There is neither key nor request where a member clicked."""
    booking = operation.booking
    return Trace(
        booking_type=booking.product,
        booking_reference=booking.reference,
        key_id=operation.key_id or None,
        request_id=operation.request_id or None,
        operation_id=operation.client_ref,
        description=description,
    )
