"""Changes and cancellations at Duffel: what is sent, what comes back to us, and what is found again."""

from datetime import timedelta
from typing import Any

import pytest

from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown, Rejected
from apps.suppliers.models import SupplierAlert
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import flexible
from tests.flights.suppliers.requests import DEPARTURE, a_change, an_order, new_ref
from tests.support.supplier_stub import Trouble, refusal

pytestmark = pytest.mark.django_db

LATER = DEPARTURE + timedelta(days=5)


def sent(stub: DuffelStub, method: str, path: str) -> list[Any]:
    return [heard.json["data"] for heard in stub.heard_by(method, path)]


def change_of(duffel: DuffelFlights, position: int) -> tuple[str, Any]:
    """An order, and one of its change options (the cheapest first) prepared."""
    order = duffel.book(an_order(flexible(duffel)))
    option = duffel.change_options(a_change(order, LATER))[position]
    return order.supplier_reference, duffel.prepare_change(order.supplier_reference, option)


def test_a_change_asks_for_the_cabin_flown_so_far(stub: DuffelStub, duffel: DuffelFlights) -> None:
    order = duffel.book(an_order(flexible(duffel, cabin="business")))
    duffel.change_options(a_change(order, LATER))
    (body,) = sent(stub, "POST", paths.CHANGE_REQUESTS)
    assert body == {
        "order_id": order.supplier_reference,
        "slices": {
            "remove": [{"slice_id": order.slices[0].supplier_id}],
            "add": [
                {
                    "origin": "LIS",
                    "destination": "BER",
                    "departure_date": LATER.isoformat(),
                    "cabin_class": "business",
                }
            ],
        },
    }


def test_an_unpriced_change_is_left_out(stub: DuffelStub, duffel: DuffelFlights) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    options = duffel.change_options(a_change(order, LATER))
    assert [option.difference_cents for option in options] == [-3_100, -1_240, 3_705, 12_500]
    assert {option.penalty_cents for option in options} == {2_500}


PENALTIES: dict[str, tuple[dict[str, Any], int]] = {
    "null": ({"penalty_total_amount": None, "penalty_total_currency": None}, 0),
    "missing": ({}, 0),
    "short": ({"penalty_amount": "12.00", "penalty_currency": "EUR"}, 1_200),
    "both": (
        {
            "penalty_amount": "12.00",
            "penalty_currency": "EUR",
            "penalty_total_amount": "25.00",
            "penalty_total_currency": "EUR",
        },
        2_500,
    ),
}


