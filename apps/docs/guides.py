"""The guides, in reading order. Limits, events, scopes and triggers are read from the service itself, not repeated."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.templatetags.static import static

from apps.common import clock
from apps.docs import facts
from apps.docs.rendering import Page, ask, from_text, text_of
from apps.gateway import sandbox
from apps.keys import scopes
from apps.keys.scopes import is_sold, of_what_is_sold
from apps.ledger.money import OPENING_BALANCE
from apps.onboarding.sandboxes import MAX_OPENED_A_DAY
from apps.webhooks.event_data import EVENT_DATA
from apps.webhooks.events import CATALOGUE, EventType
from apps.webhooks.exams import CASE_HEADER, CASES


@dataclass(frozen=True, slots=True)
class Guide:
    slug: str
    title: str
    summary: str
    group: str
    """The heading in the navigation that it stands under."""
    context: Callable[[], dict[str, Any]] = dict
    product: str = ""
    """The product that it is about; it is shown where that is sold."""

    def page(self) -> Page:
        return from_text(self.text())

    def text(self) -> str:
        """As Markdown."""
        offered = {product: is_sold(product) for product in settings.SUPPLIERS}
        common = {"base_url": settings.PUBLIC_BASE_URL, "ask": ask(), "offered": offered}
        return text_of(f"docs/guides/{self.slug}.md", {**common, **self.context()})


RATE_CLASSES = {
    "SEARCH": "searches, re-pricing a flight offer",
    "BOOKING": "bookings, changes, cancellations, change options; altering and testing webhook endpoints, resending a delivery",
    "READ": "every other GET",
}


@dataclass(frozen=True, slots=True)
class TriggerStory:
    value: str
    effect: str
    applies: str
    story: str


TRIGGERS = (
    TriggerStory(
        sandbox.OFFER_EXPIRED,
        "410 `offer_expired`",
        "re-pricing an offer, reading a rate, hotel, flight and transfer bookings, changes",
        "The handle is treated as if its 20 minutes were over. Your client should search again and show the new price.",
    ),
    TriggerStory(
        sandbox.PRICE_CHANGED,
        "409 `price_changed`",
        "every booking, changes",
        "The supplier has become a tenth dearer. Your client should show `currentTotalCents` and ask.",
    ),
    TriggerStory(
        sandbox.INSUFFICIENT_FUNDS,
        "402 `insufficient_funds`",
        "every booking, changes",
        "Your balance does not cover it. Your client should tell your staff, not the traveller.",
    ),
    TriggerStory(
        sandbox.PAYMENT_FAILED,
        "402 `payment_failed`",
        "every booking, changes",
        "The payment failed; nothing was booked.",
    ),
    TriggerStory(
        sandbox.SUPPLIER_ERROR,
        "502 `upstream_error`",
        "every operation that reaches a supplier; eSIM usage answers its last known values with `status: null`",
        "The supplier refuses. The hold is released before you get the answer; a retry is a new attempt.",
    ),
    TriggerStory(
        sandbox.SLOW,
        f"the supplier answers {settings.SANDBOX_SLOW_SECONDS:g} s late, then as usual",
        "every operation that reaches a supplier",
        "Try your own timeouts with it, and what your pages show meanwhile.",
    ),
)

CHANGES = (
    TriggerStory(
        sandbox.SCHEDULE_CHANGED,
        "`booking.schedule_changed`",
        "flight orders",
        "The airline moves the first flight by 95 minutes and gives it another number. Your client should tell the traveller, "
        "and accept the change, change the order or cancel it.",
    ),
    TriggerStory(
        sandbox.SUPPLIER_CHANGED,
        "`booking.supplier_changed`",
        "hotel bookings, transfer orders",
        "The hotel gives another confirmation number; the driver comes twenty minutes later, to another door. Your client should "
        "send the traveller a new voucher.",
    ),
)
"""What lets a booking succeed and alters it afterwards."""

LEFT_PENDING = TriggerStory(
    sandbox.PENDING,
    '201 with `status: "pending"`, and the funds stay held',
    "every booking",
    "The supplier accepts the booking and delivers nothing. Your client should show that it is not certain yet, and wait for "
    "the event.",
)


def of_events() -> dict[str, Any]:
    return {
        "emitted": [{"name": e.name, "note": e.note.rstrip("."), "fields": fields_of(e)} for e in CATALOGUE if e.emitted],
        "silent": [event for event in CATALOGUE if is_silent(event)],
        "static_examples": static("examples/receivers"),
        "exam_cases": CASES,
        "case_header": CASE_HEADER,
    }  # fmt: skip


def fields_of(event: EventType) -> str:
    """The members of its payload's `data`."""
    return ", ".join(f"`{name}`" for name in EVENT_DATA[event.name]().fields)


def is_silent(event: EventType) -> bool:
    return event.subscribable and not event.emitted


