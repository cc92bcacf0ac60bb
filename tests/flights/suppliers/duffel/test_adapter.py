"""What is Duffel's own: what goes out, what is left out, answers that are no plain yes, and writes found again."""

import itertools
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from apps.flights.suppliers.base import Conditions, Passengers
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.suppliers.alerts.models import SupplierAlert
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown, Rejected
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import an_order_by, connector, flexible
from tests.flights.suppliers.duffel.wire import refusal_of
from tests.flights.suppliers.requests import DEPARTURE, a_change, a_search, an_order, new_ref
from tests.support.supplier_stub import Trouble, refusal

pytestmark = pytest.mark.django_db

LATER = DEPARTURE + timedelta(days=5)


def sent(stub: DuffelStub, method: str, path: str) -> list[Any]:
    return [heard.json["data"] for heard in stub.heard_by(method, path)]


# --- Searches -------------------------------------------------------------------------------------------------------
def test_a_search_says_who_flies_where_and_when(stub: DuffelStub, duffel: DuffelFlights) -> None:
    duffel.search(
        a_search(
            return_date=LATER,
            passengers=Passengers(adults=2, children=1, infants=1),
            cabin="business",
            max_connections=0,
        )
    )
    (heard,) = stub.heard_by("POST", paths.OFFER_REQUESTS)
    assert heard.query == {"return_offers": "true", "supplier_timeout": "15000"}
    assert heard.json["data"] == {
        "slices": [
            {"origin": "LIS", "destination": "BER", "departure_date": DEPARTURE.isoformat()},
            {"origin": "BER", "destination": "LIS", "departure_date": LATER.isoformat()},
        ],
        "passengers": [{"type": "adult"}, {"type": "adult"}, {"age": 8}, {"age": 1}],
        "cabin_class": "business",
        "max_connections": 0,
    }


def test_an_offer_that_wants_passports_is_left_out(stub: DuffelStub, duffel: DuffelFlights) -> None:
    found = {offer.supplier_data["offer_id"] for offer in duffel.search(a_search())}
    passports = {key for key, one in stub.offers.items() if one["passenger_identity_documents_required"]}
    assert (len(passports), found) == (1, set(stub.offers) - passports)


def answered_offers(stub: DuffelStub, duffel: DuffelFlights, *changes: dict[str, Any]) -> None:
    """The next search is answered with one known offer for each of `changes`, changed so."""
    flexible(duffel)
    shown = stub._offer_now(next(iter(stub.offers.values())))
    offers = [{**shown, **change} for change in changes]
    stub.trouble(
        "POST", paths.OFFER_REQUESTS, Trouble(accept=False, status=201, body={"data": {"offers": offers}})
    )


