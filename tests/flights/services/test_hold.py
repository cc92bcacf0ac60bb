"""Orders on hold and their payment, in the clock of a test environment: what is held, told and ended when."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.flights.models import FlightSearch
from apps.ledger.money import adjust
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown, Rejected, Unavailable
from apps.suppliers.models import SupplierAlert
from tests.flights.desk import BALANCE_CENTS, Desk, faults, funds, lines, refusal, told
from tests.support.scripted_flights import ScriptedFlights

HOUR = 3_600
KEY = "one-and-the-same-key"
UNTOUCHED = (BALANCE_CENTS, 0)


def advance(desk: Desk, seconds: float) -> None:
    """The partner moves the clock of the sandbox, and the worker sweeps."""
    reply = desk.api.post("/sandbox/clock", {"advanceSeconds": int(seconds)})
    assert reply.status == 200, reply.body
    poll_suppliers()


def advance_to(desk: Desk, order: dict[str, Any], *, before: float = 0) -> None:
    """Until so many seconds before the end of the hold."""
    now = datetime.fromisoformat(desk.api.get("/sandbox/clock").body["now"])
    pay_by = datetime.fromisoformat(order["payBy"])
    advance(desk, (pay_by - now).total_seconds() - before + 1)


def events() -> list[str]:
    return [name for name, _ in told()]


# --- The hold ------------------------------------------------------------------------------------------------------------
def test_an_order_on_hold_holds_no_funds_and_is_paid_later(desk: Desk, partner: Onboarded) -> None:
    offer = desk.holdable()
    order = desk.held(offer)
    assert (order["totalCents"], order["payBy"]) == (offer["totalCents"], offer["payBy"])
    assert (order["ticketNumbers"], len(order["pnr"])) == ([], 6)
    assert [step["penaltyCents"] for step in order["cancellationSteps"]] == [0]
    assert (funds(partner), lines(partner), told()) == (UNTOUCHED, [], [])
    assert [one["id"] for one in desk.api.get("/v1/flights/orders?status=on_hold").body["data"]] == [
        order["id"]
    ]

    reply = desk.pay(order)
    assert (reply.status, reply.body["status"]) == (200, "ticketed")
    assert (reply.body["payBy"], reply.body["totalCents"]) == (None, order["totalCents"])
    assert (len(reply.body["ticketNumbers"]), reply.body["pnr"]) == (1, order["pnr"])
    total = order["totalCents"]
    assert lines(partner) == [("hold", -total, total), ("capture", 0, -total)]
    assert told() == [("booking.confirmed", {"totalCents": total})]
    assert desk.read(order["id"]) == reply.body
    assert refusal(desk.pay(order)) == (409, "conflict")
    advance_to(desk, order)
    assert (desk.read(order["id"])["status"], events()) == ("ticketed", ["booking.confirmed"])


def test_an_offer_that_must_be_paid_at_once_cannot_be_held(desk: Desk, partner: Onboarded) -> None:
    soon = desk.searched(departureDate=1)["offers"][0]
    assert (soon["holdable"], soon["payBy"], soon["priceGuaranteedUntil"]) == (False, None, None)
    assert faults(desk.order(soon, hold=True)) == ["hold"]
    assert (Booking.objects.count(), funds(partner)) == (0, UNTOUCHED)


def test_services_are_not_held(desk: Desk, partner: Onboarded) -> None:
    wanted = [{"serviceId": "service_1", "quantity": 1}]
    assert faults(desk.order(desk.holdable(), hold=True, services=wanted)) == ["services"]
    assert faults(desk.order(desk.holdable(), hold="yes")) == ["hold"]
    assert (Booking.objects.count(), funds(partner)) == (0, UNTOUCHED)


def test_a_hold_needs_the_funds_that_it_does_not_hold(
    desk: Desk, partner: Onboarded, airline: ScriptedFlights
) -> None:
    offer = desk.holdable()
    adjust(
        account_id=partner.account.id,
        environment="test",
        amount_cents=offer["totalCents"] - 1 - BALANCE_CENTS,
        currency="EUR",
        reference="less",
    )
    assert refusal(desk.order(offer, hold=True)) == (402, "insufficient_funds")
    assert (Booking.objects.count(), airline.calls("reprice"), airline.calls("book")) == (0, 0, 0)


def test_so_many_orders_are_on_hold_unpaid_and_no_more(
    desk: Desk, stranger: Desk, airline: ScriptedFlights, settings: Settings
) -> None:
    settings.MOST_UNPAID_HOLDS = 2
    offer = desk.holdable()
    first, _ = desk.held(offer), desk.held(offer)
    before = airline.calls("book")
    assert refusal(desk.order(offer, hold=True)) == (409, "conflict")
    assert airline.calls("book") == before
    stranger.held(stranger.holdable())
    assert desk.order(offer).status == 201
    desk.pay(first)
    desk.held(offer)


def test_an_order_on_hold_is_cancelled_for_nothing(desk: Desk, partner: Onboarded) -> None:
    reply = desk.cancel(desk.held()["id"], maxPenaltyCents=0)
    assert (reply.status, reply.body["status"]) == (200, "cancelled")
    cancellation = reply.body["cancellation"]
    assert (cancellation["penaltyCents"], cancellation["refundCents"]) == (0, 0)
    assert told() == [("booking.cancelled", {"refunded": False, "refundCents": 0})]
    assert (funds(partner), lines(partner)) == (UNTOUCHED, [])


def test_the_quote_of_an_order_on_hold_is_nothing(desk: Desk, partner: Onboarded) -> None:
    order = desk.held()
    quote = desk.api.post(f"/v1/flights/orders/{order['id']}/cancellation-quote", {}).body
    assert (quote["penaltyCents"], quote["refundCents"], quote["refundTo"]) == (0, 0, "none")
    reply = desk.cancel(order["id"], cancellationQuoteId=quote["cancellationQuoteId"])
    assert (reply.status, reply.body["status"], funds(partner)) == (200, "cancelled", UNTOUCHED)


def test_a_quote_from_before_its_payment_does_not_cancel_an_order(desk: Desk, partner: Onboarded) -> None:
    offer = next(
        offer
        for offer in desk.searched()["offers"]
        if offer["holdable"] and not offer["conditions"]["refundable"]
    )
    order = desk.held(offer)
    quote = desk.api.post(f"/v1/flights/orders/{order['id']}/cancellation-quote", {}).body
    assert desk.pay(order).status == 200
    reply = desk.cancel(order["id"], cancellationQuoteId=quote["cancellationQuoteId"])
    assert (refusal(reply), desk.read(order["id"])["status"]) == ((410, "offer_expired"), "ticketed")


def test_an_order_on_hold_is_not_changed(desk: Desk) -> None:
    order = desk.held()
    accepted = desk.api.post(f"/v1/flights/orders/{order['id']}/schedule-changes/schedule_1/accept", {})
    option = {"changeId": "change_1"}
    for reply in (desk.ask_options(order), accepted, desk.confirm(order, option)):
        assert reply.status in (409, 410), reply.body
    assert refusal(desk.ask_options(order)) == refusal(accepted) == (409, "conflict")


# --- Its end -------------------------------------------------------------------------------------------------------------
def test_a_hold_is_reminded_of_once_and_ends_once(desk: Desk, partner: Onboarded) -> None:
    order = desk.held()
    advance_to(desk, order, before=7 * HOUR)
    assert told() == []
    for before in (5.9 * HOUR, 5 * HOUR):
        advance_to(desk, order, before=before)
    end = {"payBy": order["payBy"], "totalCents": order["totalCents"]}
    assert told() == [("booking.hold_expiring", end)]
    advance_to(desk, order)
    advance(desk, 24 * HOUR)
    assert told()[1:] == [
        ("booking.cancelled", {"refunded": False, "refundCents": 0}),
        ("booking.hold_expired", end),
    ]
    ended = desk.read(order["id"])
    assert (ended["status"], ended["cancellation"]["reason"]) == ("cancelled", "It was not paid in time.")
    assert refusal(desk.pay(order)) == (410, "offer_expired")
    assert refusal(desk.cancel(order["id"])) == (409, "conflict")
    assert (funds(partner), lines(partner)) == (UNTOUCHED, [])


def test_a_hold_that_ends_within_six_hours_is_reminded_of_at_once(desk: Desk) -> None:
    offer = desk.holdable()
    now = datetime.fromisoformat(desk.api.get("/sandbox/clock").body["now"])
    search = FlightSearch.objects.get()
    soon = {"pay_by": (now + timedelta(hours=5)).isoformat()}
    search.offers = [{**one, **soon} if one.get("pay_by") else one for one in search.offers]
    search.save()
    order = desk.held(offer)
    assert events() == ["booking.hold_expiring"]
    advance_to(desk, order, before=HOUR)
    assert events() == ["booking.hold_expiring"]
    advance_to(desk, order)
    assert sorted(events()) == ["booking.cancelled", "booking.hold_expired", "booking.hold_expiring"]


def test_an_airline_that_cancels_ends_the_hold(desk: Desk, partner: Onboarded) -> None:
    order = desk.held()
    reply = desk.api.post(f"/sandbox/bookings/{order['id']}/simulate", {"what": "supplier_cancels"})
    assert (reply.status, reply.body["booking"]["status"]) == (200, "cancelled")
    assert told() == [("booking.cancelled", {"refunded": False, "refundCents": 0})]
    assert (funds(partner), lines(partner)) == (UNTOUCHED, [])
    assert refusal(desk.pay(order)) == (409, "conflict")


def test_an_order_that_its_airline_changed_on_hold_cannot_be_paid(desk: Desk, partner: Onboarded) -> None:
    order = desk.held()
    assert desk.api.post(f"/sandbox/bookings/{order['id']}/simulate", {"what": "airline_moves"}).status == 200
    reply = desk.pay(order)
    assert refusal(reply) == (409, "conflict")
    assert "airline has changed" in reply.error["message"]
    assert (funds(partner), desk.read(order["id"])["status"]) == (UNTOUCHED, "on_hold")
    assert desk.cancel(order["id"]).status == 200


# --- Its payment ---------------------------------------------------------------------------------------------------------
def test_a_price_that_rose_after_its_guarantee_is_not_paid_unasked(desk: Desk, partner: Onboarded) -> None:
    order = desk.held(desk.holdable(guaranteed=False, destination="LHR"))
    before = order["totalCents"]
    assert order["priceGuaranteedUntil"] < order["payBy"]
    Booking.objects.update(next_news_at=None)  # no poll sees it first
    advance_to(desk, order, before=12 * HOUR)
    reply = desk.pay(order)
    assert refusal(reply) == (409, "price_changed")
    now = reply.error["currentTotalCents"]
    assert (reply.error["previousTotalCents"], now > before) == (before, True)
    assert refusal(desk.pay(order, maxTotalCents=now - 1)) == (409, "price_changed")
    assert (funds(partner), desk.read(order["id"])["status"]) == (UNTOUCHED, "on_hold")
    paid = desk.pay(order, maxTotalCents=now)
    assert (paid.status, paid.body["totalCents"]) == (200, now)
    assert funds(partner) == (BALANCE_CENTS - now, 0)


def test_the_price_of_an_order_on_hold_is_that_of_the_latest_poll(desk: Desk, partner: Onboarded) -> None:
    order = desk.held(desk.holdable(guaranteed=False, destination="LHR"))
    advance_to(desk, order, before=12 * HOUR)
    now = desk.read(order["id"])
    assert (now["totalCents"] > order["totalCents"], now["priceGuaranteedUntil"]) == (True, None)
    paid = desk.pay(now)
    assert (paid.status, paid.body["totalCents"]) == (200, now["totalCents"])


@pytest.mark.parametrize(
    ("error", "refused"),
    [
        (Rejected(), (502, "upstream_error")),
        (Unavailable(), (503, "upstream_unavailable")),
        (NotPossible("no"), (409, "conflict")),
        (Expired(), (410, "offer_expired")),
    ],
)
def test_a_refused_payment_leaves_the_order_on_hold(
    desk: Desk, partner: Onboarded, airline: ScriptedFlights, error: Exception, refused: tuple[int, str]
) -> None:
    order = desk.held()
    airline.spoil("pay", error)
    assert refusal(desk.pay(order, KEY)) == refused
    assert (funds(partner), desk.read(order["id"])["status"], told()) == (UNTOUCHED, "on_hold", [])
    assert Booking.objects.get().next_news_at <= clock.now()  # its supplier knows why
    assert desk.pay(order, KEY if refused[0] >= 500 else None).body["status"] == "ticketed"
    assert funds(partner) == (BALANCE_CENTS - order["totalCents"], 0)


def test_a_payment_that_the_funds_do_not_cover_is_not_asked_for(
    desk: Desk, partner: Onboarded, airline: ScriptedFlights
) -> None:
    order = desk.held()
    adjust(
        account_id=partner.account.id,
        environment="test",
        amount_cents=order["totalCents"] - 1 - BALANCE_CENTS,
        currency="EUR",
        reference="less",
    )
    assert refusal(desk.pay(order)) == (402, "insufficient_funds")
    assert (airline.calls("prepare_payment"), airline.calls("pay")) == (0, 0)
    assert desk.read(order["id"])["status"] == "on_hold"


def test_an_order_is_paid_by_its_own_partner_in_time_and_once(
    desk: Desk, live: Desk, stranger: Desk, partner: Onboarded
) -> None:
    order = desk.held()
    assert [refusal(other.pay(order)) for other in (live, stranger)] == [(404, "not_found")] * 2
    assert faults(desk.pay(order, maxTotalCents="much", tip=1)) == ["maxTotalCents", "tip"]
    Booking.objects.update(next_news_at=None)
    advance_to(desk, order)
    assert refusal(desk.pay(order)) == (410, "offer_expired")
    assert (funds(partner), desk.read(order["id"])["status"]) == (UNTOUCHED, "on_hold")


def test_of_two_payments_at_once_one_pays(desk: Desk, partner: Onboarded, airline: ScriptedFlights) -> None:
    order = desk.held()
    second: list[tuple[int, str | None]] = []
    airline.meanwhile("pay", lambda: second.append(refusal(desk.pay(order))))
    assert desk.pay(order).status == 200
    assert second == [(409, "conflict")]
    assert (airline.calls("pay"), funds(partner)) == (1, (BALANCE_CENTS - order["totalCents"], 0))


@pytest.mark.parametrize("paid", [True, False])
def test_a_payment_whose_answer_was_lost_is_found_and_not_made_again(
    desk: Desk, partner: Onboarded, airline: ScriptedFlights, move_clock: Callable[..., None], paid: bool
) -> None:
    order, total = desk.held(), 0
    total = order["totalCents"]
    airline.spoil("pay", OutcomeUnknown(), accepted=paid)
    assert refusal(desk.pay(order, KEY)) == (503, "upstream_unavailable")
    assert (desk.read(order["id"])["status"], funds(partner)) == ("pending", (BALANCE_CENTS - total, total))
    assert refusal(desk.cancel(order["id"])) == refusal(desk.pay(order)) == (409, "conflict")
    for _ in range(4):
        move_clock(minutes=3)
        recover_due()
    assert (airline.calls("pay"), Operation.objects.filter(state="uncertain").count()) == (1, 0)
    if paid:
        assert (desk.read(order["id"])["status"], funds(partner)) == ("ticketed", (BALANCE_CENTS - total, 0))
        assert told() == [("booking.confirmed", {"totalCents": total})]
        assert desk.pay(order, KEY).body["status"] == "ticketed"
    else:
        assert (desk.read(order["id"])["status"], funds(partner), told()) == ("on_hold", UNTOUCHED, [])


def test_an_order_that_was_paid_unknown_to_us_is_not_ended_and_not_paid_twice(
    desk: Desk, partner: Onboarded, airline: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    """Its payment was given up, and was made later all the same."""
    order = desk.held()
    reference = order["supplier"]["reference"]
    airline.simulator.pay("late", reference, airline.simulator.prepare_payment(reference))
    move_clock(days=1)
    poll_suppliers()
    assert (desk.read(order["id"])["status"], told()) == ("on_hold", [])
    assert SupplierAlert.objects.get().kind == "unresolved"
    assert desk.pay(order).body["status"] == "ticketed"
    assert (funds(partner), events()) == ((BALANCE_CENTS - order["totalCents"], 0), ["booking.confirmed"])


def test_a_hold_whose_answer_was_lost_is_found(
    desk: Desk, partner: Onboarded, airline: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    offer = desk.holdable()
    airline.spoil("book", OutcomeUnknown(), accepted=True)
    assert refusal(desk.order(offer, KEY, hold=True)) == (503, "upstream_unavailable")
    assert (Booking.objects.get().status, funds(partner)) == ("pending", UNTOUCHED)
    move_clock(minutes=3)
    recover_due()
    order = desk.order(offer, KEY, hold=True).body
    assert (order["status"], airline.calls("book")) == ("on_hold", 1)
    assert desk.pay(order).body["status"] == "ticketed"


def test_a_hold_that_stays_open_settles_as_a_hold(desk: Desk, partner: Onboarded) -> None:
    order = desk.order(desk.holdable(), hold=True, X_Partner_Customer_Ref="sbx_pending").body
    assert (order["status"], funds(partner)) == ("pending", UNTOUCHED)
    reply = desk.api.post(f"/sandbox/bookings/{order['id']}/simulate", {"what": "settles"})
    assert (reply.status, reply.body["booking"]["status"], funds(partner)) == (200, "on_hold", UNTOUCHED)
    assert (desk.read(order["id"])["payBy"] is not None, told()) == (True, [])


def test_a_hold_that_was_not_made_holds_nothing(
    desk: Desk, partner: Onboarded, airline: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    airline.spoil("book", OutcomeUnknown())
    assert desk.order(desk.holdable(), hold=True).status == 503
    for _ in range(4):
        move_clock(minutes=3)
        recover_due()
    assert (Booking.objects.get().status, funds(partner)) == ("failed", UNTOUCHED)
    assert [(name, data["releasedCents"]) for name, data in told()] == [("booking.rejected", 0)]


@pytest.mark.parametrize(
    ("trigger", "refused"),
    [
        ("sbx_offer_expired", (410, "offer_expired")),
        ("sbx_price_changed", (409, "price_changed")),
        ("sbx_insufficient_funds", (402, "insufficient_funds")),
        ("sbx_payment_failed", (402, "payment_failed")),
        ("sbx_supplier_error", (502, "upstream_error")),
    ],
)
def test_a_trigger_refuses_a_payment(
    desk: Desk, partner: Onboarded, trigger: str, refused: tuple[int, str]
) -> None:
    order = desk.held()
    assert refusal(desk.pay(order, X_Partner_Customer_Ref=trigger)) == refused
    assert (funds(partner), desk.read(order["id"])["status"]) == (UNTOUCHED, "on_hold")


def test_a_quote_on_hold_is_free_and_does_not_outlive_the_payment(desk: Desk, partner: Onboarded) -> None:
    order = desk.held(desk.holdable())
    path = f"/v1/flights/orders/{order['id']}/cancellation-quote"
    quote = desk.api.post(path).body
    assert (quote["penaltyCents"], quote["refundCents"], quote["refundTo"]) == (0, 0, "none")
    assert desk.pay(order).status == 200
    paid, before = desk.read(order["id"]), funds(partner)
    late = desk.cancel(order["id"], cancellationQuoteId=quote["cancellationQuoteId"])
    assert (refusal(late), desk.read(order["id"]), funds(partner)) == ((410, "offer_expired"), paid, before)


def test_an_order_on_hold_is_cancelled_at_its_quote(desk: Desk, partner: Onboarded) -> None:
    order = desk.held(desk.holdable())
    quote = desk.api.post(f"/v1/flights/orders/{order['id']}/cancellation-quote").body
    done = desk.cancel(order["id"], cancellationQuoteId=quote["cancellationQuoteId"])
    assert (done.status, done.body["status"]) == (200, "cancelled")
    assert (done.body["cancellation"]["penaltyCents"], done.body["airlineCredits"]) == (0, [])
    assert (funds(partner), events()) == (UNTOUCHED, ["booking.cancelled"])
