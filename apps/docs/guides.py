"""The guides, in reading order. Their limits, events, scopes and triggers are generated from the code."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.templatetags.static import static

from apps.accounts.models import MAX_SANDBOXES
from apps.common import clock
from apps.common.environments import Environment
from apps.docs import error_pages, facts, reference
from apps.docs.clients import COMMANDS, install
from apps.docs.rendering import Page, ask, from_text, text_of
from apps.gateway import sandbox
from apps.keys import scopes
from apps.keys.scopes import is_sold, of_what_is_sold
from apps.keys.services import DEFAULT_OVERLAP, LONGEST_OVERLAP
from apps.ledger.money import OPENING_BALANCE
from apps.mcp.tools import TOOLS
from apps.onboarding.sandboxes import MAX_OPENED_A_DAY
from apps.sandbox.simulate import What
from apps.webhooks.exams import CASE_HEADER, CASES
from apps.webhooks.models import RETENTION


@dataclass(frozen=True, slots=True)
class Guide:
    slug: str
    title: str
    summary: str
    group: str
    """Its heading in the sidebar."""
    context: Callable[[], dict[str, Any]] = dict
    product: str = ""
    """The product that it is about. The guide is shown if the product is sold."""

    def page(self) -> Page:
        return from_text(self.text())

    def text(self) -> str:
        """As Markdown."""
        offered = {product: is_sold(product) for product in settings.SUPPLIERS}
        common = {"base_url": settings.PUBLIC_BASE_URL, "ask": ask(), "offered": offered}
        return text_of(f"docs/guides/{self.slug}.md", {**common, **self.context()})


RATE_CLASSES = {
    "SEARCH": "searches, and calls that ask an airline: re-pricing, bags, seat maps",
    "BOOKING": "every other POST, PUT, PATCH and DELETE",
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
        "bookings except eSIM, changes, re-pricing an offer and reading a rate",
        "The handle is treated as expired. Search again and show the new price.",
    ),
    TriggerStory(
        sandbox.PRICE_CHANGED,
        "409 `price_changed`",
        "bookings and changes",
        "The supplier now charges 10 % more. Show `currentTotalCents` and ask the traveller.",
    ),
    TriggerStory(
        sandbox.INSUFFICIENT_FUNDS,
        "402 `insufficient_funds`",
        "bookings and changes",
        "Your balance does not cover the price. Alert your staff: the traveller cannot fix it.",
    ),
    TriggerStory(
        sandbox.PAYMENT_FAILED,
        "402 `payment_failed`",
        "bookings and changes",
        "The payment failed and nothing was booked.",
    ),
    TriggerStory(
        sandbox.SUPPLIER_ERROR,
        "502 `upstream_error`",
        "calls that reach a supplier",
        "The supplier refuses. The hold is already released; a retry is a new attempt. eSIM usage returns its last known values.",
    ),
    TriggerStory(
        sandbox.SLOW,
        f"The usual response, {settings.SANDBOX_SLOW_SECONDS:g} s later",
        "calls that reach a supplier",
        "Check your timeouts, and what your pages show in the meantime.",
    ),
)

CHANGES = (
    TriggerStory(
        sandbox.SCHEDULE_CHANGED,
        "201, then `booking.schedule_changed`",
        "flight orders",
        "The airline moves the first flight by 95 minutes and renumbers it. Inform the traveller, then accept, change or cancel.",
    ),
    TriggerStory(
        sandbox.SUPPLIER_CHANGED,
        "201, then `booking.supplier_changed`",
        "hotel bookings and transfer orders",
        "A hotel changes its confirmation number; a driver comes 20 minutes later, to another door. Send a new voucher.",
    ),
)
"""What lets a booking succeed and alters it afterwards."""

LEFT_PENDING = TriggerStory(
    sandbox.PENDING,
    '201 with `status: "pending"`; the funds stay held',
    "bookings",
    "The supplier accepts the booking but does not deliver. Wait for the event: after about three minutes the booking is "
    "rejected, unless you [simulate](#simulate) `settles`.",
)

SIMULATED = (
    TriggerStory(
        What.SUPPLIER_CANCELS,
        "`booking.cancelled` and `payment.refunded`",
        "any confirmed booking",
        "The supplier cancels; you get the whole price back.",
    ),
    TriggerStory(
        What.AIRLINE_MOVES,
        "`booking.schedule_changed`",
        "ticketed flight orders",
        "The first flight leaves 95 minutes later, under another number.",
    ),
    TriggerStory(
        What.SUPPLIER_CHANGES,
        "`booking.supplier_changed`",
        "confirmed hotels and transfers",
        "The hotel's confirmation number changes, or the driver's time and place.",
    ),
    TriggerStory(
        What.SETTLES,
        "`booking.confirmed` or `esim.provisioned`; for a credit `payment.refunded`",
        "pending bookings, and bookings with funds still held or a credit still due",
        "The booking is confirmed, the funds are captured, or the credit is paid.",
    ),
    TriggerStory(
        What.NOT_MADE,
        "`booking.rejected`",
        "pending bookings",
        "The booking turns out not to exist, and its hold is released.",
    ),
)
"""What `POST /sandbox/bookings/{id}/simulate` can do; `effect` names the events."""


def of_events() -> dict[str, Any]:
    return {
        "static_examples": static("examples/receivers"),
        "exam_cases": CASES,
        "case_header": CASE_HEADER,
        **facts.of_events(),
    }


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


def of_keys() -> dict[str, Any]:
    offered = of_what_is_sold(scopes.OPENS)
    return {
        "scopes": [{"name": scope, "opens": scopes.OPENS[scope]} for scope in offered],
        "overlap": {"default": DEFAULT_OVERLAP // timedelta(hours=1), "longest": LONGEST_OVERLAP.days},
        **of_limits(),
    }


def of_concepts() -> dict[str, Any]:
    return {**facts.of_dates(), **facts.of_lists(), "names": facts.names(), "sandboxes": MAX_SANDBOXES}


def of_errors() -> dict[str, Any]:
    return {"envelope": error_pages.BY_TYPE["insufficient_funds"].example, "errors": error_pages.table()}


def of_testing() -> dict[str, Any]:
    return {
        "triggers": (*TRIGGERS, *CHANGES, LEFT_PENDING),
        "simulated": SIMULATED,
        "faults": reference.by_id("setSandboxFaults").body,
        "sandboxes": MAX_SANDBOXES,
        "retries": facts.retries(),
        "kept_days": RETENTION.days,
        "opening_balance": f"{OPENING_BALANCE:,.2f}",
        "opened_a_day": MAX_OPENED_A_DAY,
        **facts.of_test_data(),
    }


def of_first_booking() -> dict[str, Any]:
    return {
        "departure_date": (clock.today() + timedelta(days=60)).isoformat(),
        "install": {language: install(language) for language in COMMANDS},
    }


def of_assistants() -> dict[str, Any]:
    every = set(scopes.GRANTABLE)
    return {"tools": [tool for tool in TOOLS.values() if tool.is_open_to(every, Environment.TEST)]}


START, BUILD, PRODUCTS, LAUNCH = "Start", "Build", "Products", "Test and launch"

GUIDES = (
    Guide("get-started", "Get started", "From a key to a booking in five minutes.", START, of_first_booking),
    Guide(
        "concepts",
        "Concepts",
        "Accounts, environments, handles, holds, references: what all four products share.",
        START,
        of_concepts,
    ),
    Guide(
        "authentication", "Authentication", "Keys, scopes, addresses, rotation and limits.", START, of_keys
    ),
    Guide(
        "errors-and-retries",
        "Errors and retries",
        "What each error means, when to retry, and how to never book twice.",
        BUILD,
        of_errors,
    ),
    Guide(
        "money",
        "Money",
        "Amounts, the balance, spend limits, approvals and statements.",
        BUILD,
        facts.of_money,
    ),
    Guide(
        "trips-and-documents",
        "Trips and documents",
        "All bookings of a trip in one list; vouchers, itineraries and receipts in your name.",
        BUILD,
    ),
    Guide(
        "webhooks",
        "Webhooks and events",
        "Receive events as they happen, and read those that you missed.",
        BUILD,
        of_events,
    ),
    Guide(
        "hotels",
        "Hotels",
        "Find a place, search, book, hand out the voucher, change, correct, cancel.",
        PRODUCTS,
        facts.of_hotels,
        product="hotels",
    ),
    Guide(
        "flights",
        "Flights",
        "Search, price, order or hold, add bags and seats, change, handle schedule changes, cancel.",
        PRODUCTS,
        facts.of_flights,
        product="flights",
    ),
    Guide(
        "transfers",
        "Transfers",
        "Search rides and round trips, order them with extras, cancel.",
        PRODUCTS,
        facts.of_transfers,
        product="transfers",
    ),
    Guide(
        "esim",
        "eSIM",
        "Choose a plan, order it, install it, follow its usage, top up, refund.",
        PRODUCTS,
        product="esim",
    ),
    Guide(
        "testing",
        "Testing",
        "Failures on demand, a clock you can move, several sandboxes, and test data that always works.",
        LAUNCH,
        of_testing,
    ),
    Guide(
        "assistants",
        "Let an assistant book",
        "Connect an assistant over MCP, and stay in control of what it books.",
        LAUNCH,
        of_assistants,
    ),
    Guide("go-live", "Go live", "A checklist from the test key to the first live booking.", LAUNCH),
)

MOVED = {
    "booking-safely": "errors-and-retries#never-book-twice",
    "cancellation": "concepts#cancellation-terms",
    "clients": "get-started#client-libraries",
    "dates": "concepts#dates-and-time-zones",
    "documents": "trips-and-documents",
    "events": "webhooks#event-types",
    "faults": "testing#faults",
    "feed": "webhooks#the-feed",
    "first-call": "get-started",
    "going-live": "go-live",
    "idempotency": "errors-and-retries#never-book-twice",
    "limits": "authentication#limits",
    "pagination": "concepts#lists",
    "sandbox": "testing#triggers",
    "sandboxes": "testing#sandboxes",
    "test-data": "testing#test-data",
    "testing-time": "testing#the-clock",
    "versioning": "concepts#versions",
}
"""Former slugs, each with the guide and the section that replace it."""


def former_names(slug: str) -> str:
    """The former slugs of what a guide contains, in words: readers still search for them."""
    return " ".join(old.replace("-", " ") for old, new in MOVED.items() if new.partition("#")[0] == slug)


def guides() -> list[Guide]:
    """The guides of this deployment, without products that are not sold."""
    return [guide for guide in GUIDES if not guide.product or is_sold(guide.product)]