@pytest.mark.parametrize("named", PENALTIES)
def test_a_penalty_goes_by_two_names_and_the_long_one_counts(
    stub: DuffelStub, duffel: DuffelFlights, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """Of the option as of the pending change, which name none where the airline takes none."""
    penalty, cents = PENALTIES[named]

    def told(data: Any) -> Any:
        return {**{name: data[name] for name in data if not name.startswith("penalty_")}, **penalty}

    priced, read = stub._change_offer, duffel.client.order_change
    monkeypatch.setattr(stub, "_change_offer", lambda *asked: told(priced(*asked)))
    monkeypatch.setattr(duffel.client, "order_change", lambda change_id: told(read(change_id)))
    order = duffel.book(an_order(flexible(duffel)))
    options = duffel.change_options(a_change(order, LATER))
    assert [(option.difference_cents, option.penalty_cents) for option in options] == [
        (-3_100, cents),
        (-1_240, cents),
        (3_705, cents),
        (12_500, cents),
    ]
    assert duffel.prepare_change(order.supplier_reference, options[0]).penalty_cents == cents


def test_options_that_are_not_within_the_answer_are_listed(stub: DuffelStub, duffel: DuffelFlights) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    within = duffel.change_options(a_change(order, LATER))
    assert stub.heard_by("GET", paths.CHANGE_OFFERS) == []
    stub.offers_within = False
    listed = duffel.change_options(a_change(order, LATER))
    assert [option.difference_cents for option in listed] == [option.difference_cents for option in within]


@pytest.mark.parametrize(("moved", "paid"), [("131.50", "131.50"), ("99.00", "99.00"), ("0.00", None)])
def test_a_pending_change_is_read_again_and_paid_to_the_cent(
    stub: DuffelStub, duffel: DuffelFlights, monkeypatch: pytest.MonkeyPatch, moved: str, paid: str | None
) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    option = duffel.change_options(a_change(order, LATER))[-1]
    taken_up = duffel.client.take_up_change

    def moving(offer_id: str) -> Any:
        pending = taken_up(offer_id)
        stub.changes[pending["id"]]["change_total_amount"] = moved
        return pending

    monkeypatch.setattr(duffel.client, "take_up_change", moving)
    prepared = duffel.prepare_change(order.supplier_reference, option)
    assert prepared.difference_cents == round(float(moved) * 100)
    duffel.change(new_ref(), order.supplier_reference, prepared)
    (body,) = sent(stub, "POST", paths.CONFIRM_CHANGE)
    assert body == ({"payment": {"type": "balance", "amount": paid, "currency": "EUR"}} if paid else {})


@pytest.mark.parametrize("name", ["change_total_amount", "new_total_amount"])
def test_a_pending_change_without_a_price_is_not_confirmed(
    stub: DuffelStub, duffel: DuffelFlights, name: str
) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    option = duffel.change_options(a_change(order, LATER))[-1]
    pending = {
        "data": {**stub.change_offers[option.supplier_data["change_offer_id"]], "id": "oce_1", name: None}
    }
    stub.trouble("GET", paths.CHANGES + "/{change_id}", Trouble(status=200, body=pending))
    with pytest.raises(NotPossible, match="does not state what this change costs"):
        duffel.prepare_change(order.supplier_reference, option)


def test_a_pending_change_that_is_gone_at_once_has_expired(stub: DuffelStub, duffel: DuffelFlights) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    option = duffel.change_options(a_change(order, LATER))[-1]
    stub.trouble("GET", paths.CHANGES + "/{change_id}", refusal(404))
    with pytest.raises(Expired):
        duffel.prepare_change(order.supplier_reference, option)


RULE = {"penalty_amount": None, "penalty_currency": None}


@pytest.mark.parametrize(
    ("change", "actions", "changeable"),
    [
        ({"allowed": True, **RULE}, ["cancel"], False),  # as recorded of Iberia
        ({"allowed": False, **RULE}, ["cancel", "change"], True),  # of ZZ and BA
        (None, ["change"], True),  # of TAP
        (None, [], False),
        ({"allowed": True, **RULE}, None, True),
    ],
    ids=["IB", "BA", "TP", "none", "not listed"],
)
def test_the_actions_of_an_order_decide_whether_it_can_be_changed_and_not_its_conditions(
    stub: DuffelStub, duffel: DuffelFlights, change: Any, actions: list[str] | None, changeable: bool
) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    shown = stub._order_now(stub.orders[order.supplier_reference])
    shown["conditions"]["change_before_departure"] = change
    shown["available_actions"] = actions
    stub.trouble("GET", paths.ORDER, Trouble(status=200, body={"data": shown}, times=-1))
    assert duffel.read_order(order.supplier_reference).conditions.changeable is changeable
    if actions is None:
        return
    if changeable:
        assert duffel.change_options(a_change(order, LATER))
    else:
        with pytest.raises(NotPossible):
            duffel.change_options(a_change(order, LATER))


def test_a_dearer_change_is_paid_and_a_cheaper_one_is_not(stub: DuffelStub, duffel: DuffelFlights) -> None:
    for position, body in (
        (-1, {"payment": {"type": "balance", "amount": "125.00", "currency": "EUR"}}),
        (0, {}),
    ):
        reference, option = change_of(duffel, position)
        duffel.change(new_ref(), reference, option)
        assert sent(stub, "POST", paths.CONFIRM_CHANGE)[-1] == body


def test_a_change_whose_answer_was_lost_is_found_by_its_own_id(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    reference, option = change_of(duffel, -1)
    stub.trouble("POST", paths.CONFIRM_CHANGE, Trouble(end="reset"))
    assert duffel.find_change("any", reference, option) is None
    with pytest.raises(OutcomeUnknown):
        duffel.change("any", reference, option)
    found = duffel.find_change("any", reference, option)
    assert found == duffel.read_order(reference)
    assert found.total_cents == option.new_total_cents


@pytest.mark.parametrize("status", [400, 404, 500])
def test_a_change_is_unknown_until_it_is_confirmed_and_read(
    stub: DuffelStub, duffel: DuffelFlights, status: int
) -> None:
    reference, option = change_of(duffel, -1)
    pending = {"data": stub.changes[option.supplier_data["change_id"]]}
    stub.trouble("POST", paths.CONFIRM_CHANGE, Trouble(accept=False, status=200, body=pending))
    with pytest.raises(OutcomeUnknown):
        duffel.change(new_ref(), reference, option)
    stub.trouble("GET", paths.ORDER, refusal(status, times=-1))
    with pytest.raises(OutcomeUnknown):
        duffel.change(new_ref(), reference, option)
    with pytest.raises(OutcomeUnknown):  # already actioned, as they say now
        duffel.change(new_ref(), reference, option)
    stub.calm()
    assert duffel.find_change(new_ref(), reference, option) is not None


def test_a_pending_change_that_duffel_forgot_was_never_confirmed(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    reference, option = change_of(duffel, 0)
    stub.changes.clear()
    assert duffel.find_change(new_ref(), reference, option) is None


def test_a_change_in_another_currency_than_the_orders_is_neither_offered_nor_taken_up(
    stub: DuffelStub, duffel: DuffelFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    option = duffel.change_options(a_change(order, LATER))[0]
    in_pounds = {"change_total_currency": "GBP", "new_total_currency": "GBP"}
    stub.change_offers[option.supplier_data["change_offer_id"]].update(in_pounds)
    with pytest.raises(Expired):
        duffel.prepare_change(order.supplier_reference, option)
    priced = stub._change_offer
    monkeypatch.setattr(stub, "_change_offer", lambda *asked: {**priced(*asked), **in_pounds})
    assert duffel.change_options(a_change(order, LATER)) == []


def test_a_saving_that_would_be_a_voucher_is_not_offered(stub: DuffelStub, duffel: DuffelFlights) -> None:
    stub.refund_to = "voucher"
    order = duffel.book(an_order(flexible(duffel)))
    options = duffel.change_options(a_change(order, LATER))
    assert [option.difference_cents for option in options] == [3_705, 12_500]


def test_a_saving_that_turns_into_a_voucher_is_not_confirmed(stub: DuffelStub, duffel: DuffelFlights) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    option = duffel.change_options(a_change(order, LATER))[0]
    stub.change_offers[option.supplier_data["change_offer_id"]]["refund_to"] = "airline_credits"
    with pytest.raises(NotPossible):
        duffel.prepare_change(order.supplier_reference, option)


def order_of(duffel: DuffelFlights) -> str:
    return duffel.book(an_order(flexible(duffel))).supplier_reference


def test_a_refund_that_is_unknown_is_not_zero_and_nothing_is_cancelled(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    reference = order_of(duffel)
    stub.refund_known = False
    with pytest.raises(NotPossible, match="does not state what it would refund"):
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
