from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from apps.bookings.models import Booking, Settlement
from apps.common.clock import day_after, rfc3339
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import InvalidField
from apps.suppliers.results import Found
from apps.transfers.details import OrderDetails
from apps.transfers.services.book import penalty_of
from apps.transfers.suppliers.base import (
    Cancellation,
    LeadPassenger,
    OrderRequest,
    Pickup,
    TransferOrder,
)
from tests.support.api import Api
from tests.transfers.agency import (
    BALANCE_CENTS,
    FEE,
    LEAD,
    Company,
    a_partner,
    an_offer,
    an_order,
    events,
    money,
    order,
    read,
    steps,
    the_booking,
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


def test_the_company_is_asked_for_what_the_partner_said(
    api: Api, company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[OrderRequest] = []
    book = company.book

    def asking(request: OrderRequest) -> TransferOrder:
        asked.append(request)
        return book(request)

    monkeypatch.setattr(company, "book", asking)
    body = an_order(api, flightNumber="TP1234", notes="One pram")
    (request,) = asked
    assert request.client_ref == body["reference"]
    assert request.search == OrderDetails.of(the_booking(body["id"])).search
    assert request.lead_passenger == LeadPassenger("Ada", "Lovelace", LEAD["email"], LEAD["phone"])
    assert (request.flight_number, request.notes) == ("TP1234", "One pram")


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


def test_an_order_repeats_what_the_traveller_has_to_be_told(
    api: Api, company: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = company.search
    monkeypatch.setattr(
        company, "search", lambda request: Found(replace(o, remarks=("No pets.",)) for o in search(request))
    )
    assert an_order(api)["remarks"] == ["No pets."]


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


def test_an_order_is_watched_until_the_day_after_its_journey(api: Api) -> None:
    booking = the_booking(an_order(api)["id"])
    assert booking.watched_until == day_after(OrderDetails.of(booking).search.outbound.date())


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


def test_an_external_reference_belongs_to_one_order(api: Api) -> None:
    first = an_order(api, externalReference="R-3")
    reply = order(api, an_offer(api)["quoteId"], externalReference="R-3")
    assert (reply.status, reply.error_type) == (409, "conflict")
    assert reply.error["bookingId"] == first["id"]


def test_what_cancelling_an_order_cost_is_none_while_it_stands() -> None:
    standing = TransferOrder("S-1", 10_000, "EUR", Pickup(None, ""), ())
    ended = replace(standing, cancellation=Cancellation(2_500, 7_500, "EUR"))
    assert [penalty_of(each) for each in (standing, ended)] == [None, 2_500]


def test_no_flight_number_is_demanded_where_the_supplier_needs_none(db: None) -> None:
    partner = a_partner(live=True)
    assert partner.live_secret is not None
    api = Api(partner.live_secret)
    assert order(api, an_offer(api)["quoteId"]).status == 201


def test_an_order_repeats_how_long_the_driver_waits(api: Api) -> None:
    offer = an_offer(api)
    body = order(api, offer["quoteId"]).body
    assert body["waitingTimes"] == offer["waitingTimes"] == [{"who": "driver", "minutes": 60}]
    assert (body["remarks"], body["operator"]) == (offer["remarks"], None) == ([], None)


def test_what_is_read_later_is_what_was_answered(api: Api) -> None:
    body = an_order(api)
    assert read(api, body["id"]) == body
    assert rfc3339(the_booking(body["id"]).updated_at) == body["updatedAt"]


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
