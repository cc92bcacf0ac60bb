"""Which quotes can be ordered, by whom, at which price; what an order says, and what its held funds become."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking, Settlement
from apps.common.clock import rfc3339
from apps.ledger.consistency import check_ledger
from apps.ledger.models import Hold
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import InvalidField
from apps.transfers.services.book import OrderTransfer
from apps.transfers.suppliers.base import OrderRequest
from apps.transfers.suppliers.registry import VENDORS
from tests.support.api import Api
from tests.support.product_handlers import assert_stays_with_its_supplier
from tests.transfers.agency import (
    BALANCE_CENTS,
    FEE,
    LEAD,
    Company,
    an_offer,
    an_order,
    events,
    money,
    order,
    read,
    steps,
)


def test_an_order_is_confirmed_with_its_funds_still_held(api: Api, partner: Onboarded) -> None:
    offer = an_offer(api, FEE)
    total = offer["totalCents"]
    reply = order(api, offer["quoteId"], flightNumber="TP1234", notes="One pram", externalReference="R-1")
    assert reply.status == 201
    body = reply.body
    assert body["id"] == body["orderId"]
    assert body["reference"][:2] == "T-"
    assert (body["status"], body["totalCents"], body["currency"]) == ("confirmed", total, "EUR")
    assert body["settlement"] == {
        "funds": "still_held",
        "amountCents": total,
        "currency": "EUR",
        "resolvedAt": None,
    }
    assert (body["quoteId"], body["externalReference"]) == (offer["quoteId"], "R-1")
    assert (body["flightNumber"], body["notes"]) == ("TP1234", "One pram")
    assert body["leadPassenger"] == LEAD
    assert body["vehicle"] == offer["vehicle"]
    assert body["cancellationPolicy"] == offer["cancellationPolicy"]
    assert body["passengers"] == {"adults": 2, "children": 0, "infants": 0}
    assert body["outbound"] == body["pickup"]["at"] == "2027-02-03T14:30:00"
    assert (body["from"]["name"], body["from"]["country"]) == ("Palma De Mallorca Airport", "ES")
    assert (body["to"]["type"], body["to"]["code"], body["to"]["name"]) == ("HOTEL", "265", None)
    assert body["cancellation"] is None
    assert money(partner) == (BALANCE_CENTS - total, total)
    assert steps(partner) == [("hold", -total)]
    assert check_ledger() == []


def test_what_the_company_needs_and_the_order_lacks_is_said_before_anything_is_held(
    live: Api, former: Company, another_sells: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the company that quoted it, which is asked in its own currency."""
    quote = an_offer(live)["quoteId"]
    another_sells()
    asked: list[OrderRequest] = []

    def lacking(request: OrderRequest) -> None:
        asked.append(request)
        raise InvalidField("flightNumber", "is required")

    with monkeypatch.context() as patched:
        patched.setattr(former, "refuse_lacking", lacking)
        reply = order(live, quote)
    assert (reply.status, reply.error["details"]) == (
        400,
        [{"field": "flightNumber", "message": "is required"}],
    )
    assert ([request.offer.currency for request in asked], Booking.objects.count()) == (["USD"], 0)
    assert order(live, quote).status == 201


def test_a_policy_that_the_company_does_not_repeat_is_the_one_quoted(
    api: Api, company: Company, monkeypatch: pytest.MonkeyPatch, clock_stands_still: datetime
) -> None:
    book = company.book
    monkeypatch.setattr(
        company, "book", lambda asked: replace(book(asked), cancellation_policy=(), policy_is_certain=False)
    )
    offer = an_offer(api, FEE)
    body = order(api, offer["quoteId"]).body
    assert body["cancellationPolicy"] == offer["cancellationPolicy"]
    assert body["cancellationSteps"] == offer["cancellationSteps"] is not None


def test_a_confirmation_is_told_and_leaves_the_capture_owing(api: Api) -> None:
    body = an_order(api, externalReference="R-2")
    ((kind, data),) = events(body["id"])
    assert kind == "booking.confirmed"
    assert data == {
        "bookingType": "transfer",
        "bookingId": body["id"],
        "bookingReference": body["reference"],
        "externalReference": "R-2",
        "totalCents": body["totalCents"],
        "currency": "EUR",
    }
    owed = Settlement.objects.get()
    assert (owed.action, owed.amount_cents, owed.settled_at) == ("capture", body["totalCents"], None)


