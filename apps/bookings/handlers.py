"""What a product adds to the booking flow: one `OperationHandler` for each kind of operation, registered by (product, kind).

The flow in `flow` owns states, leases, money, events and retries. A handler only knows how to ask its supplier and how to
read the answer. Every method may be called again by the recovery worker, in another process, with only the operation row.
The bases below the protocols have what the products' handlers share: their supplier, the booking of a quoted price, the
cancellation in two steps.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast, runtime_checkable

from django.conf import settings

from apps.bookings.models import Booking, Operation, OperationKind, Settlement
from apps.bookings.refusals import refuse_dearer
from apps.bookings.trade_rules import Service, partner_penalty, refuse_unsold
from apps.common import clock
from apps.common.errors import Conflict
from apps.suppliers.alerts import alert
from apps.suppliers.errors import Expired, NotPossible, PriceChanged, Rejected, SupplierError
from apps.suppliers.models import AlertKind
from apps.suppliers.results import AirlineCredit, PenaltySteps
from apps.suppliers.values import from_json, to_json
from apps.suppliers.vendors import Lookups, Vendor
from apps.webhooks.events import BOOKING_CHANGED, Fact


class Accepted(Exception):
    """The supplier has certainly accepted it, and delivers later. Raised by `call`, and by `find` as long as that is so.

    It is neither a result nor an unknown end. The partner gets `pending`, the funds stay held, and the recovery worker looks
    again until `find` returns a result.
    """

    def __init__(self, supplier_reference: str) -> None:
        super().__init__(supplier_reference)
        self.supplier_reference = supplier_reference


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the supplier decided just before the call. The hold must cover `price_cents`; `data` is stored on the operation."""

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
    store: Callable[[Booking], None] | None = None
    """Writes what the product keeps in tables of its own, in the same transaction. Not of a new booking."""
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


@runtime_checkable
class MarkingHandler(Protocol):
    """A kind whose booking says while the operation is open that it is under way (`reserve_modification`)."""

    def unmarked(self, booking: Booking) -> Mapping[str, Any]:
        """The booking's details once the operation has failed. Pure."""


def unless_undone(found: Found | None, penalty_of: Callable[[Found], int | None]) -> Found | None:
    """What a look-up found of a lost booking call. None where that was cancelled at no cost before its answer arrived: there is
    no booking to confirm, and nothing to pay.

    `penalty_of` returns what cancelling it cost, None where it stands. One that cost something is booked as it was: the next poll
    of its supplier then cancels it at that cost.
    """
    return None if found is None or penalty_of(found) == 0 else found


class CancelHandler(OperationHandler, Protocol):
    """The kind that ends a booking. It also knows when the supplier has ended it, and when the journey begins."""

    def cost_now(self, operation: Operation, fault: str = "") -> "CostNow":
        """What cancelling costs now. Raises supplier errors."""

    def next_step(self, booking: Booking, now: datetime) -> datetime:
        """When the next step of the terms begins, after which cancelling may cost more."""

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


REMINDED_BEFORE = timedelta(hours=6)
"""So long before the end of a hold the partner is reminded of it."""
LAPSED_PAUSE = timedelta(minutes=2)
"""How often the supplier of a booking is polled whose hold is over, until it says that it lapsed."""


def polling_pause(booking: Booking, now: datetime) -> timedelta:
    """How long to wait before the supplier of a standing booking is polled again: for one on hold until the end of its guarantee,
    its reminder and its end at the latest.
    """
    pause, pay_by = usual_pause(booking, now), booking.pay_by
    if pay_by is None:
        return pause
    if pay_by <= now:
        return LAPSED_PAUSE
    instants = (booking.price_guaranteed_until, pay_by - REMINDED_BEFORE, pay_by)
    return min([pause, *(at - now for at in instants if at is not None and at > now)])


def usual_pause(booking: Booking, now: datetime) -> timedelta:
    handler = cancel_handler_for(booking)
    vendor = handler.vendors.get(booking.supplier_name) if handler is not None else None
    if handler is None or vendor is None or vendor.polling is None:
        return timedelta(seconds=settings.SUPPLIER_NEWS_SECONDS)
    return vendor.polling.pause(now, handler.begins_at(booking, now))


Supplier = TypeVar("Supplier")


class ProductHandler(ABC, Generic[Supplier]):
    """Any kind of operation of one product. Its details are altered by no settlement, unless it overrides `settled`."""

    product: ClassVar[str]
    vendors: ClassVar[Mapping[str, Vendor[Any]]]

    @abstractmethod
    def supplier_of(self, booking: Booking, fault: str = "") -> Supplier:
        """The adapter of the supplier that the booking is with, in the currency that the booking is in."""

    def supplier(self, operation: Operation, fault: str = "") -> Supplier:
        return self.supplier_of(operation.booking, fault)

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        details: Mapping[str, Any] = booking.details
        return details


