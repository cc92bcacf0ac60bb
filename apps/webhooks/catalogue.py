"""The event catalogue as data: what is sent, and what may be subscribed to (specification §6)."""

from dataclasses import dataclass

BOOKING_CONFIRMED = "booking.confirmed"
BOOKING_CANCELLED = "booking.cancelled"
BOOKING_SCHEDULE_CHANGED = "booking.schedule_changed"
BOOKING_SUPPLIER_CHANGED = "booking.supplier_changed"
BOOKING_REJECTED = "booking.rejected"
PAYMENT_REFUNDED = "payment.refunded"
ESIM_PROVISIONED = "esim.provisioned"
ESIM_TOPPED_UP = "esim.topped_up"

TEST = "webhook.test"
"""Sent by the test operation only. Not in the catalogue: nobody subscribes to it."""


@dataclass(frozen=True, slots=True)
class EventType:
    """One type of the catalogue. `note` says when it fires, or where to look when it never does."""

    name: str
    note: str
    emitted: bool = False
    subscribable: bool = True
    since: str = ""
    """The release that added it; nothing for what was there in 1.1."""


CATALOGUE = (
    EventType(
        BOOKING_CONFIRMED, "A hotel, flight or transfer booking is confirmed by the supplier.", emitted=True
    ),
    EventType(BOOKING_CANCELLED, "A booking is cancelled by the partner or by the supplier.", emitted=True),
    EventType(
        BOOKING_SCHEDULE_CHANGED,
        "The airline moved a flight of an order: times, flight number, airport or carrier. Once for each difference.",
        emitted=True,
        since="1.2",
    ),
    EventType(
        BOOKING_SUPPLIER_CHANGED,
        "The supplier altered a fact of a hotel booking or a transfer, such as dates or pick-up. Once for each difference.",
        emitted=True,
        since="1.2",
    ),
    EventType(
        BOOKING_REJECTED,
        "A booking that was answered `pending` or 503 turned out not to exist. Its hold is released.",
        emitted=True,
        since="1.2",
    ),
    EventType(
        PAYMENT_REFUNDED, "Money of a booking comes back to the partner, held or captured.", emitted=True
    ),
    EventType(ESIM_PROVISIONED, "An eSIM profile is ready for installation.", emitted=True),
    EventType(ESIM_TOPPED_UP, "A plan is added to an eSIM.", emitted=True, since="1.2"),
    EventType("checkout.created", "Not subscribable.", subscribable=False),
    EventType("checkout.expired", "Not subscribable.", subscribable=False),
    EventType(
        "booking.failed", "A failure is a 4xx or 5xx on the POST; released credit shows on the ledger."
    ),
    EventType("booking.modified", "No modification endpoint exists."),
    EventType("payment.succeeded", "Nothing collects a traveller payment."),
    EventType("payment.failed", "Nothing collects a traveller payment."),
    EventType("esim.usage_threshold", "Poll the usage route."),
    EventType("ledger.low_balance", "Poll the ledger and watch availableCents."),
    EventType("search_quota.threshold", "Read X-Search-Quota-Remaining."),
    EventType("settlement.invoice_issued", "No settlement runs exist."),
    EventType("settlement.payment_failed", "No settlement runs exist."),
    EventType("apikey.revoked", "The next call answers 401 api_key_revoked."),
)

EMITTED = frozenset(event.name for event in CATALOGUE if event.emitted)
SUBSCRIBABLE = frozenset(event.name for event in CATALOGUE if event.subscribable)
NOT_SUBSCRIBABLE = "is not an event type that can be subscribed to"