@pytest.mark.parametrize(
    ("ends", "number", "status"),
    [
        ({}, "TP123456", 201),
        ({}, "TP1234567", 400),
        ({"to": {"type": "STATION", "code": "PMS"}}, "TP1234; AVE3082", 201),
        ({"to": {"type": "PORT", "code": "PMP"}}, "TP1234; SEASIDE, MSC Cruises", 201),
        ({"from": {"type": "HOTEL", "code": "7"}}, "AVE3082; SEASIDE", 400),
    ],
)
def test_a_flight_number_is_longer_only_where_there_is_a_station_or_a_port(
    api: Api, partner: Onboarded, ends: dict[str, Any], number: str, status: int
) -> None:
    """Nothing is held for one that is too long."""
    reply = order(api, an_offer(api, **ends)["quoteId"], flightNumber=number)
    assert reply.status == status
    if status == 400:
        assert reply.error["details"] == [
            {"field": "flightNumber", "message": "must have at most 8 characters"}
        ]
        assert money(partner) == (BALANCE_CENTS, 0)
    else:
        assert reply.body["flightNumber"] == number


def test_a_dearer_price_is_refused_and_nothing_is_held(api, partner, company):
    offer = an_offer(api)
    company.at_percent(110)
    reply = order(api, offer["quoteId"])
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["previousTotalCents"] == offer["totalCents"]
    assert reply.error["currentTotalCents"] == an_offer(api)["totalCents"] > offer["totalCents"]
    assert money(partner) == (BALANCE_CENTS, 0)
    assert company.bookings == 0


def test_a_dearer_price_within_the_limit_is_booked_and_held_whole(api, partner, company):
    offer = an_offer(api)
    company.at_percent(110)
    body = order(api, offer["quoteId"], maxTotalCents=offer["totalCents"] * 2).body
    assert body["totalCents"] == body["settlement"]["amountCents"] == an_offer(api)["totalCents"]
    assert money(partner) == (BALANCE_CENTS - body["totalCents"], body["totalCents"])


@pytest.mark.parametrize(
    "quote",
    ["quote_nonsense", "rate_01m7x5p1nhjfd1zv7t4c4h1nst00", "quote_01m7x5p1nhjfd1zv7t4c4h1nst00", "x" * 255],
)
def test_a_quote_that_never_was_is_gone(api: Api, quote: str) -> None:
    assert order(api, quote).error_type == "offer_expired"


def test_the_worker_captures_what_is_held(api: Api, partner: Onboarded) -> None:
    before = an_order(api)
    total = before["totalCents"]
    assert settle_owed() == 1
    after = read(api, before["id"])
    settled_at = Settlement.objects.get().settled_at
    assert settled_at is not None
    assert after["settlement"] == {
        "funds": "captured",
        "amountCents": total,
        "currency": "EUR",
        "resolvedAt": rfc3339(settled_at),
    }
    moved = {"settlement", "updatedAt"}
    assert {k: v for k, v in after.items() if k not in moved} == {
        k: v for k, v in before.items() if k not in moved
    }
    assert money(partner) == (BALANCE_CENTS - total, 0)
    assert steps(partner) == [("hold", -total), ("capture", -total)]
    assert check_ledger() == []


def test_what_was_held_above_the_price_booked_comes_back_with_the_capture(api, partner, company):
    offer = an_offer(api)
    company.at_percent(90)
    body = order(api, offer["quoteId"]).body
    assert money(partner)[1] == offer["totalCents"] > body["totalCents"]
    settle_owed()
    assert money(partner) == (BALANCE_CENTS - body["totalCents"], 0)
    hold = Hold.objects.get()
    assert (hold.status, hold.captured_cents) == ("captured", body["totalCents"])


def test_an_order_stays_with_the_supplier_that_it_was_made_with(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_stays_with_its_supplier(OrderTransfer(), VENDORS, Company(), monkeypatch)
