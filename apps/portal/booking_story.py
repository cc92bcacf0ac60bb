"""What happened to a booking, in one line of time: the request, the money, the supplier, what was told."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.bookings.models import Booking, Operation, OperationState, Settlement, SettlementAction
from apps.ledger.models import LedgerTransaction, TransactionType
from apps.ledger.selectors import ledger_of
from apps.portal.place import Place
from apps.portal.states import state_of
from apps.portal.templatetags.portal import money
from apps.webhooks.models import Delivery, Event
from apps.webhooks.selectors import events_of_booking

VERBS = {"book": "book", "change": "change", "cancel": "cancel"}
MONEY = {
    TransactionType.HOLD: "held",
    TransactionType.CAPTURE: "captured",
    TransactionType.RELEASE: "released",
    TransactionType.REFUND: "refunded",
    TransactionType.ADJUSTMENT: "adjusted",
    TransactionType.TOP_UP: "topped up",
}


@dataclass(frozen=True, slots=True)
class Moment:
    """`tone` is that of a timeline's dot. `order` settles what has the same instant: cause before effect."""

    at: datetime
    order: int
    title: str | SafeString
    note: str = ""
    tone: str = "good"
    links: tuple[tuple[str, str], ...] = field(default=())
    """(label, address)."""


def story_of(place: Place, booking: Booking) -> list[Moment]:
    """The oldest first. Five queries."""
    operations = list(booking.operations.order_by("id"))
    settlements = list(booking.settlements.filter(settled_at=None))
    transactions = ledger_of(place.account.pk, place.environment).filter(booking_reference=booking.reference)
    events = events_of_booking(place.account.pk, place.environment, booking.pk)
    moments = [
        *(moment for operation in operations for moment in of_operation(place, operation)),
        *(of_transaction(transaction) for transaction in transactions),
        *(owed(settlement, booking) for settlement in settlements),
        *(moment for event in events for moment in of_event(place, event)),
    ]
    return sorted(moments, key=lambda moment: (moment.at, moment.order))


def of_operation(place: Place, operation: Operation) -> Iterator[Moment]:
    verb = VERBS[operation.kind]
    links: tuple[tuple[str, str], ...] = ()
    if operation.request_id:
        links = (("Request", place.reverse("request", request_id=operation.request_id)),)
    asked = f"Asked to {verb}" if operation.request_id else f"The supplier's own {verb}"
    yield Moment(operation.created_at, 0, asked, links=links)
    if operation.call_started_at:
        yield Moment(operation.call_started_at, 2, f"Supplier asked to {verb}", f"as {operation.client_ref}")
    if operation.resolved_at:
        yield resolution(operation)
    elif operation.state != OperationState.HELD:
        yield waiting(operation)


def resolution(operation: Operation) -> Moment:
    assert operation.resolved_at is not None
    looked = f", after {operation.lookups} look-ups" if operation.lookups else ""
    if operation.state == OperationState.CONFIRMED:
        return Moment(operation.resolved_at, 4, f"Supplier confirmed{looked}")
    return Moment(operation.resolved_at, 4, f"Not done{looked}", reason(operation.failure), tone="bad")


def reason(failure: str) -> str:
    """The failure's name as it was stored, in words."""
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in failure).strip()
    return words.capitalize()


def waiting(operation: Operation) -> Moment:
    at = operation.call_started_at or operation.created_at
    if operation.state == OperationState.REVIEW:
        return Moment(
            at, 5, "Our staff are clarifying it with the supplier", "The funds stay held.", tone="warn"
        )
    note = "The answer is not known yet. The supplier is asked by our reference; the funds stay held."
    return Moment(at, 5, "Waiting for the supplier", note, tone="busy")


def of_transaction(transaction: LedgerTransaction) -> Moment:
    kind = TransactionType(transaction.type)
    cents = transaction.amount_cents if transaction.amount_cents else transaction.held_delta_cents
    title = format_html("{} {}", money(abs(cents), transaction.currency), MONEY[kind])
    order = 1 if kind == TransactionType.HOLD else 5
    return Moment(transaction.created_at, order, title, transaction.description)


def owed(settlement: Settlement, booking: Booking) -> Moment:
    said = "will be captured" if settlement.action == SettlementAction.CAPTURE else "will be credited"
    title = format_html("{} {}", money(settlement.amount_cents, booking.currency), said)
    return Moment(settlement.created_at, 6, title, "By the reconciliation, in a moment.", tone="busy")


def of_event(place: Place, event: Event) -> Iterator[Moment]:
    deliveries: list[Delivery] = list(event.deliveries.all())
    links = tuple(
        (
            f"{state_of(delivery.status.lower()).label} to {delivery.endpoint.url}",
            place.reverse("delivery", delivery_id=delivery.pk),
        )
        for delivery in deliveries
    )
    note = "" if deliveries else "No endpoint was subscribed to it."
    yield Moment(event.created_at, 7, f"Event {event.type}", note, tone=tone_of(deliveries), links=links)


def tone_of(deliveries: list[Delivery]) -> str:
    tones: list[Any] = [state_of(delivery.status.lower()).tone for delivery in deliveries]
    return next((tone for tone in ("bad", "busy", "good") if tone in tones), "")
