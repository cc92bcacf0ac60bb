"""Cancellations at Duffel: their quote kept and confirmed, refunds into airline credit, codes that come later."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from apps.accounts.actors import SUPPORT
from apps.bookings.flow.cancel import cancel_for_member
from apps.bookings.flow.members import new_key
from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.bookings.models import Booking, CancellationQuote
from apps.common import clock
from apps.common.errors import Conflict
from apps.flights.suppliers.base import Cancellation
from apps.flights.suppliers.duffel import changes
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.keys import authentication
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Expired, NotPossible
from apps.suppliers.models import SupplierAlert
from apps.suppliers.results import AirlineCredit
from tests.flights.desk import ADA, BALANCE_CENTS, CHARLES, Desk, desk_of, funds, refusal, told
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.live import live_keys_at_duffel
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import connector, flexible
from tests.flights.suppliers.requests import a_change, an_order, new_ref
from tests.support.api import Reply
from tests.support.supplier_stub import Trouble

CONFLICT = (409, "conflict")
CREATED = "air.airline_credit.created"


def order_of(duffel: DuffelFlights) -> str:
    return duffel.book(an_order(flexible(duffel))).supplier_reference


def for_two(seller: Desk) -> dict[str, Any]:
    """A refundable order of two adults."""
    offer = seller.flexible(passengers={"adults": 2})
    reply = seller.order(offer, passengers=[ADA, CHARLES])
    assert reply.status == 201, reply.body
    return dict(reply.body)


def quote(seller: Desk, order: dict[str, Any]) -> Reply:
    return seller.api.post(f"/v1/flights/orders/{order['id']}/cancellation-quote")


def quoted(seller: Desk, order: dict[str, Any]) -> dict[str, Any]:
    reply = quote(seller, order)
    assert reply.status == 200, reply.body
    return dict(reply.body)


# --- Their quote ---------------------------------------------------------------------------------------------------------
def test_their_quote_is_kept_and_confirmed_without_asking_again(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded
) -> None:
    order = seller.ordered()
    told_now = quoted(seller, order)
    ends = CancellationQuote.objects.get().expires_at
    assert clock.now() + timedelta(minutes=19) < ends <= clock.now() + timedelta(minutes=20)
    done = seller.cancel(order["id"], cancellationQuoteId=told_now["cancellationQuoteId"])
    assert done.body["cancellation"]["penaltyCents"] == told_now["penaltyCents"]
    assert len(at_duffel.heard_by("POST", paths.CANCELLATIONS)) == 1
    assert funds(partner, "live") == (BALANCE_CENTS - told_now["penaltyCents"], 0)


@pytest.mark.parametrize("cheaper", [False, True])
def test_a_stale_quote_is_asked_for_once_more_and_costs_no_more(
    seller: Desk, at_duffel: DuffelStub, cheaper: bool
) -> None:
    order = seller.ordered()
    told_now = quoted(seller, order)
    stored = at_duffel.orders[order["supplier"]["reference"]]
    stored["version"] += 1
    if cheaper:
        stored["waived"] = Decimal("5.00")
    done = seller.cancel(order["id"], cancellationQuoteId=told_now["cancellationQuoteId"])
    assert done.status == 200, done.body
    saved = 500 if cheaper else 0
    assert done.body["cancellation"]["penaltyCents"] == told_now["penaltyCents"] - saved
    assert len(at_duffel.heard_by("POST", paths.CANCELLATIONS)) == 2


def test_a_stale_quote_that_costs_more_by_now_cancels_nothing(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded
) -> None:
    order = seller.ordered()
    told_now, before = quoted(seller, order), funds(partner, "live")
    stored = at_duffel.orders[order["supplier"]["reference"]]
    stored["version"] += 1
    stored["waived"] = Decimal("-5.00")
    refused = seller.cancel(order["id"], cancellationQuoteId=told_now["cancellationQuoteId"])
    assert (refusal(refused), refused.error["penaltyCents"]) == (CONFLICT, told_now["penaltyCents"] + 500)
    assert (seller.read(order["id"]), funds(partner, "live")) == (order, before)
    assert stored["cancelled_at"] is None


def test_their_expiry_is_the_limit_where_it_comes_first(seller: Desk, at_duffel: DuffelStub) -> None:
    at_duffel.quote_lasts = timedelta(minutes=7)
    quoted(seller, seller.ordered())
    ends = CancellationQuote.objects.get().expires_at
    assert clock.now() + timedelta(minutes=6) < ends <= clock.now() + timedelta(minutes=7)


def test_a_quote_on_hold_returns_nothing_once_the_order_is_paid(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded
) -> None:
    at_duffel.holds = True
    order = seller.held(seller.holdable(guaranteed=False))
    told_now = quoted(seller, order)
    assert (told_now["penaltyCents"], told_now["refundCents"], told_now["refundTo"]) == (0, 0, "none")
    assert seller.pay(order).status == 200
    before = funds(partner, "live")
    late = seller.cancel(order["id"], cancellationQuoteId=told_now["cancellationQuoteId"])
    assert (refusal(late), funds(partner, "live")) == ((410, "offer_expired"), before)
    assert at_duffel.heard_by("POST", paths.CONFIRM_CANCELLATION) == []


def test_a_refund_that_is_unknown_has_no_quote(seller: Desk, at_duffel: DuffelStub) -> None:
    order = seller.ordered()
    at_duffel.refund_known = False
    assert refusal(quote(seller, order)) == CONFLICT
    assert refusal(seller.cancel(order["id"], acceptAirlineCredit=True)) == CONFLICT
    assert seller.read(order["id"]) == order


# --- Credits -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("with_quote", [True, False], ids=["with a quote", "without"])
def test_a_refund_into_credit_is_accepted_or_nothing_is_cancelled(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded, with_quote: bool
) -> None:
    at_duffel.refund_to = "airline_credits"
    order = for_two(seller)
    at_duffel.orders[order["supplier"]["reference"]]["passengers"].reverse()
    body: dict[str, Any] = {}
    if with_quote:
        told_now = quoted(seller, order)
        assert (told_now["refundCents"], told_now["refundTo"]) == (0, "airline_credit")
        assert sorted(one["passenger"] for one in told_now["airlineCredits"]) == [0, 1]
        body["cancellationQuoteId"] = told_now["cancellationQuoteId"]
    refused = seller.cancel(order["id"], **body)
    assert (refusal(refused), refused.error["refundTo"]) == (CONFLICT, "airline_credit")
    assert seller.read(order["id"]) == order
    done = seller.cancel(order["id"], acceptAirlineCredit=True, **body).body
    said = done["cancellation"]
    assert (said["penaltyCents"], said["refundCents"]) == (order["totalCents"], 0)
    assert sorted((one["passenger"], one["amountCents"]) for one in done["airlineCredits"]) == [
        (place, _half(order)) for place in (0, 1)
    ]
    issued = {f"MCO{credit_id[-8:]}" for credit_id in at_duffel.credits}
    assert {one["code"] for one in done["airlineCredits"]} <= issued
    assert funds(partner, "live") == (BALANCE_CENTS - order["totalCents"], 0)
    assert sorted(name for name, _ in told()) == [
        "airline_credit.issued",
        "booking.cancelled",
        "booking.confirmed",
    ]


def _half(order: dict[str, Any]) -> int:
    return int((order["totalCents"] - order["conditions"]["penaltyCents"]) // 2)


def in_credit_without_codes(seller: Desk, stub: DuffelStub) -> dict[str, Any]:
    """A cancelled order of two whose airline has issued no code yet."""
    stub.refund_to, stub.codes_later = "airline_credits", True
    order = for_two(seller)
    done = seller.cancel(order["id"], acceptAirlineCredit=True)
    assert [one["code"] for one in done.body["airlineCredits"]] == [None, None]
    assert "airline_credit.issued" not in dict(told())
    return dict(done.body)


def deliver(stub: DuffelStub, type: str, object: dict[str, Any]) -> None:
    headers, body = stub.webhook(type, object)
    sent = Client().post("/suppliers/duffel/webhooks", body, content_type="application/json", headers=headers)
    assert sent.status_code == 200


@pytest.mark.parametrize("heard_of", [True, False], ids=["by webhook", "by polling"])
def test_codes_that_come_later_are_read_and_told_once(
    seller: Desk, at_duffel: DuffelStub, move_clock: Callable[..., None], heard_of: bool
) -> None:
    order = in_credit_without_codes(seller, at_duffel)
    for credit_id in at_duffel.issue_codes():
        if heard_of:
            deliver(at_duffel, CREATED, {"id": credit_id})
            follow_hints()
    if not heard_of:
        move_clock(days=1, minutes=1)
        assert poll_suppliers() == 0
    read = seller.read(order["id"])
    codes = {one["code"] for one in read["airlineCredits"]}
    assert codes == {f"MCO{credit_id[-8:]}" for credit_id in at_duffel.credits}
    assert None not in {one["expiresOn"] for one in read["airlineCredits"]}
    events = [data for name, data in told() if name == "airline_credit.issued"]
    assert len(events) == 1
    assert not any(str(code) in str(events) for code in codes)
    assert (Booking.objects.get().next_news_at, Booking.objects.get().watched_until) == (None, None)
    move_clock(days=2)
    poll_suppliers()
    assert [name for name, _ in told()].count("airline_credit.issued") == 1


def test_a_credit_without_a_code_is_asked_for_a_month(
    seller: Desk, at_duffel: DuffelStub, move_clock: Callable[..., None]
) -> None:
    order = in_credit_without_codes(seller, at_duffel)
    move_clock(days=1, minutes=1)
    poll_suppliers()
    assert (seller.read(order["id"]), Booking.objects.get().next_news_at is None) == (order, False)
    move_clock(days=30)
    poll_suppliers()
    move_clock(days=1)
    poll_suppliers()
    assert Booking.objects.get().next_news_at is None


@pytest.mark.parametrize("object", [{"id": "acd_unknown"}, {}, {"id": None}], ids=str)
def test_the_word_of_a_credit_that_nobody_knows_harms_nothing(
    seller: Desk, at_duffel: DuffelStub, object: dict[str, Any]
) -> None:
    order = in_credit_without_codes(seller, at_duffel)
    deliver(at_duffel, CREATED, object)
    follow_hints()
    assert seller.read(order["id"]) == order


def test_a_lost_answer_to_a_cancellation_into_credit_is_looked_up(
    seller: Desk, at_duffel: DuffelStub, move_clock: Callable[..., None]
) -> None:
    at_duffel.refund_to = "airline_credits"
    order = for_two(seller)
    body = {"cancellationQuoteId": quoted(seller, order)["cancellationQuoteId"], "acceptAirlineCredit": True}
    at_duffel.trouble("POST", paths.CONFIRM_CANCELLATION, Trouble(end="reset"))
    assert refusal(seller.cancel(order["id"], "one-and-the-same", **body)) == (503, "upstream_unavailable")
    move_clock(minutes=1)
    assert recover_due() == 1
    read = seller.read(order["id"])
    assert (read["status"], len({one["code"] for one in read["airlineCredits"]})) == ("cancelled", 2)
    assert seller.cancel(order["id"], "one-and-the-same", **body).body == read
    assert [name for name, _ in told()].count("airline_credit.issued") == 1


# --- Kinds of refunds ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("told_of", "money", "credited"),
    [
        ({"refund_to": "balance"}, 8_000, []),
        ({"refund_to": "original_form_of_payment", "airline_credits": []}, 8_000, []),
        ({"refund_to": "awaiting_payment", "refund_amount": "0.00"}, 0, []),
        ({"refund_to": None, "refund_amount": "0.00"}, 0, []),
        ({"refund_to": "airline_credits", "airline_credits": ["80.00"]}, 0, [8_000]),
        ({"refund_to": "airline_credits", "airline_credits": ["50.00"]}, 3_000, [5_000]),
        ({"refund_to": "balance", "airline_credits": ["50.00"]}, 3_000, [5_000]),
        ({"refund_to": "balance", "airline_credits": ["90.00"]}, 8_000, [9_000]),
        ({"refund_to": "airline_credits"}, 0, [8_000]),
        ({"refund_to": "voucher"}, 0, [8_000]),
    ],
    ids=str,
)
def test_each_kind_of_refund_is_money_or_credit(
    told_of: dict[str, Any], money: int, credited: list[int]
) -> None:
    listed = [
        {
            "id": f"acd_{n}",
            "credit_code": None,
            "credit_amount": amount,
            "credit_currency": "EUR",
            "passenger_id": "pas_1",
        }
        for n, amount in enumerate(told_of.get("airline_credits", ()))
    ]
    data = {
        "id": "ore_1",
        "refund_amount": "80.00",
        "refund_currency": "EUR",
        "expires_at": None,
        **told_of,
        "airline_credits": listed,
    }
    order = {"total_amount": "100.00", "total_currency": "EUR", "passengers": [{"id": "pas_1"}]}
    told_now = changes.quoted(data, order, vouchers_taken=False)
    assert (told_now.refund_cents, told_now.penalty_cents) == (money, 10_000 - money)
    assert [(one.passenger, one.amount_cents) for one in told_now.airline_credits] == [
        (0, amount) for amount in credited
    ]


@pytest.mark.parametrize("form", ["card", "arc_bsp_cash", "gold", None])
def test_a_form_of_refund_that_is_not_known_is_refused_and_told_to_staff(
    stub: DuffelStub, duffel: DuffelFlights, form: str | None
) -> None:
    reference = order_of(duffel)
    stub.refund_to = form  # type: ignore[assignment]
    with pytest.raises(NotPossible, match="do not know"):
        duffel.quote_cancellation(reference)
    assert SupplierAlert.objects.get().kind == "unknown_answer"
    assert duffel.read_order(reference).cancelled is False


def test_where_the_deployment_takes_vouchers_a_partner_who_says_nothing_gets_them(
    partner: Onboarded,
) -> None:
    """As in 1.2. A partner who says no gets no."""
    with live_keys_at_duffel(cancel_into_vouchers=True) as stub:
        seller = desk_of(partner.live_secret)
        stub.refund_to = "voucher"
        order = seller.ordered()
        assert refusal(seller.cancel(order["id"], acceptAirlineCredit=False)) == CONFLICT
        done = seller.cancel(order["id"]).body
        assert (done["status"], done["cancellation"]["refundCents"]) == ("cancelled", 0)
        (kept,) = done["airlineCredits"]
        assert (kept["passenger"], kept["code"]) == (0, None)


def test_where_the_deployment_takes_vouchers_a_member_still_has_to_accept_them(partner: Onboarded) -> None:
    assert partner.live_secret is not None
    member = replace(authentication.look_up(partner.live_secret), key_id="")
    with live_keys_at_duffel(cancel_into_vouchers=True) as stub:
        stub.refund_to = "voucher"
        order = desk_of(partner.live_secret).ordered()
        booking = Booking.objects.get(pk=order["id"])

        def click(accepts: bool) -> str:
            done = cancel_for_member(
                partner=member,
                booking=booking,
                actor=SUPPORT,
                max_penalty_cents=order["totalCents"],
                key=new_key(),
                accept_airline_credit=accepts,
            )
            return done.status

        with pytest.raises(Conflict, match="acceptAirlineCredit"):
            click(accepts=False)
        assert click(accepts=True) == "cancelled"


@pytest.mark.parametrize(
    "more",
    [
        {"airline_credits": [{"id": "acd_1"}]},
        {"airline_credits": [{"id": "acd_1", "credit_amount": "x", "credit_currency": "EUR"}]},
        {"airline_credits": "none"},
    ],
    ids=str,
)
def test_credits_that_cannot_be_read_undo_no_cancellation(
    stub: DuffelStub, duffel: DuffelFlights, more: dict[str, Any]
) -> None:
    stub.refund_to = "airline_credits"
    reference = order_of(duffel)
    told_now = duffel.quote_cancellation(reference)
    stub.cancellations[told_now.supplier_data["cancellation_id"]].update(more)
    stub.codes_later = True
    done = replace(told_now)
    assert (
        changes.confirmed({**stub.cancellations[told_now.supplier_data["cancellation_id"]]}, done) == told_now
    )


QUOTE = Cancellation(6_000, 4_000, "EUR", {"amount": "100.00", "currency": "EUR", "refund_cents": "4000"})
CREDIT = AirlineCredit(0, 1_000, "EUR", "acd_1")


@pytest.mark.parametrize(
    ("now", "holds"),
    [
        ({}, True),
        ({"refund_cents": "4001"}, True),
        ({"refund_cents": "3999"}, False),
        ({"amount": "101.00"}, False),
    ],
    ids=str,
)
def test_a_new_quote_of_theirs_may_cost_less(now: dict[str, str], holds: bool) -> None:
    newer = replace(QUOTE, supplier_data={**QUOTE.supplier_data, **now})
    assert changes.costs_no_more(newer, QUOTE) is holds
    with_credit = replace(QUOTE, airline_credits=(CREDIT,))
    less = replace(with_credit, airline_credits=(replace(CREDIT, amount_cents=999),))
    assert (changes.costs_no_more(with_credit, with_credit), changes.costs_no_more(less, with_credit)) == (
        True,
        False,
    )


# --- Changes: their expiry, and where a refund of nothing goes ------------------------------------------------------------
def test_a_change_offer_of_three_days_is_ours_for_twenty_minutes(seller: Desk, at_duffel: DuffelStub) -> None:
    (*_, last) = seller.options_of(seller.ordered())
    ends = clock.now() + timedelta(minutes=20)
    assert ends - timedelta(minutes=1) < datetime.fromisoformat(last["expiresAt"]) <= ends
    (told_of, *_) = at_duffel.change_offers.values()
    assert datetime.fromisoformat(told_of["expires_at"]) > clock.now() + timedelta(days=2)


def test_a_pending_change_that_returns_nothing_names_no_form_of_refund(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    (*_, last) = duffel.change_options(a_change(order, order.slices[0].departure_at.date()))
    taken = duffel.prepare_change(order.supplier_reference, last)
    assert stub.changes[taken.supplier_data["change_id"]]["refund_to"] is None
    assert duffel.change(new_ref(), order.supplier_reference, taken).total_cents == taken.new_total_cents


def test_a_pending_saving_without_a_form_of_refund_is_not_confirmed(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    (cheapest, *_) = duffel.change_options(a_change(order, order.slices[0].departure_at.date()))
    assert cheapest.difference_cents < 0
    stub.change_offers[cheapest.supplier_data["change_offer_id"]]["refund_to"] = None
    with pytest.raises(NotPossible):
        duffel.prepare_change(order.supplier_reference, cheapest)


def test_a_stale_quote_is_replaced_no_more_than_once(stub: DuffelStub, duffel: DuffelFlights) -> None:
    reference = order_of(duffel)
    told_now = connector(stub).quote_cancellation(reference)
    stub.orders[reference]["version"] += 1
    stub.orders[reference]["waived"] = Decimal("-1.00")
    with pytest.raises(Expired):
        duffel.cancel(new_ref(), reference, told_now)
    assert len(stub.heard_by("POST", paths.CONFIRM_CANCELLATION)) == 1
