"""The recovery worker: resolves operations whose process died or whose supplier never answered.

A plain function, called by beat, by a management command and, for one operation, by a partner's retry. It asks the supplier what
happened to our reference, and never books. "Not found" is believed only if the supplier returns it twice, well apart, and not
before it had time to store the booking (`recovery_schedule`): believing one early "not found" leaves unmatched supplier bookings,
9 in 100 when measured.

A look-up may take minutes. A process that loses the lease meanwhile cannot write the answer. So a look-up that a partner's
request waits for must end within the lease; the lease of others (of the recovery worker, of staff) is renewed while they last.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, transaction
from django.urls import reverse

from apps.accounts import clocks
from apps.accounts.mails import tell_staff
from apps.accounts.models import StaffMailKind
from apps.bookings.flow.approval import lapse
from apps.bookings.flow.lease import (
    LONGEST_SECONDS,
    LeaseKeeper,
    LeaseLost,
    advance,
    renew_lease,
    seconds_to_ask,
    take_lease,
)
from apps.bookings.flow.recovery_schedule import DONE_ONCE, called_at, counts_from, following_look, look_again
from apps.bookings.flow.settle import confirm, fail
from apps.bookings.handlers import Accepted, handler_for, lookups_of
from apps.bookings.models import Booking, Operation, OperationState
from apps.bookings.refusals import NEVER_CALLED, NOT_FOUND
from apps.bookings.statements import save_change
from apps.common import clock, tracing
from apps.common.progress import SILENT, Progress
from apps.gateway.periodic import Tally
from apps.suppliers.alerts import alert
from apps.suppliers.errors import SupplierError
from apps.suppliers.http import all_within
from apps.suppliers.models import AlertKind

logger = logging.getLogger(__name__)

BATCH = 20
RUN_SECONDS = 45.0
"""No batch begins later than this."""
GIVE_UP_AFTER = timedelta(hours=24)
MAIL_PAUSE_SECONDS = 600
"""Between two mails. While a supplier is away many operations come at once: the list has them all."""
SUBJECT = "An operation needs your decision: {kind} {client_ref}"
BODY = """We could not find out within a day the outcome of an operation at {supplier}. Its funds stay held until you decide.

{page}

{waiting}

