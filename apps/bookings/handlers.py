"""What a product adds to the booking flow: one `OperationHandler` for each kind of operation, registered by (product, kind).

The flow in `services` owns states, leases, money, events and retries. A handler only knows how to ask its supplier and how to
read the answer. Every method may be called again by the recovery worker, in another process, with only the operation row.
`product_handlers` has what the products' handlers share.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar, cast

from django.conf import settings

from apps.bookings.models import Booking, Operation, OperationKind, Settlement
from apps.bookings.trade_rules import Service
from apps.suppliers.vendors import Lookups, Vendor
from apps.webhooks.services.emit import Fact


class Accepted(Exception):
    """The supplier has certainly accepted it, and delivers later. Raised by `call`, and by `find` as long as that is so.

    It is neither a result nor an unknown end. The partner is told `pending`, the funds stay held, and the recovery worker looks
    again until `find` returns a result.
    """

    def __init__(self, supplier_reference: str) -> None:
        super().__init__(supplier_reference)
        self.supplier_reference = supplier_reference


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the supplier said just before the call. The hold must cover `price_cents`; `data` is stored on the operation."""

    price_cents: int
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of the booking and its money. All amounts are in minor units."""

    status: str
    details: Mapping[str, Any]
    total_cents: int
    supplier_reference: str
    capture_cents: int | None = None
    """To be captured of the operation's hold; the rest is released. None leaves the hold as it is."""
    refund_cents: int = 0
    """To be refunded at once, of what was captured."""
    release_hold_id: str = ""
    """A hold of an earlier operation to resolve, where nothing was captured yet (a transfer cancelled before its capture)."""
    release_keeps_cents: int = 0
    """The penalty: how much of that hold is captured."""
    credit_later_cents: int = 0
    """Owed to the partner: the reconciliation worker pays it."""
    capture_later: bool = False
    """The hold stays until the reconciliation worker captures it."""
    cancellation: Mapping[str, Any] | None = None
    watched_until: datetime | None = None
    """Until when the supplier is polled: the end of the journey."""
    events: tuple[Fact, ...] = ()
    """Its webhook events. The flow adds the fields that all booking events have."""
    remember: Callable[[Booking], None] | None = None
    """Spares reading the details again. Called with the booking once it has them."""

    @property
    def moves_more(self) -> bool:
        """Whether money moves, or is owed, beside what is captured of the operation's own hold."""
        return bool(
            self.refund_cents or self.release_hold_id or self.credit_later_cents or self.capture_later
        )


Found = TypeVar("Found")


class OperationHandler(Protocol):
    """One kind of operation of one product."""

    @property
    def product(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def vendors(self) -> Mapping[str, Vendor[Any]]:
        """The product's suppliers, by name."""

    def supplier(self, operation: Operation, fault: str = "") -> Any:
        """The adapter that serves the operation. Raises Unavailable when this release does not know its supplier."""

    def prepare(self, operation: Operation) -> Prepared:
        """Ask what it costs now. However it ends, nothing was bought or changed. Raises supplier errors and gateway errors."""

    def call(self, operation: Operation, fault: str) -> Any:
        """Do it. `fault` is what a sandbox trigger asks of the simulator. Raises supplier errors, and Accepted."""

    def find(self, operation: Operation) -> Any | None:
        """What was done under the operation's client_ref. None when the supplier knows nothing of it, or when it was undone at no
        cost (`unless_undone`). Raises Accepted.
        """

    def outcome(self, operation: Operation, result: Any) -> Outcome:
        """What is to be written for a result of `call` or `find`. Pure."""

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        """The booking's details once money owed by `outcome` has moved. Pure."""


def unless_undone(found: Found | None, penalty_of: Callable[[Found], int | None]) -> Found | None:
    """What a look-up found of a lost booking call. None where that was cancelled at no cost before its answer arrived: there is
    no booking to confirm, and nothing to pay.

    `penalty_of` returns what cancelling it cost, None where it stands. One that cost something is booked as it was: the next poll
    of its supplier then cancels it at that cost.
    """
    return None if found is None or penalty_of(found) == 0 else found


class CancelHandler(OperationHandler, Protocol):
    """The kind that ends a booking. It also knows when the supplier has ended it, and when the journey begins."""

    def cancelled_by_supplier(self, booking: Booking) -> Any | None:
        """What `outcome` takes, if the supplier has cancelled a standing booking by itself; else None."""

    def service(self, booking: Booking) -> Service:
        """When what was booked takes place, as it stands now."""

    def begins_at(self, booking: Booking, now: datetime) -> datetime:
        """When the journey, or its next part, begins: before that its supplier is polled more often (`PollingPace`)."""


_handlers: dict[tuple[str, str], OperationHandler] = {}


def register(handler: OperationHandler) -> None:
    """Make a product's handler known to the flow; called when its app is ready."""
    _handlers[handler.product, handler.kind] = handler


def handler_for(operation: Operation) -> OperationHandler:
    return _handlers[operation.booking.product, operation.kind]


def cancel_handler_for(booking: Booking) -> CancelHandler | None:
    """The handler that ends bookings of this product; None for a product that has none."""
    return cast("CancelHandler | None", _handlers.get((booking.product, OperationKind.CANCEL)))


def lookups_of(operation: Operation) -> Lookups | None:
    """When a real supplier is asked after a lost answer; None for the simulator, which goes by the settings.

    None as well for a supplier that this release no longer knows: the settings do for its operations.
    """
    vendor = handler_for(operation).vendors.get(operation.booking.supplier_name)
    return vendor.lookups if vendor is not None else None


def polling_pause(booking: Booking, now: datetime) -> timedelta:
    """How long to wait before the supplier of a standing booking is polled again."""
    handler = cancel_handler_for(booking)
    vendor = handler.vendors.get(booking.supplier_name) if handler is not None else None
    if handler is None or vendor is None or vendor.polling is None:
        return timedelta(seconds=settings.SUPPLIER_NEWS_SECONDS)
    return vendor.polling.pause(now, handler.begins_at(booking, now))