class Priced(Protocol):
    """What a search quoted, or what a supplier booked; the total is in minor units of `currency`."""

    @property
    def total_cents(self) -> int: ...

    @property
    def currency(self) -> str: ...


AnyOffer = TypeVar("AnyOffer", bound=Priced)
READ = "_offer_read"
"""Where an operation in memory has its offer's JSON and what was read of it."""


def remember_offer(operation: Operation, entry: str, offer: object) -> None:
    """Spare the handler reading `offer`, of which the operation's `request` was just written."""
    vars(operation)[READ] = operation.request[entry], offer


class QuotedBookHandler(ProductHandler[Supplier], Generic[Supplier, AnyOffer]):
    """Books what a search quoted. Its price is asked again first, and stored as it was just before the booking."""

    kind = OperationKind.BOOK
    offer_type: type[AnyOffer]
    offer_entry = "offer"
    """The entry of the operation's `request` (as quoted) and `prepared` (as it was just before the call)."""

    @abstractmethod
    def price_now(self, operation: Operation, offer: AnyOffer) -> AnyOffer:
        """The offer at its supplier's price now. Raises supplier errors."""

    @abstractmethod
    def service_of(self, booking: Booking, offer: AnyOffer) -> Service:
        """When what is booked takes place, as it was quoted."""

    def prepare(self, operation: Operation) -> Prepared:
        """The price now. Raises OfferExpired when its sale has ended since it was quoted, as it may before a retry, and
        PriceChanged when it is above the quote and above what the partner allows.
        """
        booking, offer = operation.booking, self.quoted_offer(operation)
        refuse_unsold(self.service_of(booking, offer), booking.now())
        current = self.price_now(operation, offer)
        refuse_dearer(
            current.total_cents,
            quoted_cents=offer.total_cents,
            max_total_cents=operation.request.get("maxTotalCents"),
        )
        written = operation.request[self.offer_entry] if current == offer else to_json(current)
        return Prepared(current.total_cents, {self.offer_entry: written})

    def quoted_offer(self, operation: Operation) -> AnyOffer:
        return self._read(operation, operation.request[self.offer_entry])

    def prepared_offer(self, operation: Operation) -> AnyOffer:
        return self._read(operation, operation.prepared[self.offer_entry])

    def _read(self, operation: Operation, written: object) -> AnyOffer:
        """Read once of the same JSON, which is replaced and never altered: most offers are prepared as they were quoted."""
        read: tuple[object, AnyOffer] | None = vars(operation).get(READ)
        if read is None or read[0] is not written:
            read = vars(operation)[READ] = (written, from_json(self.offer_type, written))
        return read[1]


def total_to_pay(operation: Operation, booked: Priced) -> int:
    """What the partner pays: never more than was held, whatever the supplier says that it charged. What it says in another
    currency than was agreed is no sum that could be compared: then it is what was held.
    """
    if booked.currency != operation.booking.currency:
        return operation.amount_cents
    return min(booked.total_cents, operation.amount_cents)


def confirmed_event(operation: Operation, total_cents: int) -> Fact:
    return Fact("booking.confirmed", {"totalCents": total_cents, "currency": operation.booking.currency})


class Changed(StrEnum):
    """What a partner can change of a booking: the words of `booking.changed`."""

    DATES = "dates"
    LEGS = "legs"
    SERVICES = "services"
    NAMES = "names"
    ROOMS = "rooms"


def changed_event(booking: Booking, *changes: Changed, total_cents: int, difference_cents: int = 0) -> Fact:
    """That the partner's side has changed a booking, which costs `total_cents` from now on. For `Outcome.events`: each operation
    ends once.
    """
    return Fact(
        BOOKING_CHANGED,
        {
            "changes": list(changes),
            "totalCents": total_cents,
            "differenceCents": difference_cents,
            "currency": booking.currency,
        },
    )


class Cost(Protocol):
    """What a supplier says that cancelling costs (quoted) or has cost (done), in minor units of `currency`."""

    @property
    def penalty_cents(self) -> int: ...

    @property
    def currency(self) -> str: ...


AnyCost = TypeVar("AnyCost", bound=Cost)


def tell_of_full_credit(booking: Booking, supplier_reference: str) -> None:
    """A cancelled booking that does not say what that cost, or in another currency, is credited in full. Staff compare it with
    what the supplier returns.
    """
    alert(booking.supplier_name, AlertKind.FULL_CREDIT, f"{booking.reference} {supplier_reference}")


