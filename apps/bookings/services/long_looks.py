"""A look-up asks the supplier what it knows of an operation whose end is not known here.

It may take many calls, and a supplier may take two minutes to answer one. A process that loses the lease meanwhile cannot write
the answer. So a look-up that a partner's request waits for must end within the lease. Others (of the recovery worker, of staff)
may take longer: their lease is renewed while they last.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from apps.accounts import clocks
from apps.bookings.handlers import handler_for
from apps.bookings.models import Operation
from apps.bookings.services.lease import seconds_to_ask
from apps.bookings.services.lease_keeper import LONGEST_SECONDS, LeaseKeeper
from apps.suppliers.http import all_within


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
