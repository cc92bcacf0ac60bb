"""Changes at Duffel: what is asked and offered, answers that are no plain yes, and changes found again."""

import itertools
from datetime import timedelta
from typing import Any

import pytest

from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown
from apps.suppliers.results import Withheld
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


@pytest.mark.parametrize(
    "penalty", [{"penalty_amount": None, "penalty_currency": None}, {}], ids=["null", "missing"]
)
def test_a_change_without_a_penalty_is_sold(
    stub: DuffelStub, duffel: DuffelFlights, monkeypatch: pytest.MonkeyPatch, penalty: dict[str, Any]
) -> None:
    """Neither the option nor the pending change names one where the airline takes none."""

    def without_penalty(data: Any) -> Any:
        return {**{name: data[name] for name in data if not name.startswith("penalty_")}, **penalty}

    priced, taken_up = stub._change_offer, duffel.client.take_up_change
    monkeypatch.setattr(stub, "_change_offer", lambda *asked: without_penalty(priced(*asked)))
    monkeypatch.setattr(duffel.client, "take_up_change", lambda offer_id: without_penalty(taken_up(offer_id)))
    order = duffel.book(an_order(flexible(duffel)))
    options = duffel.change_options(a_change(order, LATER))
    assert [(option.difference_cents, option.penalty_cents) for option in options] == [
        (-3_100, 0),
        (-1_240, 0),
        (3_705, 0),
        (12_500, 0),
    ]
    assert duffel.prepare_change(order.supplier_reference, options[0]).penalty_cents == 0


@pytest.mark.parametrize(
    "oddity",
    [
        {"change_total_amount": "a lot"},
        {"new_total_currency": None},
        {"slices": None},
        {"slices": {"remove": [], "add": [{"segments": [{}]}]}},
        {"expires_at": "soon"},
        {"penalty_currency": "GBP"},
    ],
    ids=str,
)
def test_a_change_that_cannot_be_read_spoils_no_other(
    stub: DuffelStub,
    duffel: DuffelFlights,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    oddity: dict[str, Any],
) -> None:
    priced, asked = stub._change_offer, itertools.count()
    monkeypatch.setattr(
        stub, "_change_offer", lambda *args: {**priced(*args), **(oddity if next(asked) == 1 else {})}
    )
    order = duffel.book(an_order(flexible(duffel)))
    options = duffel.change_options(a_change(order, LATER))
    assert [option.difference_cents for option in options] == [-3_100, 3_705, 12_500]
    other_currency = oddity.keys() <= {"new_total_currency", "penalty_currency"}
    withheld = Withheld(unsupported=1) if other_currency else Withheld(unreadable=1)
    assert options.withheld == Withheld(unsupported=1) + withheld  # one more has no price
    assert ("a change option of duffel could not be read" in caplog.text) is not other_currency


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