BALANCE, AIRLINE_CREDIT, NOWHERE = "balance", "airline_credit", "none"
"""Where a cancellation's refund goes. `airline_credit` where any part of it is."""
QUOTE = "quote"
"""The entry of a cancellation's `request` and `prepared` that has the supplier's own quote."""
QUOTED_PENALTY = "quotedPenaltyCents"
"""The entry of its `request` that has the penalty of the partner's quote."""


@dataclass(frozen=True, slots=True)
class CostNow:
    """What cancelling costs the partner now, in minor units of the booking's currency: penalty and refund are what was paid.
    `quote` is the supplier's. `begun`: what was booked has begun.
    """

    quote: Any
    penalty_cents: int
    refund_cents: int
    begun: bool = False
    airline_credits: tuple[AirlineCredit, ...] = ()
    expires_at: datetime | None = None

    @property
    def refund_to(self) -> str:
        if self.airline_credits:
            return AIRLINE_CREDIT
        return BALANCE if self.refund_cents else NOWHERE


def refuse_dear_penalty(operation: Operation, penalty_cents: int) -> None:
    """Raises Conflict (409) when cancelling costs more than the partner allows or was quoted. Nothing was cancelled."""
    allowed = operation.request.get("maxPenaltyCents")
    penalty_cents = of_what_was_paid(operation.booking, penalty_cents)
    if allowed is not None and penalty_cents > allowed:
        raise dear_penalty(operation, penalty_cents, "maxPenaltyCents")
    if penalty_cents > operation.request.get(QUOTED_PENALTY, penalty_cents):
        raise dear_penalty(operation, penalty_cents, "was quoted")


def dear_penalty(operation: Operation, penalty_cents: int, limit: str = "was quoted") -> Conflict:
    return Conflict(
        f"Cancelling costs more than {limit}; nothing was cancelled.",
        ours=True,
        penaltyCents=penalty_cents,
        currency=operation.booking.currency,
    )


def of_what_was_paid(booking: Booking, penalty_cents: int) -> int:
    """The penalty that the partner pays: at most what was paid, which is nothing while the booking is on hold. The supplier may
    have charged us more for the booking, and then keeps more.
    """
    return min(penalty_cents, booking.paid_cents)


def cancelled(
    operation: Operation, *, penalty_cents: int, details: Mapping[str, Any], **money: Any
) -> Outcome:
    """The outcome of a cancellation: the penalty, the refund, and the events."""
    booking = operation.booking
    penalty_cents = of_what_was_paid(booking, penalty_cents)
    refund_cents = booking.paid_cents - penalty_cents
    refunded = {"refundCents": refund_cents, "currency": booking.currency}
    events = [Fact("booking.cancelled", {"refunded": refund_cents > 0, **refunded})]
    if refund_cents > 0:
        events.append(Fact("payment.refunded", refunded))
    return Outcome(
        status=Booking.CANCELLED,
        details=details,
        total_cents=booking.total_cents,
        supplier_reference=booking.supplier_reference,
        cancellation={
            "cancelledAt": clock.rfc3339(booking.now()),
            "penaltyCents": penalty_cents,
            "refundCents": refund_cents,
            "currency": booking.currency,
            "reason": operation.request.get("reason"),
        },
        events=tuple(events),
        **(money or {"refund_cents": refund_cents}),
    )