You get this mail because you chose it in the back office, under Mails. The next one is sent in ten minutes at the earliest.
"""


def recover_due(
    batch: int = BATCH,
    *,
    seconds: float = RUN_SECONDS,
    tally: Tally | None = None,
    progress: Progress = SILENT,
) -> int:
    """Resolve or re-schedule the operations that are due, until none is or `seconds` are over. Returns how many were looked up.

    `tally` records which suppliers answered. Beat's next calls join in while a run lasts: that is how more workers help.
    """
    tally = tally or Tally()
    looked_at, ends_at = 0, time.monotonic() + seconds
    while claimed := claim_due(batch):
        looked_at += recover_all(claimed, tally, progress)
        if len(claimed) < batch or time.monotonic() >= ends_at:
            break
    return looked_at


def recover_all(claimed: list[Operation], tally: Tally, progress: Progress = SILENT) -> int:
    """How many of the claimed ones were looked up: all, unless their leases ended meanwhile."""
    looked_at = 0
    for operation in claimed:
        if not renew_lease(operation.pk, state=operation.state, token=operation.lease_token):
            break  # the look-ups before took long: the other operations may have another owner by now
        looked_at += 1
        try:
            place = operation.booking.account_id, operation.booking.environment
            with clocks.working_for(*place), traced(operation):
                recover(operation, tally)
        except LeaseLost:
            logger.info("%s was resolved by another process", operation)
        except Exception as error:
            logger.exception("%s could not be recovered", operation)
            tally.failed(operation.booking.supplier_name, error)
            wait_anyway(operation)
        progress.advance()
    return looked_at


def how_many_are_due() -> int:
    now = clock.now()
    return Operation.objects.filter(next_attempt_at__lte=now, lease_until__lte=now).count()


def traced(operation: Operation) -> AbstractContextManager[None]:
    """A part of the trace of the call that began the operation."""
    return tracing.continued(
        operation.trace_context, "recovery", booking_id=operation.booking_id, operation=operation.kind
    )


def wait_anyway(operation: Operation) -> None:
    """An operation whose recovery itself breaks waits like one of a silent supplier, and goes to staff after a day."""
    asked = (OperationState.CALLING, OperationState.UNCERTAIN, OperationState.REVIEW)
    with suppress(LeaseLost, DatabaseError):
        # Read again: the instance still shows what was rolled back.
        for stored in Operation.objects.filter(
            pk=operation.pk, lease_token=operation.lease_token, state__in=asked
        ):
            wait(stored)


def claim_due(batch: int) -> list[Operation]:
    """The due operations whose lease has ended, owned by this process now. SKIP LOCKED lets several workers share the work."""
    now = clock.now()
    with transaction.atomic():
        due = list(
            Operation.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("booking")
            .filter(next_attempt_at__lte=now, lease_until__lte=now)
            .order_by("next_attempt_at")[:batch]
        )
        return [operation for operation in due if take_lease(operation)]


def recover(operation: Operation, tally: Tally | None = None) -> None:
    """Resolve one operation that this process owns."""
    if operation.state == OperationState.HELD:
        fail(operation, failure=NEVER_CALLED)
    elif operation.state == OperationState.AWAITING:
        lapse(operation)
    else:
        look_up(operation, patiently=True, tally=tally)


def look_up(operation: Operation, *, patiently: bool = False, tally: Tally | None = None) -> bool:
    """Ask the supplier by our reference; then settle, fail, hand over to staff, or wait. Returns whether the supplier has it."""
    if operation.state == OperationState.CALLING:  # the caller is gone, and a retry meanwhile must see that
        advance(operation, to=OperationState.UNCERTAIN)
    tally, supplier = tally or Tally(), operation.booking.supplier_name
    try:
        result = find(operation, patiently=patiently)
    except Accepted as accepted:
        tally.answered(supplier)
        with transaction.atomic():
            # Raises LeaseLost. The supplier has it: so a "not found" of before was wrong, and does not count.
            advance(operation, to=operation.state, first_not_found_at=None)
            keep_reference(operation.booking, accepted.supplier_reference)
        wait(operation)
        return True
    except SupplierError as error:
        logger.info("%s: no response to the look-up: %s", operation, error)
        tally.failed(supplier, error)
        wait(operation)
        return False
    tally.answered(supplier)
    if result is None:
        not_found(operation)
        return False
    confirm(operation, result)
    return True


def keep_reference(booking: Booking, supplier_reference: str) -> None:
    """The supplier has taken it on, whose own answer may have been lost: from now on it is known to be accepted."""
    if supplier_reference and booking.supplier_reference != supplier_reference:
        booking.supplier_reference = supplier_reference
        save_change(booking, "supplier_reference")


def not_found(operation: Operation) -> None:
    """Fail the operation when "not found" was said for the second time: nothing was bought, and the funds are released. For a
    real supplier, staff are alerted to check.
    """
    if operation.state == OperationState.REVIEW:
        # The process of a look-up by staff died: staff decide whether to believe it.
        wait(operation)
        return
    now = clock.now()
    until = look_again(operation, now)
    if until is None:
        fail(operation, failure=NOT_FOUND)
        if operation.kind not in DONE_ONCE:  # what happens later all the same is found by the polls
            alert_staff(operation)
    else:
        first = operation.first_not_found_at or now
        put_off(operation, until=until, first_not_found_at=first if now >= counts_from(operation) else None)


def wait(operation: Operation) -> None:
    """There was no answer: look again later, with growing pauses. After a day it goes to staff, and the hold stays."""
    now = clock.now()
    if now - called_at(operation) > GIVE_UP_AFTER:
        logger.critical("%s could not be resolved in a day: handed over to staff", operation)
        advance(operation, to=OperationState.REVIEW, next_attempt_at=None, lease_until=now)
        alert_staff(operation)
        mail_review(operation)
        return
    put_off(operation, until=following_look(operation, now), first_not_found_at=operation.first_not_found_at)


def alert_staff(operation: Operation) -> None:
    """Alert staff where the supplier is a real one: it may still have what we no longer look for."""
    if lookups_of(operation) is not None:
        alert(operation.booking.supplier_name, AlertKind.UNRESOLVED, operation.client_ref)


def put_off(operation: Operation, *, until: datetime, first_not_found_at: datetime | None) -> None:
    """Uncertain until the next look-up. The lease ends now, so that a partner's retry may look sooner."""
    advance(
        operation,
        to=OperationState.UNCERTAIN,
        next_attempt_at=until,
        lease_until=clock.now(),
        lookups=operation.lookups + 1,
        first_not_found_at=first_not_found_at,
    )


def find(operation: Operation, *, patiently: bool) -> Any | None:
    """What was done under the operation's client_ref, or None. Raises supplier errors, and Accepted."""
    booking = operation.booking
    with clocks.working_for(booking.account_id, booking.environment):
        if not patiently:
            with all_within(seconds_to_ask(operation)):
                return handler_for(operation).find(operation)
        with lease_kept(operation), all_within(LONGEST_SECONDS):
            return handler_for(operation).find(operation)


@contextmanager
def lease_kept(operation: Operation) -> Iterator[None]:
    """The lease is renewed while the block lasts, and never after it: what is written next sets the lease's end."""
    keeper = LeaseKeeper(operation, at_once=False, daemon=True)
    keeper.start()
    try:
        yield
    finally:
        keeper.stop()


def mail_review(operation: Operation) -> None:
    """At most one in ten minutes. It names no traveller."""
    if not cache.add("staff_mail:reviews", 1, MAIL_PAUSE_SECONDS):
        return
    count = Operation.objects.filter(state=OperationState.REVIEW).count()
    page = reverse("admin:bookings_operation_change", args=[operation.pk])
    body = BODY.format(
        supplier=operation.booking.supplier_name,
        page=f"{settings.PUBLIC_BASE_URL}{page}",
        waiting="It is the only one that waits."
        if count == 1
        else f"{count:,} operations wait for a decision.",
    )
    subject = SUBJECT.format(kind=operation.get_kind_display().lower(), client_ref=operation.client_ref)
    tell_staff(StaffMailKind.REVIEWS, subject, body)
