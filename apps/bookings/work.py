"""What a product adds to the common booking flow: one `Work` for each kind of operation, registered by (product, kind).

The flow in `services` owns states, leases, money, events and retries; a Work only knows how to ask its supplier and how to read
the answer. All four methods may be called again by the recovery worker, in another process, with nothing but the operation row.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar, cast

from django.conf import settings

from apps.bookings.models import Booking, Operation, OperationKind, Settlement
from apps.suppliers.choice import SIMULATOR
from apps.suppliers.lookups import Lookups
from apps.webhooks.services.emit import Fact

logger = logging.getLogger(__name__)


class Accepted(Exception):
    """The supplier took it on for certain and delivers later. Raised by `call`, and by `find` as long as it is so.

    Neither an answer nor an unknown end: the partner is told `pending`, the funds stay held, and the recovery worker looks again
    until `find` has a result.
    """

    def __init__(self, supplier_reference: str) -> None:
        super().__init__(supplier_reference)
        self.supplier_reference = supplier_reference


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the supplier said just before the call. `price_cents`: what the hold must cover; `data` is kept on the operation."""

    price_cents: int
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of the booking and its money once the supplier's answer is known. All amounts in minor units."""

    status: str
    details: Mapping[str, Any]
    total_cents: int
    supplier_reference: str
    capture_cents: int | None = None
    """Of the operation's hold; the rest is released. None leaves the hold alone."""
    refund_cents: int = 0
    """Returned to the partner at once, from what was captured."""
    release_hold_id: str = ""
    """A hold of an earlier operation to resolve instead of refunding (a transfer cancelled before its capture) …"""
    release_keeps_cents: int = 0
    """… of which this much is captured as the penalty."""
    credit_later_cents: int = 0
    """Owed to the partner; the reconciliation worker pays it."""
    capture_later: bool = False
    """The hold stays until the reconciliation worker captures it."""
    cancellation: Mapping[str, Any] | None = None
    watched_until: datetime | None = None
    """Until when the supplier is asked whether it still stands: the end of the journey."""
    events: tuple[Fact, ...] = ()
    """Webhook events of it; the flow adds the booking's own fields to their data."""


Found = TypeVar("Found")


class Work(Protocol):
    """One kind of operation of one product."""

    @property
    def product(self) -> str: ...

    @property
    def kind(self) -> str: ...

    def supplier(self, operation: Operation, trouble: str = "") -> Any:
        """The adapter that serves the operation."""

    def prepare(self, operation: Operation) -> Prepared:
        """Ask what it costs now. Certain either way: raises supplier errors and gateway errors, and nothing has happened."""

    def call(self, operation: Operation, trouble: str) -> Any:
        """Do it. `trouble` is what a sandbox trigger wants of the simulator. Raises supplier errors, and Accepted."""

    def find(self, operation: Operation) -> Any | None:
        """What was done under the operation's client_ref, or None when the supplier knows nothing of it, or nothing that is worth
        a booking (`unless_undone`). Raises Accepted.
        """

    def outcome(self, operation: Operation, result: Any) -> Outcome:
        """What `call` or `find` returned, as what is to be written. Pure."""

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        """The booking's details once money owed by `outcome` has moved. Pure."""


def unless_undone(found: Found | None, penalty_of: Callable[[Found], int | None]) -> Found | None:
    """What a look-up found of a lost booking call; None where that was cancelled for free before anybody heard of it: there is
    nothing to be had, and nothing to pay.

    `penalty_of` says what cancelling it cost, None where it stands. One that cost something is booked as it was: the news of its
    supplier then cancel it at that cost.
    """
    return None if found is None or penalty_of(found) == 0 else found


class CancelWork(Work, Protocol):
    """The kind that ends a booking also knows when its supplier has ended it."""

    def withdrawn(self, booking: Booking) -> Any | None:
        """What `outcome` takes, if the supplier has cancelled a standing booking by itself; else None."""


NewsPause = Callable[[Booking, datetime], "timedelta | None"]

_works: dict[tuple[str, str], Work] = {}
_news_pauses: dict[str, NewsPause] = {}


def register(work: Work) -> None:
    """Make a product's work known to the flow; called when its app is ready."""
    _works[work.product, work.kind] = work


def work_for(operation: Operation) -> Work:
    return _works[operation.booking.product, operation.kind]


def lookups_of(operation: Operation) -> Lookups | None:
    """When a real supplier is asked after a lost answer; None for the simulator, which goes by the settings."""
    if operation.booking.supplier_name == SIMULATOR:
        return None
    try:
        found = work_for(operation).supplier(operation).lookups
    except Exception:  # a connector that can no longer be built must not stop the recovery of its bookings
        logger.exception("%s: its supplier has no look-up times", operation)
        return None
    return cast("Lookups | None", found)


def cancel_work_for(booking: Booking) -> CancelWork | None:
    """The work that ends bookings of this product, where they can be ended."""
    return cast("CancelWork | None", _works.get((booking.product, OperationKind.CANCEL)))


def register_news_pause(product: str, pause: NewsPause) -> None:
    """For a product whose suppliers want to be asked for news at a pace of their own; called when its app is ready."""
    _news_pauses[product] = pause


def news_pause(booking: Booking, now: datetime) -> timedelta:
    """How long the supplier of a standing booking is left alone."""
    own = _news_pauses.get(booking.product)
    return (own and own(booking, now)) or timedelta(seconds=settings.SUPPLIER_NEWS_SECONDS)
