from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from apps.bookings.models import Booking, Operation, Settlement
from apps.bookings.services.recover import recover_due
from apps.common.clock import day_after, rfc3339
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import InvalidField
from apps.suppliers.simulation.market import Market
from apps.transfers.details import OrderDetails
from apps.transfers.services.book import OrderTransfer, penalty_of
from apps.transfers.suppliers import registry
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
        company, "search", lambda request: [replace(o, remarks=("No pets.",)) for o in search(request)]
    )
    assert an_order(api)["remarks"] == ["No pets."]


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


def test_a_dearer_price_is_refused_and_nothing_is_held(
    api: Api, partner: Onboarded, company: Company
) -> None:
    offer = an_offer(api)
    company.at_percent(110)
    reply = order(api, offer["quoteId"])
    assert (reply.status, reply.error_type) == (409, "price_changed")
    assert reply.error["previousTotalCents"] == offer["totalCents"]
    assert reply.error["currentTotalCents"] == an_offer(api)["totalCents"] > offer["totalCents"]
    assert money(partner) == (BALANCE_CENTS, 0)
    assert company.bookings == 0


def test_a_dearer_price_within_the_limit_is_booked_and_held_whole(
    api: Api, partner: Onboarded, company: Company
) -> None:
    offer = an_offer(api)
    company.at_percent(110)
    body = order(api, offer["quoteId"], maxTotalCents=offer["totalCents"] * 2).body
    assert body["totalCents"] == body["settlement"]["amountCents"] == an_offer(api)["totalCents"]
    assert money(partner) == (BALANCE_CENTS - body["totalCents"], body["totalCents"])


def test_a_cheaper_price_is_what_the_order_costs(api: Api, company: Company) -> None:
    offer = an_offer(api)
    company.at_percent(90)
    body = order(api, offer["quoteId"]).body
    assert body["totalCents"] == an_offer(api)["totalCents"] < offer["totalCents"]
    assert Settlement.objects.get().amount_cents == body["totalCents"]


def test_a_limit_below_the_quote_is_refused_at_once(api: Api, company: Company) -> None:
    offer = an_offer(api)
    total = offer["totalCents"]
    reply = order(api, offer["quoteId"], maxTotalCents=total - 1)
    assert (reply.error["previousTotalCents"], reply.error["currentTotalCents"]) == (total, total)
    assert (company.bookings, Operation.objects.count()) == (0, 0)


def test_a_sold_out_quote_is_gone(api: Api, partner: Onboarded, company: Company) -> None:
    offer = an_offer(api)
    company.market = Market(sold_out=True)
    assert order(api, offer["quoteId"]).error_type == "offer_expired"
    assert money(partner) == (BALANCE_CENTS, 0)


def test_an_uncovered_order_is_refused_before_the_supplier_is_asked(db: None, company: Company) -> None:
    api = Api(a_partner(balance_cents=100).test_secret)
    offer = an_offer(api)
    reply = order(api, offer["quoteId"])
    assert (reply.status, reply.error_type) == (402, "insufficient_funds")
    assert (reply.error["availableCents"], reply.error["requiredCents"]) == (100, offer["totalCents"])
    assert company.bookings == 0


def test_an_external_reference_belongs_to_one_order(api: Api) -> None:
    first = an_order(api, externalReference="R-3")
    reply = order(api, an_offer(api)["quoteId"], externalReference="R-3")
    assert (reply.status, reply.error_type) == (409, "conflict")
    assert reply.error["bookingId"] == first["id"]


def test_a_quote_can_be_ordered_twice(api: Api) -> None:
    quote = an_offer(api)["quoteId"]
    assert order(api, quote).body["id"] != order(api, quote).body["id"]


def test_a_failed_orders_funds_were_released_and_its_reference_is_free(api: Api, partner: Onboarded) -> None:
    offer = an_offer(api)
    refused = order(api, offer["quoteId"], ref="sbx_supplier_error", externalReference="R-4")
    assert (refused.status, refused.error_type) == (502, "upstream_error")
    assert money(partner) == (BALANCE_CENTS, 0)
    (failed,) = api.get("/v1/transfers/orders?status=failed").body["data"]
    assert failed["settlement"] == {
        "funds": "released",
        "amountCents": offer["totalCents"],
        "currency": "EUR",
        "resolvedAt": failed["updatedAt"],
    }
    assert failed["pickup"] is None
    assert order(api, offer["quoteId"], externalReference="R-4").status == 201


def test_a_lost_answer_is_looked_up_and_never_booked_twice(
    api: Api, partner: Onboarded, company: Company
) -> None:
    offer = an_offer(api)
    company.loses_answers = True
    lost = order(api, offer["quoteId"], key="lost-answer-1")
    assert (lost.status, lost.error_type) == (503, "upstream_unavailable")
    (pending,) = api.get("/v1/transfers/orders?status=pending").body["data"]
    assert pending["settlement"]["funds"] == "still_held"
    assert money(partner)[1] == offer["totalCents"]
    again = order(api, offer["quoteId"], key="lost-answer-1")
    assert (again.status, again.body["id"], again.body["status"]) == (201, pending["id"], "confirmed")
    assert company.bookings == 1
    assert events(pending["id"])[0][0] == "booking.confirmed"


