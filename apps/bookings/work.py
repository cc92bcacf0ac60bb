"""What a product adds to the common booking flow: one `Work` for each kind of operation, registered by (product, kind).

The flow in `services` owns states, leases, money, events and retries; a Work only knows how to ask its supplier and how to read
the answer. All four methods may be called again by the recovery worker, in another process, with nothing but the operation row.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, cast

from apps.bookings.models import Booking, Operation, OperationKind, Settlement
from apps.webhooks.services.emit import Fact


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


class Work(Protocol):
    """One kind of operation of one product."""

    @property
    def product(self) -> str: ...

    @property
    def kind(self) -> str: ...

    def prepare(self, operation: Operation) -> Prepared:
        """Ask what it costs now. Certain either way: raises supplier errors and gateway errors, and nothing has happened."""

    def call(self, operation: Operation, trouble: str) -> Any:
        """Do it. `trouble` is what a sandbox trigger wants of the simulator. Raises supplier errors, and Accepted."""

    def find(self, operation: Operation) -> Any | None:
        """What was done under the operation's client_ref, or None when the supplier knows nothing of it. Raises Accepted."""

    def outcome(self, operation: Operation, result: Any) -> Outcome:
        """What `call` or `find` returned, as what is to be written. Pure."""

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        """The booking's details once money owed by `outcome` has moved. Pure."""


class CancelWork(Work, Protocol):
    """The kind that ends a booking also knows when its supplier has ended it."""

    def withdrawn(self, booking: Booking) -> Any | None:
        """What `outcome` takes, if the supplier has cancelled a standing booking by itself; else None."""


_works: dict[tuple[str, str], Work] = {}


def register(work: Work) -> None:
    """Make a product's work known to the flow; called when its app is ready."""
    _works[work.product, work.kind] = work


def work_for(operation: Operation) -> Work:
    return _works[operation.booking.product, operation.kind]


def cancel_work_for(booking: Booking) -> CancelWork | None:
    """The work that ends bookings of this product, where they can be ended."""
    return cast("CancelWork | None", _works.get((booking.product, OperationKind.CANCEL)))