def test_a_partial_offer_and_one_that_cannot_be_read_spoil_no_other(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    answered_offers(stub, duffel, {"partial": True}, {"slices": None}, {"total_amount": "soon"}, {})
    assert len(duffel.search(a_search())) == 1


def test_a_carrier_without_a_name_goes_by_its_code(stub: DuffelStub, duffel: DuffelFlights) -> None:
    answered_offers(stub, duffel, {"owner": {"iata_code": "ZZ", "name": None}})
    assert [offer.carrier_name for offer in duffel.search(a_search())] == ["ZZ"]


def test_the_limit_counts_each_currency_for_itself(stub: DuffelStub, duffel: DuffelFlights) -> None:
    prices = [("10.00", "GBP"), ("11.00", "GBP"), ("99.00", "EUR"), ("98.00", "EUR"), ("9900", "JPY")]
    answered_offers(stub, duffel, *({"total_amount": a, "total_currency": c} for a, c in prices))
    found = [(offer.total_cents, offer.currency) for offer in duffel.search(a_search(limit=1))]
    assert found == [(1_000, "GBP"), (9_800, "EUR"), (9_900, "JPY")]


def test_an_offer_in_another_currency_than_was_quoted_is_another_offer(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    offer = flexible(duffel)
    stub.offers[offer.supplier_data["offer_id"]]["currency"] = "USD"
    with pytest.raises(Expired):
        duffel.reprice(offer)


UNTOLD = {"refund_before_departure": None, "change_before_departure": None}
ALLOWED = {"allowed": True, "penalty_amount": None, "penalty_currency": None}
IN_POUNDS = {"allowed": True, "penalty_amount": "40.00", "penalty_currency": "GBP"}
DEAR = {"allowed": True, "penalty_amount": "900.00", "penalty_currency": "EUR"}


@pytest.mark.parametrize(
    ("told", "conditions"),
    [
        (UNTOLD, Conditions(False, False, None)),
        (None, Conditions(False, False, None)),
        ({**UNTOLD, "refund_before_departure": ALLOWED}, Conditions(True, False, None)),
        ({**UNTOLD, "refund_before_departure": IN_POUNDS}, Conditions(True, False, None)),
        ({**UNTOLD, "refund_before_departure": DEAR}, Conditions(True, False, 18_460)),
        ({**UNTOLD, "refund_before_departure": {"allowed": False}}, Conditions(False, False, 18_460)),
        ({**UNTOLD, "change_before_departure": ALLOWED}, Conditions(False, True, None)),
    ],
    ids=str,
)
def test_what_an_airline_does_not_tell_is_promised_by_nobody(
    stub: DuffelStub, duffel: DuffelFlights, told: Any, conditions: Conditions
) -> None:
    answered_offers(stub, duffel, {"total_amount": "184.60", "conditions": told})
    (offer,) = duffel.search(a_search())
    assert offer.conditions == conditions


# --- Orders ---------------------------------------------------------------------------------------------------------
def test_an_order_pays_what_duffel_named_whatever_the_partner_pays(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    offer = flexible(duffel)
    converted = replace(offer, total_cents=1, currency="USD")
    duffel.book(an_order_by(converted, title="dr", gender="f"))
    (body,) = sent(stub, "POST", paths.ORDERS)
    assert body == {
        "type": "instant",
        "selected_offers": [offer.supplier_data["offer_id"]],
        "passengers": [
            {
                "id": offer.supplier_data["adult"],
                "title": "dr",
                "gender": "f",
                "given_name": "Ada",
                "family_name": "Lovelace",
                "born_on": "1990-12-10",
                "email": "ada@example.com",
                "phone_number": "+351210000000",
            }
        ],
        "payments": [{"type": "balance", "amount": offer.supplier_data["amount"], "currency": "EUR"}],
        "metadata": {"reference": "F-7KQ2M9XD"},
    }
    (heard,) = stub.heard_by("POST", paths.ORDERS)
    assert heard.headers["x-client-correlation-id"] == "F-7KQ2M9XD"


def test_a_family_flies_under_its_own_ids_with_the_infant_in_an_adults_arms(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    offer = flexible(duffel, passengers=Passengers(adults=2, children=1, infants=1))
    request = an_order(offer)
    (ada,) = request.passengers
    infant = replace(
        ada, first_name="Annabella", date_of_birth=date(2026, 1, 31), type="infant", title="miss"
    )
    child = replace(ada, first_name="Byron", date_of_birth=date(2018, 5, 12), type="child", title="mr")
    order = duffel.book(replace(request, passengers=(infant, ada, child, replace(ada, first_name="Mary"))))
    (body,) = sent(stub, "POST", paths.ORDERS)
    ids = {kind: offer.supplier_data[kind].split() for kind in ("adult", "child", "infant")}
    assert [one["id"] for one in body["passengers"]] == [
        *ids["infant"],
        ids["adult"][0],
        *ids["child"],
        ids["adult"][1],
    ]
    assert [one.get("infant_passenger_id") for one in body["passengers"]] == [
        None,
        *ids["infant"],
        None,
        None,
    ]
    assert len(order.ticket_numbers) == 4


def test_a_traveller_too_many_is_refused_before_anything_is_sent(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    request = an_order(flexible(duffel))
    with pytest.raises(Rejected):
        duffel.book(replace(request, passengers=request.passengers * 2))
    assert stub.heard_by("POST", paths.ORDERS) == []


def test_an_accepted_order_is_unknown_until_it_is_found(stub: DuffelStub, duffel: DuffelFlights) -> None:
    stub.order_status, stub.unseen = 202, 1
    request = an_order(flexible(duffel))
    with pytest.raises(OutcomeUnknown):
        duffel.book(request)
    assert duffel.find_order(request.client_ref, request.offer) is None
    found = duffel.find_order(request.client_ref, request.offer)
    assert found is not None
    assert stub.booked() == {request.client_ref: 1}


def test_an_order_whose_details_come_later_is_not_issued_until_they_are_there(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    stub.order_status = 200
    request = an_order(flexible(duffel))
    order = duffel.book(request)
    assert (order.issued, order.pnr, order.ticket_numbers) == (False, "", ())
    stub.complete_orders()
    found = duffel.find_order(request.client_ref, request.offer)
    assert found is not None
    assert (found.issued, len(found.pnr), len(found.ticket_numbers)) == (True, 6, 1)


def test_an_order_whose_details_are_there_a_moment_later_is_issued_at_once(
    stub: DuffelStub, duffel: DuffelFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub.order_status = 200
    read = duffel.client.order

    def completed(order_id: str) -> dict[str, Any]:
        stub.complete_orders()
        return read(order_id)

    monkeypatch.setattr(duffel.client, "order", completed)
    assert duffel.book(an_order(flexible(duffel))).issued is True


def test_an_order_that_is_booked_is_not_undone_by_a_reading_that_is_refused(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    stub.order_status = 200
    stub.trouble("GET", paths.ORDER, refusal(400, times=-1))
    assert duffel.book(an_order(flexible(duffel))).issued is False


def test_a_carrier_without_tickets_is_not_waited_for_for_ever(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    order = duffel.book(an_order(flexible(duffel)))
    shown = stub._order_now(stub.orders[order.supplier_reference])
    for age, issued in (("2026-01-01T00:00:00Z", True), (shown["created_at"], False)):
        body = {"data": {**shown, "documents": [], "created_at": age}}
        stub.trouble("GET", paths.ORDER, Trouble(status=200, body=body))
        assert duffel.read_order(order.supplier_reference).issued is issued


def test_a_booked_order_is_issued_without_tickets_but_not_unpaid_or_without_a_locator(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    request = an_order(flexible(duffel))
    shown = stub._order_now(stub.orders[duffel.book(request).supplier_reference])
    found = []
    for change in (
        {"documents": []},
        {"booking_reference": None},
        {"payment_status": {"awaiting_payment": True, "paid_at": None}},
    ):
        body = {"data": {**shown, **change}}
        stub.trouble("POST", paths.ORDERS, Trouble(accept=False, status=201, body=body))
        found.append(duffel.book(request).issued)
    assert found == [True, False, False]


def test_two_orders_under_one_reference_of_ours_are_told_to_staff(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    request = an_order_by(flexible(duffel))
    order = duffel.book(request)
    first = stub.orders[order.supplier_reference]
    stub.orders["ord_twin"] = {**first, "id": "ord_00000099"}
    assert duffel.find_order("F-7KQ2M9XD", request.offer) == order
    alerted = SupplierAlert.objects.get()
    assert (alerted.kind, alerted.detail) == ("duplicate_reference", "F-7KQ2M9XD")


def test_a_refusal_over_an_order_of_ours_is_that_order(stub: DuffelStub, duffel: DuffelFlights) -> None:
    request = an_order(flexible(duffel))
    order = duffel.book(request)
    for code in ("offer_request_already_booked", "duplicate_booking", "schedule_changed"):
        stub.trouble("POST", paths.ORDERS, refusal(*refusal_of(code)))
        assert duffel.book(request) == order
    assert stub.booked() == {request.client_ref: 1}


@pytest.mark.parametrize("status", [400, 404, 500])
def test_a_refusal_over_an_order_that_cannot_be_looked_up_is_unknown(
    stub: DuffelStub, duffel: DuffelFlights, status: int
) -> None:
    request = an_order(flexible(duffel))
    stub.trouble("POST", paths.ORDERS, refusal(*refusal_of("duplicate_booking")))
    stub.trouble("GET", paths.ORDERS, refusal(status, times=-1))
    with pytest.raises(OutcomeUnknown):
        duffel.book(request)


def test_another_partners_order_of_the_same_offer_is_not_ours(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    offer = flexible(duffel)
    duffel.book(an_order(offer))
    with pytest.raises(Expired):
        duffel.book(an_order(offer))


def test_an_order_dearer_than_was_sent_is_told_to_staff(stub: DuffelStub, duffel: DuffelFlights) -> None:
    request = an_order_by(flexible(duffel))
    order = duffel.book(request)
    assert SupplierAlert.objects.count() == 0
    dearer = {**stub._order_now(stub.orders[order.supplier_reference]), "total_amount": "900.00"}
    stub.trouble("POST", paths.ORDERS, Trouble(accept=False, status=201, body={"data": dearer}))
    assert duffel.book(request).total_cents == 90_000
    alerted = SupplierAlert.objects.get()
    assert (alerted.kind, alerted.detail) == ("price_above_quote", f"F-7KQ2M9XD {order.supplier_reference}")


# --- Changes --------------------------------------------------------------------------------------------------------
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
    "oddity",
    [
        {"change_total_amount": "a lot"},
        {"new_total_currency": None},
        {"slices": None},
        {"slices": {"remove": [], "add": [{"segments": [{}]}]}},
        {"expires_at": "soon"},
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
    told = "a change option of duffel could not be read" in caplog.text
    assert told is ("new_total_currency" not in oddity)  # which only is another currency than the order's


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


def test_a_change_that_was_already_confirmed_is_read(stub: DuffelStub, duffel: DuffelFlights) -> None:
    reference, option = change_of(duffel, -1)
    changed = duffel.change(new_ref(), reference, option)
    assert duffel.change(new_ref(), reference, option) == changed
    assert stub.orders[reference]["version"] == 1


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


# --- Cancellations --------------------------------------------------------------------------------------------------
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


def test_a_refund_that_is_told_only_in_the_end_is_passed_on(stub: DuffelStub, duffel: DuffelFlights) -> None:
    stub.refund_known = False
    reference = order_of(duffel)
    quote = duffel.quote_cancellation(reference)
    assert quote.refund_cents == 0
    stub.cancellations[quote.supplier_data["cancellation_id"]]["refund_amount"] = "12.34"
    done = duffel.cancel(new_ref(), reference, quote)
    assert (done.refund_cents, done.penalty_cents + done.refund_cents) == (1_234, quote.penalty_cents)
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
        ({"refund_amount": None}, 0),
        ({"refund_amount": "999999.00"}, None),
        ({"confirmed_at": None}, ...),
    ],
    ids=str,
)
def test_an_order_that_staff_cancelled_says_what_came_back(
    stub: DuffelStub, duffel: DuffelFlights, told: dict[str, Any], refund: Any
) -> None:
    """All of it at most; and a quote that nobody confirmed says nothing of it."""
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