class QuotedCancelHandler(ProductHandler[Supplier], Generic[Supplier, AnyCost]):
    """Cancels a booking in two steps: the supplier's quote is kept first, then it is asked to cancel at that cost."""

    kind = OperationKind.CANCEL
    quote_type: type[AnyCost]

    @abstractmethod
    def service(self, booking: Booking) -> Service:
        """When what was booked takes place, as it stands now."""

    def penalty_steps(self, booking: Booking) -> PenaltySteps | None:
        """The terms that `cancellationSteps` shows; None where they cannot be read."""
        return None

    def next_step(self, booking: Booking, now: datetime) -> datetime:
        """At the latest, the service begins or ends then."""
        service = self.service(booking)
        steps = (step.starts_at for step in self.penalty_steps(booking) or ())
        ahead = [at for at in (*steps, service.begins_at, service.ends_at) if at is not None and at > now]
        return min(ahead, default=now)

    def given_up_cents(self, booking: Booking) -> int:
        """What of the total is lost already, beside what cancelling costs at the supplier."""
        return 0

    def ask_quote(self, booking: Booking, fault: str = "") -> AnyCost:
        """What cancelling costs now, as its supplier says."""
        supplier: Any = self.supplier_of(booking, fault)
        quote: AnyCost = supplier.quote_cancellation(booking.supplier_reference)
        return quote

    def expiry_of(self, quote: AnyCost) -> datetime | None:
        """Until when the supplier keeps its own quote; None where it keeps none, and is asked again."""
        return None

    def credits_of(self, quote: AnyCost) -> tuple[AirlineCredit, ...]:
        return ()

    def refuse_unaccepted(self, operation: Operation, cost: CostNow) -> None:
        """Raises Conflict where the refund goes where the partner has not accepted it."""

    def cost_now(self, operation: Operation, fault: str = "") -> CostNow:
        """As the supplier says, and by the rules of the trade. The supplier's quote that is kept with the partner's is used for
        as long as it stands.

        Raises Rejected for a cost in another currency than the booking's: it is no sum that the partner could be charged.
        """
        booking = operation.booking
        service, now = self.service(booking), booking.now()
        kept = operation.request.get(QUOTE)
        quote = from_json(self.quote_type, kept) if kept is not None else None
        expires_at = self.expiry_of(quote) if quote is not None else None
        if quote is None or expires_at is None or expires_at <= now:
            quote = self.ask_quote(booking, fault)
        if quote.currency != booking.currency:
            raise Rejected(f"cancelling costs {quote.currency}, and {booking.currency} was paid")
        lost = quote.penalty_cents + self.given_up_cents(booking)
        penalty = partner_penalty(service, now, penalty_cents=lost, total_cents=booking.paid_cents)
        return CostNow(
            quote,
            penalty,
            booking.paid_cents - penalty,
            service.has_begun(now),
            self.credits_of(quote),
            self.expiry_of(quote),
        )

    def prepare(self, operation: Operation) -> Prepared:
        """What cancelling costs now, as the supplier says (`quote`) and the partner pays (`penaltyCents`).

        Raises Conflict above maxPenaltyCents or the partner's quote, and for a refund that the partner has not accepted.
        """
        cost = self.cost_now(operation)
        self.refuse_unaccepted(operation, cost)
        refuse_dear_penalty(operation, cost.penalty_cents)
        return Prepared(
            0, {QUOTE: to_json(cost.quote), "penaltyCents": cost.penalty_cents, "begun": cost.begun}
        )

    def quote(self, operation: Operation) -> AnyCost:
        """The quote as `prepare` kept it, before the supplier was asked to cancel."""
        return from_json(self.quote_type, operation.prepared[QUOTE])

    def call(self, operation: Operation, fault: str) -> AnyCost:
        """Raises PriceChanged with the penalty of now, where that has risen above the partner's quote."""
        try:
            return self.cancel(operation, fault)
        except (Expired, NotPossible):
            if QUOTED_PENALTY in operation.request:
                self.refuse_risen(operation)
            raise

    def cancel(self, operation: Operation, fault: str) -> AnyCost:
        supplier: Any = self.supplier(operation, fault)
        reference = operation.booking.supplier_reference
        cost: AnyCost = supplier.cancel(operation.client_ref, reference, self.quote(operation))
        return cost

    def refuse_risen(self, operation: Operation) -> None:
        """After a certain refusal, which says no more than that it is one. Where the supplier gives no new quote, nor do we."""
        booking, quote = operation.booking, None
        with suppress(SupplierError):
            quote = self.ask_quote(booking)
        if quote is None or quote.currency != booking.currency:
            return
        penalty = of_what_was_paid(booking, quote.penalty_cents + self.given_up_cents(booking))
        if penalty > operation.request[QUOTED_PENALTY]:
            raise PriceChanged(penalty)

    def find(self, operation: Operation) -> AnyCost | None:
        supplier: Any = self.supplier(operation)
        reference = operation.booking.supplier_reference
        found: AnyCost | None = supplier.find_cancellation(
            operation.client_ref, reference, self.quote(operation)
        )
        return found

    def penalty_of(self, operation: Operation, result: AnyCost) -> int:
        """What the cancellation costs the partner: all of it where the partner cancelled what had begun, whatever the supplier
        returns; never more than the partner's quote.
        """
        booking, request = operation.booking, operation.request
        lost = result.penalty_cents + self.given_up_cents(booking)
        penalty = booking.total_cents if operation.prepared.get("begun") else lost
        return min(penalty, int(request.get(QUOTED_PENALTY, penalty)))

    def outcome(self, operation: Operation, result: AnyCost) -> Outcome:
        penalty = self.penalty_of(operation, result)
        return cancelled(operation, penalty_cents=penalty, details=operation.booking.details)
