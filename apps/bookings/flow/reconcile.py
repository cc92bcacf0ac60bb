"""The reconciliation worker: moves, once, the money that is owed later (a transfer's capture, the credit of a cheaper change).

Any number of workers share the work. Each takes a batch at a time, with a lease: no other worker takes those rows in the
meantime. The lease saves double work and no more. What makes a settlement happen once is that the row is marked in the
transaction that moves its money, under the booking's lock. One that fails is put back with growing pauses, so that it stops no
other.
"""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from apps.accounts import clocks
from apps.bookings.flow.settle import emit_events
from apps.bookings.handlers import handler_for
from apps.bookings.models import Booking, Settlement, SettlementAction
from apps.bookings.statements import mark_settled, trace_of
from apps.bookings.travellers import at_rest, with_keys
from apps.common import clock, tracing
from apps.common.errors import Conflict
from apps.common.progress import SILENT, Progress
from apps.common.sql import relaxed_commit
from apps.gateway.periodic import ITSELF, Tally, told
from apps.ledger.money import capture, refund
from apps.webhooks.events import Fact

logger = logging.getLogger(__name__)

BATCH = 100
RUN_SECONDS = 50.0
"""No batch begins later than this: beat calls every minute."""
LEASE = timedelta(seconds=60)
"""What a dead worker had taken is taken again after this."""
PAUSES = tuple(
    timedelta(**pause)
    for pause in ({"seconds": 10}, {"minutes": 1}, {"minutes": 10}, {"hours": 1}, {"hours": 6})
)
"""After the first failure in a row, the second and so on; the last one for all that follow."""
TOLD_FROM = 2
"""Since so many failures in a row, every run reports it until it is settled."""


class StillOwed(Exception):
    """Settlements that fail again and again."""


def settle_owed(
    batch: int = BATCH,
    *,
    seconds: float = RUN_SECONDS,
    tally: Tally | None = None,
    more_is_due: Callable[[], object] = lambda: None,
    progress: Progress = SILENT,
) -> int:
    """Settle what is due, what has waited longest first, until nothing is or `seconds` are over. Returns how many were settled.

    `tally` records a failure: it is a fault of this service. `more_is_due` is called once, where there is more than a batch.
    """
    tally = tally or Tally()
    settled, ends_at, full = 0, time.monotonic() + seconds, False
    while claimed := claim_due(batch):
        if len(claimed) == batch and not full:
            full = True
            more_is_due()
        settled += _settle_all(claimed, tally, progress)
        if time.monotonic() >= ends_at:
            break
    tell_what_fails(tally)
    return settled


def claim_due(batch: int) -> list[Settlement]:
    """Take up to `batch` of what is due, for LEASE. What another worker is taking is skipped, and so is what it has taken."""
    now = clock.now()
    with relaxed_commit():  # a lease that a crash of PostgreSQL loses costs nothing
        due = list(
            Settlement.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
            .select_related("operation", "booking")
            .filter(settled_at=None, next_attempt_at__lte=now)
            .order_by("next_attempt_at", "pk")[:batch]
        )
        if due:
            taken = Settlement.objects.filter(pk__in=[settlement.pk for settlement in due])
            taken.update(next_attempt_at=now + LEASE)
    return due


def _settle_all(claimed: list[Settlement], tally: Tally, progress: Progress) -> int:
    """How many of these were settled. Those that are left when the lease ends are anybody's."""
    settled, ends_at = 0, time.monotonic() + LEASE.total_seconds()
    for settlement in claimed:
        if time.monotonic() >= ends_at:
            break
        try:
            with traced(settlement):
                settled += settle_one(settlement)
        except Exception as error:
            logger.exception("settlement %s failed; it is tried again", settlement.pk)
            tally.failed(ITSELF, error)
            put_back(settlement, error)
        progress.advance()
    return settled


def how_many_are_due() -> int:
    return Settlement.objects.filter(settled_at=None, next_attempt_at__lte=clock.now()).count()


def traced(settlement: Settlement) -> AbstractContextManager[None]:
    """A part of the trace of the call that owes it."""
    return tracing.continued(
        settlement.operation.trace_context,
        "settlement",
        booking_id=settlement.booking_id,
        action=settlement.action,
    )


def put_back(settlement: Settlement, error: Exception) -> None:
    """Due again after a pause, which grows with each failure in a row. Others are settled meanwhile."""
    pause = PAUSES[min(settlement.failures, len(PAUSES) - 1)]
    Settlement.objects.filter(pk=settlement.pk, settled_at=None).update(
        next_attempt_at=clock.now() + pause, failures=F("failures") + 1, failure=told(error)
    )


def tell_what_fails(tally: Tally) -> None:
    """A settlement that fails again and again is a failure of every run, also of those in its pauses."""
    failing = settlements_failing()
    worst = failing.order_by("-failures").first()
    if worst is not None:
        said = f"{failing.count()} fail again and again, such as {worst.pk}: {worst.failure}"
        tally.failed(ITSELF, StillOwed(said))


def settle_soon(settlement: Settlement) -> None:
    """Let a worker try it now instead of after its pause. Raises Conflict unless it failed and is still owed: one that never
    failed waits for its time.
    """
    waits = Settlement.objects.filter(pk=settlement.pk, settled_at=None, failures__gt=0)
    if not waits.update(next_attempt_at=clock.now()):
        raise Conflict("It did not fail, or is settled.")


def settlements_failing() -> QuerySet[Settlement]:
    return Settlement.objects.filter(settled_at=None, failures__gte=TOLD_FROM)


def settlements_late(now: datetime) -> timedelta:
    """How long what has waited longest has been due."""
    due = Settlement.objects.filter(settled_at=None, next_attempt_at__lte=now)
    oldest = due.order_by("next_attempt_at").values_list("next_attempt_at", flat=True).first()
    return now - oldest if oldest is not None else timedelta()


def settle(pk: int) -> bool:
    """Settle one now. Returns False when it was settled before."""
    return settle_one(Settlement.objects.select_related("operation", "booking").get(pk=pk))


def settle_one(settlement: Settlement) -> bool:
    """Returns False when another worker was first. Locks the booking, then the wallet, as a cancellation does.

    `settlement` is read with its operation, which is over and does not change. The booking is read again under its lock.
    """
    owner = settlement.booking
    with clocks.working_for(owner.account_id, owner.environment), transaction.atomic():
        booking = with_keys(Booking.objects.select_for_update()).get(pk=settlement.booking_id)
        settlement.operation.booking = booking
        settlement.settled_at = booking.now()
        booking.details = dict(handler_for(settlement.operation).settled(booking, settlement))
        if not mark_settled(settlement, at_rest(booking, booking.details)):
            return False
        move(settlement, booking)
    return True


def move(settlement: Settlement, booking: Booking) -> None:
    """Capture what is held; or credit what is owed, and notify the partner with an event."""
    operation = settlement.operation
    if settlement.action == SettlementAction.CAPTURE:
        capture(
            hold_id=settlement.hold_id,
            amount_cents=settlement.amount_cents,
            trace=trace_of(operation, f"Payment for {booking.reference}"),
        )
        return
    refund(
        account_id=booking.account_id,
        environment=booking.environment,
        amount_cents=settlement.amount_cents,
        currency=booking.currency,
        reference=operation.client_ref,
        trace=trace_of(operation, f"Credit for a cheaper change of {booking.reference}"),
    )
    data = {"refundCents": settlement.amount_cents, "currency": booking.currency}
    emit_events(booking, operation.request_id, (Fact("payment.refunded", data),))
