"""The history of one booking: everything stored about it, and its timeline."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.bookings.models import (
    Booking,
    Decision,
    Operation,
    OperationKind,
    OperationState,
    Settlement,
    SettlementAction,
)
from apps.bookings.refusals import failure_in_words
from apps.ledger.models import LedgerTransaction, TransactionType
from apps.ledger.selectors import lines_of_booking
from apps.portal.context import PortalContext
from apps.portal.navigation import address_of_object, ledger_line_address
from apps.portal.states import state_of
from apps.portal.templatetags.portal import endpoint_name, money
from apps.request_log.models import LoggedCall
from apps.request_log.selectors import calls_of_booking
from apps.webhooks.lists import SentEvent, events_of_booking
from apps.webhooks.models import Delivery

CALLS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class BookingHistory:
    """Operations, ledger lines and events are the oldest first, calls the newest first."""

    booking: Booking
    operations: Sequence[Operation]
    settlements: Sequence[Settlement]
    """Those that are still owed."""
    ledger: Sequence[LedgerTransaction]
    events: Sequence[SentEvent]
    calls: Sequence[LoggedCall]
    """The newest of the last 30 days."""
    has_more_calls: bool

    @property
    def held_cents(self) -> int:
        """What is held for it now."""
        return sum(line.held_delta_cents for line in self.ledger)

    @property
    def captured_cents(self) -> int:
        """What was paid: a capture gives back what was held beyond it."""
        captures = [line for line in self.ledger if line.type == TransactionType.CAPTURE]
        return -sum(line.held_delta_cents + line.amount_cents for line in captures)

    @property
    def refunded_cents(self) -> int:
        return sum(line.amount_cents for line in self.ledger if line.type == TransactionType.REFUND)

    @property
    def was_sent(self) -> bool:
        return any(sent.deliveries for sent in self.events)


def history_of(booking: Booking) -> BookingHistory:
    """Five queries, each by an index. The bodies of operations are not read."""
    place = (booking.account_id, booking.environment)
    calls = calls_of_booking(*place, booking.pk, CALLS_SHOWN + 1)
    return BookingHistory(
        booking=booking,
        operations=list(booking.operations.defer("request", "prepared").order_by("id")),
        settlements=list(booking.settlements.filter(settled_at=None)),
        ledger=lines_of_booking(*place, booking.reference),
        events=events_of_booking(*place, booking.pk),
        calls=calls[:CALLS_SHOWN],
        has_more_calls=len(calls) > CALLS_SHOWN,
    )


WHAT = {
    "book": "",
    "change": "change",
    "cancel": "cancellation",
    "accept": "acceptance of the airline's change",
    "services": "bags",
    "pay": "payment",
    "correct": "correction of the guest's name",
    "refund": "refund",
}
"""What an operation is about; the booking itself goes without saying."""
MONEY = {
    TransactionType.HOLD: "held",
    TransactionType.CAPTURE: "captured",
    TransactionType.RELEASE: "released",
    TransactionType.REFUND: "refunded",
    TransactionType.ADJUSTMENT: "adjusted",
    TransactionType.TOP_UP: "topped up",
}


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """`tone` is the colour of the dot. `order` sorts entries of the same instant: a cause comes before its effect."""

    at: datetime
    order: int
    title: str | SafeString
    note: str = ""
    tone: str = "good"
    links: tuple[tuple[str, str], ...] = field(default=())


def booking_timeline(portal: PortalContext, history: BookingHistory) -> list[TimelineEntry]:
    entries = [
        *(entry for operation in history.operations for entry in operation_entries(portal, operation)),
        *(transaction_entry(portal, transaction) for transaction in history.ledger),
        *(settlement_entry(settlement, history.booking) for settlement in history.settlements),
        *(event_entry(portal, sent) for sent in history.events),
    ]
    return sorted(entries, key=lambda entry: (entry.at, entry.order))


def operation_entries(portal: PortalContext, operation: Operation) -> Iterator[TimelineEntry]:
    about = f": {WHAT[operation.kind]}" if WHAT[operation.kind] else ""
    links: tuple[tuple[str, str], ...] = ()
    if operation.request_id:
        links = (("Request", address_of_object("request", portal.environment, operation.request_id)),)
    if operation.request_id:
        asked = f"Request received{about}"
    else:
        asked = f"By the supplier{about}" if operation.key_id else f"Requested in the portal{about}"
    yield TimelineEntry(operation.created_at, 0, asked, links=links)
    if operation.decided_at:
        yield decision_entry(operation)
    if operation.call_started_at:
        yield TimelineEntry(
            operation.call_started_at, 2, f"Sent to supplier{about}", f"as {operation.client_ref}"
        )
    if operation.resolved_at:
        yield resolution_entry(operation)
    elif operation.state != OperationState.HELD:
        yield waiting_entry(operation)


SENT = (OperationKind.CORRECT, OperationKind.REFUND)
"""What is confirmed once it is sent: people at the supplier work on it."""


def resolution_entry(operation: Operation) -> TimelineEntry:
    assert operation.resolved_at is not None
    after_lookups = f", after {operation.lookups} look-ups" if operation.lookups else ""
    if operation.state == OperationState.CONFIRMED and operation.kind in SENT:
        return TimelineEntry(operation.resolved_at, 4, "The request is with the supplier", tone="busy")
    if operation.state == OperationState.CONFIRMED:
        return TimelineEntry(operation.resolved_at, 4, f"Supplier confirmed{after_lookups}")
    return TimelineEntry(
        operation.resolved_at, 4, f"Not done{after_lookups}", failure_in_words(operation.failure), tone="bad"
    )


def decision_entry(operation: Operation) -> TimelineEntry:
    assert operation.decided_at is not None
    is_approved = operation.decision == Decision.APPROVED
    return TimelineEntry(
        operation.decided_at,
        1,
        f"{'Approved' if is_approved else 'Declined'} by {operation.decided_by}",
        operation.decision_reason,
        tone="good" if is_approved else "bad",
    )


def waiting_entry(operation: Operation) -> TimelineEntry:
    at = operation.call_started_at or operation.created_at
    if operation.state == OperationState.AWAITING:
        note = "An owner or approver decides. The supplier is not called until then; the funds stay held."
        return TimelineEntry(at, 5, "Waiting for approval", note, tone="busy")
    if operation.state == OperationState.REVIEW:
        return TimelineEntry(
            at, 5, "Our staff are clarifying it with the supplier", "The funds stay held.", tone="warn"
        )
    note = "The outcome is not known yet. The supplier is polled by our reference; the funds stay held."
    return TimelineEntry(at, 5, "Waiting for the supplier", note, tone="busy")


def transaction_entry(portal: PortalContext, transaction: LedgerTransaction) -> TimelineEntry:
    kind = TransactionType(transaction.type)
    cents = transaction.amount_cents if transaction.amount_cents else transaction.held_delta_cents
    title = format_html("{} {}", money(abs(cents), transaction.currency), MONEY[kind])
    order = 1 if kind == TransactionType.HOLD else 5
    links = (("Ledger line", ledger_line_address(portal, transaction.created_at, transaction.pk)),)
    return TimelineEntry(transaction.created_at, order, title, transaction.description, links=links)


def settlement_entry(settlement: Settlement, booking: Booking) -> TimelineEntry:
    said = "will be captured" if settlement.action == SettlementAction.CAPTURE else "will be credited"
    title = format_html("{} {}", money(settlement.amount_cents, booking.currency), said)
    return TimelineEntry(settlement.created_at, 6, title, "By the reconciliation, in a moment.", tone="busy")


def event_entry(portal: PortalContext, sent: SentEvent) -> TimelineEntry:
    links = tuple(
        (
            f"{state_of(delivery.status.lower()).label} to {endpoint_name(delivery.endpoint)}",
            address_of_object("delivery", portal.environment, delivery.pk),
        )
        for delivery in sent.deliveries
    )
    note = "" if sent.deliveries else "No endpoint was subscribed to it."
    tone = tone_of(sent.deliveries)
    return TimelineEntry(sent.event.created_at, 7, f"Event {sent.event.type}", note, tone=tone, links=links)


def tone_of(deliveries: list[Delivery]) -> str:
    tones: list[Any] = [state_of(delivery.status.lower()).tone for delivery in deliveries]
    return next((tone for tone in ("bad", "busy", "good") if tone in tones), "")
