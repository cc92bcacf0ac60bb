"""What the handlers of the four products share: their supplier, the booking of a quoted price, the cancellation in two steps."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from apps.bookings.handlers import Outcome, Prepared
from apps.bookings.models import Booking, Operation, OperationKind, Settlement
from apps.bookings.refusals import refuse_dearer
from apps.bookings.services.cancel import cancelled, refuse_dear_penalty
from apps.bookings.trade_rules import Service, partner_penalty, refuse_unsold
from apps.suppliers.alerts import alert
from apps.suppliers.errors import Rejected
from apps.suppliers.models import AlertKind
from apps.suppliers.values import from_json, to_json
from apps.suppliers.vendors import Vendor
from apps.webhooks.services.emit import Fact

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


class QuotedCancelHandler(ProductHandler[Supplier], Generic[Supplier, AnyCost]):
    """Cancels a booking in two steps: the supplier's quote is kept first, then it is asked to cancel at that cost."""

    kind = OperationKind.CANCEL
    quote_type: type[AnyCost]

    @abstractmethod
    def service(self, booking: Booking) -> Service:
        """When what was booked takes place, as it stands now."""

    def ask_quote(self, booking: Booking) -> AnyCost:
        """What cancelling costs now, as its supplier says."""
        supplier: Any = self.supplier_of(booking)
        quote: AnyCost = supplier.quote_cancellation(booking.supplier_reference)
        return quote

    def prepare(self, operation: Operation) -> Prepared:
        """What cancelling costs now, as the supplier says (`quote`) and by the rules of the trade (`penaltyCents`).

        Raises Conflict above maxPenaltyCents, and Rejected for a cost in another currency than the booking's: it is no sum that
        the partner could be charged.
        """
        booking = operation.booking
        quote = self.ask_quote(booking)
        if quote.currency != booking.currency:
            raise Rejected(f"cancelling costs {quote.currency}, and {booking.currency} was paid")
        service, now = self.service(booking), booking.now()
        penalty = partner_penalty(
            service, now, penalty_cents=quote.penalty_cents, total_cents=booking.total_cents
        )
        refuse_dear_penalty(operation, penalty)
        return Prepared(
            0, {"quote": to_json(quote), "penaltyCents": penalty, "begun": service.has_begun(now)}
        )

    def quote(self, operation: Operation) -> AnyCost:
        """The quote as `prepare` kept it, before the supplier was asked to cancel."""
        return from_json(self.quote_type, operation.prepared["quote"])

    def call(self, operation: Operation, fault: str) -> AnyCost:
        supplier: Any = self.supplier(operation, fault)
        reference = operation.booking.supplier_reference
        cost: AnyCost = supplier.cancel(operation.client_ref, reference, self.quote(operation))
        return cost

    def find(self, operation: Operation) -> AnyCost | None:
        supplier: Any = self.supplier(operation)
        reference = operation.booking.supplier_reference
        found: AnyCost | None = supplier.find_cancellation(
            operation.client_ref, reference, self.quote(operation)
        )
        return found

    def penalty_of(self, operation: Operation, result: AnyCost) -> int:
        """What the cancellation costs the partner: all of it where the partner cancelled what had begun, whatever the supplier
        returns.
        """
        if operation.prepared.get("begun"):
            return operation.booking.total_cents
        return result.penalty_cents

    def outcome(self, operation: Operation, result: AnyCost) -> Outcome:
        penalty = self.penalty_of(operation, result)
        return cancelled(operation, penalty_cents=penalty, details=operation.booking.details)