def of_limits() -> dict[str, Any]:
    return {
        "rate_limits": [
            {"name": name, "limit": limit, "what": RATE_CLASSES[name]}
            for name, limit in settings.RATE_LIMITS.items()
        ],
        "search_quota": f"{settings.SEARCH_QUOTA_PER_DAY:,}",
        "keys": settings.KEYS_PER_ACCOUNT,
        "opened_a_day": MAX_OPENED_A_DAY,
    }


def of_scopes() -> dict[str, Any]:
    offered = of_what_is_sold(scopes.OPENS)
    return {"scopes": [{"name": scope, "opens": scopes.OPENS[scope]} for scope in offered]}


def of_a_day() -> dict[str, Any]:
    return {"departure_date": (clock.today() + timedelta(days=60)).isoformat()}


BEGIN, PRODUCTS, DETAILS, EVENTS, TEST = "Begin", "Products", "In detail", "Events", "Test and live"

GUIDES = (
    Guide("first-call", "First call", "From a key to a booking in five minutes.", BEGIN, of_a_day),
    Guide(
        "booking-safely",
        "Booking safely",
        "Prices that hold, bookings that are never doubled, and what to do when an answer does not come.",
        BEGIN,
    ),
    Guide("clients", "Client libraries", "For Python and TypeScript: types, retries, pages, errors.", BEGIN),
    Guide("idempotency", "Idempotency and retries", "Which calls to repeat, when, and what you get.", BEGIN),
    Guide(
        "hotels",
        "Hotels",
        "From a search to a cancelled room, with real answers.",
        PRODUCTS,
        product="hotels",
    ),
    Guide(
        "flights",
        "Sell a flight",
        "From the search to boarding, with real answers.",
        PRODUCTS,
        product="flights",
    ),
    Guide(
        "transfers",
        "Transfers",
        "From a search to the driver at the airport, with real answers.",
        PRODUCTS,
        product="transfers",
    ),
    Guide("esim", "eSIM", "From the catalogue to a QR code, with real answers.", PRODUCTS, product="esim"),
    Guide(
        "money",
        "Money and top-ups",
        "Amounts, prices, the balance, and how it is filled.",
        DETAILS,
        facts.of_money,
    ),
    Guide(
        "documents",
        "Documents, trips, statements",
        "Vouchers and receipts in your name, bookings of one trip, a month's account.",
        DETAILS,
    ),
    Guide("cancellation", "Cancellation terms", "What cancelling costs, before and after the sale.", DETAILS),
    Guide(
        "dates",
        "Dates and time zones",
        "Instants, local times and days, and how far ahead.",
        DETAILS,
        facts.of_dates,
    ),
    Guide(
        "pagination",
        "Pagination",
        "Cursors, filters, and a loop that misses nothing.",
        DETAILS,
        facts.of_lists,
    ),
    Guide("limits", "Limits", "Calls a minute, searches a day, sizes and lifetimes.", DETAILS, of_limits),
    Guide("versioning", "Versioning", "What may change under you, and what never will.", DETAILS),
    Guide("webhooks", "Webhooks", "Be told: signatures, retries, rotation.", EVENTS, of_events),
    Guide(
        "feed",
        "Never miss an event",
        "Read all that happened, each event once, in an order that never changes.",
        EVENTS,
    ),
    Guide(
        "events",
        "Event reference",
        "Every event with a whole payload, and those never sent.",
        EVENTS,
        facts.of_events,
    ),
    Guide(
        "sandbox",
        "Sandbox triggers",
        "Six failures on demand, each with a line to run, two changes afterwards, and one booking left pending.",
        TEST,
        lambda: {"triggers": TRIGGERS, "changes": CHANGES, "pending": LEFT_PENDING},
    ),
    Guide(
        "testing-time",
        "Testing rules of time",
        "Move the clock of your sandbox: expiry, retries, rotation, quota and lapse in seconds.",
        TEST,
    ),
    Guide(
        "sandboxes",
        "Several sandboxes",
        "Up to ten test environments that share nothing; a reset, and funds.",
        TEST,
        lambda: {"opening_balance": f"{OPENING_BALANCE:,.2f}", "opened_a_day": MAX_OPENED_A_DAY},
    ),
    Guide(
        "faults",
        "Faults and suppliers",
        "A share of calls that fail or get no answer, webhooks twice, and what suppliers do by themselves.",
        TEST,
    ),
    Guide(
        "test-data",
        "Test data",
        "Cities, routes, rides and plans that always work.",
        TEST,
        lambda: {"triggers": TRIGGERS, **facts.of_test_data()},
    ),
    Guide("going-live", "Going live", "Approval, live keys, scopes, addresses, rotation.", TEST, of_scopes),
)


def guides() -> list[Guide]:
    """Those of this deployment: none of a product that is not sold."""
    return [guide for guide in GUIDES if not guide.product or is_sold(guide.product)]