def test_the_recovery_worker_confirms_a_lost_order(
    api: Api, company: Company, move_clock: Callable[..., None]
) -> None:
    offer = an_offer(api)
    company.loses_answers = True
    assert order(api, offer["quoteId"]).status == 503
    move_clock(seconds=60)
    recover_due()
    (found,) = api.get("/v1/transfers/orders").body["data"]
    assert (found["status"], found["settlement"]["funds"]) == ("confirmed", "still_held")
    assert company.bookings == 1


def test_an_order_that_is_another_bookings_is_no_answer(
    api: Api, company: Company, monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]
) -> None:
    other = the_booking(an_order(api)["id"])
    other.supplier_name = "vendor"
    other.save()
    company.loses_answers = True
    assert order(api, an_offer(api)["quoteId"]).status == 503
    find = company.find_order

    def finding_the_other(*asked: Any) -> Any:
        return replace(find(*asked), supplier_reference=other.supplier_reference)

    with monkeypatch.context() as patched:
        patched.setattr(company, "find_order", finding_the_other)
        move_clock(seconds=60)
        recover_due()
    operation = Operation.objects.latest("id")
    assert (operation.state, operation.booking.status) == ("uncertain", "pending")
    move_clock(seconds=60)
    recover_due()
    assert Operation.objects.latest("id").state == "confirmed"


def test_a_lost_order_that_was_never_made_fails_and_frees_its_funds(
    api: Api,
    partner: Onboarded,
    company: Company,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: Callable[..., None],
) -> None:
    company.loses_answers = True
    assert order(api, an_offer(api)["quoteId"]).status == 503
    monkeypatch.setattr(company, "find_order", lambda *asked: None)
    for _ in range(2):
        move_clock(minutes=5)
        recover_due()
    assert (Booking.objects.get().status, money(partner)) == ("failed", (BALANCE_CENTS, 0))


def test_a_look_up_says_when_the_order_was_sent_and_which_ones_it_is_not(
    live: Api, former: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    like = the_booking(an_order(live)["id"])
    former.loses_answers = True
    assert order(live, an_offer(live)["quoteId"]).status == 503
    operation = Operation.objects.latest("id")
    asked: list[OrderRequest] = []
    monkeypatch.setattr(former, "find_order", lambda client_ref, request: asked.append(request))
    assert OrderTransfer().find(operation) is None
    assert [(request.sent_at, request.others) for request in asked] == [
        (operation.call_started_at, (like.supplier_reference,))
    ]


def test_what_cancelling_an_order_cost_is_none_while_it_stands() -> None:
    standing = TransferOrder("S-1", 10_000, "EUR", Pickup(None, ""), ())
    ended = replace(standing, cancellation=Cancellation(2_500, 7_500, "EUR"))
    assert [penalty_of(each) for each in (standing, ended)] == [None, 2_500]


def test_no_flight_number_is_demanded_where_the_supplier_needs_none(db: None) -> None:
    partner = a_partner(live=True)
    assert partner.live_secret is not None
    api = Api(partner.live_secret)
    assert order(api, an_offer(api)["quoteId"]).status == 201


def test_a_quote_of_a_supplier_that_is_no_longer_known_is_unavailable(
    api: Api, partner: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    quote = an_offer(api)["quoteId"]
    monkeypatch.delitem(registry.VENDORS, "simulator")
    reply = order(api, quote)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert money(partner) == (BALANCE_CENTS, 0)


@pytest.mark.parametrize(
    "quote",
    ["quote_nonsense", "rate_01m7x5p1nhjfd1zv7t4c4h1nst00", "quote_01m7x5p1nhjfd1zv7t4c4h1nst00", "x" * 255],
)
def test_a_quote_that_never_was_is_gone(api: Api, quote: str) -> None:
    assert order(api, quote).error_type == "offer_expired"


def test_a_quote_beyond_the_offers_is_gone(api: Api) -> None:
    quote = an_offer(api)["quoteId"]
    assert order(api, quote[:-1] + "9").error_type == "offer_expired"


def test_a_quote_belongs_to_the_partner_and_the_environment_that_searched(
    api: Api, partner: Onboarded
) -> None:
    quote = an_offer(api)["quoteId"]
    other = a_partner(live=True)
    for secret in (other.test_secret, other.live_secret):
        assert order(Api(secret or ""), quote, flightNumber="TP1").error_type == "offer_expired"
    assert order(api, quote).status == 201


def test_an_order_repeats_how_long_the_driver_waits(api: Api) -> None:
    offer = an_offer(api)
    body = order(api, offer["quoteId"]).body
    assert body["waitingTimes"] == offer["waitingTimes"] == [{"who": "driver", "minutes": 60}]
    assert (body["remarks"], body["operator"]) == (offer["remarks"], None) == ([], None)


def test_what_is_read_later_is_what_was_answered(api: Api) -> None:
    body = an_order(api)
    assert read(api, body["id"]) == body
    assert rfc3339(the_booking(body["id"]).updated_at) == body["updatedAt"]
