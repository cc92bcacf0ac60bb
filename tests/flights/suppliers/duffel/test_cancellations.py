"""Cancellations at Duffel: what comes back to us, answers that are no plain yes, and cancellations found again."""

from datetime import timedelta
from typing import Any

import pytest

from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.suppliers.errors import NotPossible, OutcomeUnknown, Rejected
from apps.suppliers.models import SupplierAlert
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import connector, flexible
from tests.flights.suppliers.requests import DEPARTURE, a_change, an_order, new_ref
from tests.support.supplier_stub import Trouble

pytestmark = pytest.mark.django_db

LATER = DEPARTURE + timedelta(days=5)


def order_of(duffel: DuffelFlights) -> str:
    return duffel.book(an_order(flexible(duffel))).supplier_reference


def test_a_refund_in_vouchers_is_refused_and_nothing_is_cancelled(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    stub.refund_to = "voucher"
    reference = order_of(duffel)
    with pytest.raises(NotPossible, match="vouchers"):
        duffel.quote_cancellation(reference)
    assert duffel.read_order(reference).cancelled is False


def test_where_vouchers_are_taken_they_return_nothing_to_the_partner(stub: DuffelStub, db: None) -> None:
    duffel = connector(stub, vouchers_taken=True)
    stub.refund_to = "voucher"
    reference = order_of(duffel)
    total = duffel.read_order(reference).total_cents
    quote = duffel.quote_cancellation(reference)
    assert (quote.penalty_cents, quote.refund_cents) == (total, 0)
    assert duffel.cancel(new_ref(), reference, quote) == quote
    assert duffel.find_cancellation(new_ref(), reference, quote) == quote


def test_a_refund_that_is_unknown_is_not_zero_and_nothing_is_cancelled(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    reference = order_of(duffel)
    stub.refund_known = False
    with pytest.raises(NotPossible, match="does not say what it would refund"):
        duffel.quote_cancellation(reference)
    assert stub.heard_by("POST", paths.CONFIRM_CANCELLATION) == []
    assert duffel.read_order(reference).cancelled is False


def test_a_refund_that_is_greater_in_the_end_is_passed_on(stub: DuffelStub, duffel: DuffelFlights) -> None:
    reference = order_of(duffel)
    quote = duffel.quote_cancellation(reference)
    more = f"{(quote.refund_cents + 1_234) / 100:.2f}"
    stub.cancellations[quote.supplier_data["cancellation_id"]]["refund_amount"] = more
    done = duffel.cancel(new_ref(), reference, quote)
    assert (done.refund_cents, done.penalty_cents) == (
        quote.refund_cents + 1_234,
        quote.penalty_cents - 1_234,
    )
    assert duffel.find_cancellation(new_ref(), reference, quote) == done


@pytest.mark.parametrize(
    "change", [{"refund_to": "voucher"}, {"refund_currency": "GBP"}, {"refund_amount": "1.00"}], ids=str
)
def test_a_refund_that_falls_short_of_its_quote_is_made_good_and_told_to_staff(
    stub: DuffelStub, duffel: DuffelFlights, change: dict[str, str]
) -> None:
    reference = order_of(duffel)
    quote = duffel.quote_cancellation(reference)
    cancellation_id = quote.supplier_data["cancellation_id"]
    stub.cancellations[cancellation_id].update(change)
    assert duffel.cancel("F-22222222-X33333", reference, quote) == quote
    alerted = SupplierAlert.objects.get()
    assert (alerted.kind, alerted.detail) == ("price_above_quote", f"F-22222222-X33333 {cancellation_id}")


def test_a_refund_in_another_currency_is_refused(stub: DuffelStub, duffel: DuffelFlights) -> None:
    reference = order_of(duffel)
    stub.trouble(
        "POST",
        paths.CANCELLATIONS,
        Trouble(
            status=201,
            body={
                "data": {
                    "id": "ore_1",
                    "refund_amount": "1.00",
                    "refund_currency": "GBP",
                    "refund_to": "balance",
                }
            },
        ),
    )
    with pytest.raises(Rejected):
        duffel.quote_cancellation(reference)


@pytest.mark.parametrize(
    ("told", "refund"),
    [
        ({}, 14_460),
        ({"refund_to": "original_form_of_payment"}, 14_460),
        ({"refund_to": "voucher"}, 0),
        ({"refund_currency": "GBP"}, 0),
        ({"refund_amount": None}, ...),
        ({"refund_amount": "999999.00"}, None),
        ({"confirmed_at": None}, ...),
    ],
    ids=str,
)
def test_an_order_that_staff_cancelled_says_what_came_back(
    stub: DuffelStub, duffel: DuffelFlights, told: dict[str, Any], refund: Any
) -> None:
    """All of it at most. A quote that nobody confirmed, and one without an amount, say nothing of it."""
    reference = order_of(duffel)
    total = duffel.read_order(reference).total_cents
    stub.cancel_by_staff(reference, refund="144.60", **told)
    ended = duffel.read_order(reference)
    assert ended.cancelled
    if refund is ...:
        assert ended.cancellation is None
        return
    assert ended.cancellation is not None
    expected = total if refund is None else refund
    assert (ended.cancellation.refund_cents, ended.cancellation.penalty_cents) == (expected, total - expected)


def test_of_two_orders_under_one_reference_the_one_that_stands_is_found(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    offer = flexible(duffel)
    request = an_order(offer)
    first = duffel.book(request)
    stub.orders["ord_second"] = {**stub.orders[first.supplier_reference], "id": "ord_0000Stub99999999"}
    stub.cancel_by_airline(first.supplier_reference)
    found = duffel.find_order(request.client_ref, offer)
    assert found is not None
    assert (found.supplier_reference, found.cancelled) == ("ord_0000Stub99999999", False)


def test_a_cancellation_whose_answer_was_lost_is_found_by_its_quote(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    reference = order_of(duffel)
    quote = duffel.quote_cancellation(reference)
    stub.trouble("POST", paths.CONFIRM_CANCELLATION, Trouble(end="reset"))
    with pytest.raises(OutcomeUnknown):
        duffel.cancel(new_ref(), reference, quote)
    assert duffel.find_cancellation(new_ref(), reference, quote) == quote
    assert duffel.cancel(new_ref(), reference, quote) == quote


def test_a_stale_quote_that_still_costs_the_same_is_replaced_once(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    reference = order_of(duffel)
    quote = duffel.quote_cancellation(reference)
    duffel.quote_cancellation(reference)
    done = duffel.cancel(new_ref(), reference, quote)
    assert (done.penalty_cents, done.refund_cents) == (quote.penalty_cents, quote.refund_cents)
    assert done.supplier_data["cancellation_id"] != quote.supplier_data["cancellation_id"]
    found = duffel.find_cancellation(new_ref(), reference, quote)
    assert found is not None
    assert (found.penalty_cents, found.refund_cents) == (quote.penalty_cents, quote.refund_cents)


def test_a_fare_that_may_not_be_cancelled_is_not_asked_about(stub: DuffelStub, duffel: DuffelFlights) -> None:
    reference = order_of(duffel)
    shown = {**stub._order_now(stub.orders[reference]), "available_actions": ["update"]}
    stub.trouble("GET", paths.ORDER, Trouble(status=200, body={"data": shown}, times=-1))
    for refused in (
        lambda: duffel.quote_cancellation(reference),
        lambda: duffel.change_options(a_change(duffel.read_order(reference), LATER)),
    ):
        with pytest.raises(NotPossible):
            refused()
    assert stub.heard_by("POST", paths.CANCELLATIONS) == []
