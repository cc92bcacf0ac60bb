"""Orders at Duffel: what goes out, answers that are no plain yes, and orders found again."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from apps.flights.suppliers.base import Passenger, Passengers
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.flights.suppliers.duffel.mapping import gender_of, objections
from apps.suppliers.errors import OutcomeUnknown
from apps.suppliers.models import SupplierAlert
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import an_order_by, flexible
from tests.flights.suppliers.duffel.wire import refusal_of
from tests.flights.suppliers.requests import an_order
from tests.support.supplier_stub import Trouble, refusal

pytestmark = pytest.mark.django_db


def sent(stub: DuffelStub, method: str, path: str) -> list[Any]:
    return [heard.json["data"] for heard in stub.heard_by(method, path)]


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


def test_each_child_flies_under_the_id_of_its_age(stub: DuffelStub, duffel: DuffelFlights) -> None:
    party = Passengers(adults=1, children=2, children_ages=(11, 4))
    offer = flexible(duffel, passengers=party)
    request = an_order(offer)
    (ada,) = request.passengers
    small = replace(ada, first_name="Byron", date_of_birth=date(2022, 5, 12), type="child", title="mr")
    tall = replace(small, first_name="Ralph", date_of_birth=date(2015, 2, 4))  # twelve on the day after
    duffel.book(replace(request, passengers=(ada, small, tall)))
    (body,) = sent(stub, "POST", paths.ORDERS)
    of_eleven, of_four = offer.supplier_data["child"].split()
    assert offer.supplier_data["child_ages"] == "11 4"
    assert [one["id"] for one in body["passengers"]] == [offer.supplier_data["adult"], of_four, of_eleven]


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


def test_a_refusal_over_an_order_of_ours_is_that_order(stub: DuffelStub, duffel: DuffelFlights) -> None:
    request = an_order(flexible(duffel))
    order = duffel.book(request)
    for code in (
        "offer_request_already_booked",
        "order_creation_already_attempted",
        "booking_already_attempted",
        "modified_externally",
        "duplicate_booking",
        "schedule_changed",
    ):
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


def test_an_order_dearer_than_was_sent_is_told_to_staff(stub: DuffelStub, duffel: DuffelFlights) -> None:
    request = an_order_by(flexible(duffel))
    order = duffel.book(request)
    assert SupplierAlert.objects.count() == 0
    dearer = {**stub._order_now(stub.orders[order.supplier_reference]), "total_amount": "900.00"}
    stub.trouble("POST", paths.ORDERS, Trouble(accept=False, status=201, body={"data": dearer}))
    assert duffel.book(request).total_cents == 90_000
    alerted = SupplierAlert.objects.get()
    assert (alerted.kind, alerted.detail) == ("price_above_quote", f"F-7KQ2M9XD {order.supplier_reference}")


ADA = Passenger("Ada", "Lovelace", date(1990, 12, 10), "adult", "ms")


def fields(*passengers: Passenger) -> list[str]:
    return [objection.field for objection in objections(passengers)]


@pytest.mark.parametrize(
    ("title", "gender", "taken"),
    [
        ("mr", None, "m"),
        ("ms", None, "f"),
        ("mrs", None, "f"),
        ("miss", None, "f"),
        ("dr", "f", "f"),
        ("mr", "f", "f"),
        ("dr", None, None),
    ],
)
def test_gender_is_as_given_or_as_the_title_tells(title: str, gender: str | None, taken: str | None) -> None:
    passenger = replace(ADA, title=title, gender=gender)
    assert gender_of(passenger) == taken
    assert fields(passenger) == ([] if taken else ["passengers.0.gender"])


def test_a_title_is_wanted_even_where_the_gender_is_known() -> None:
    assert fields(ADA, replace(ADA, title=None, gender="f")) == ["passengers.1.title"]


TAKEN = ["Ada", "O'Brien", "Jean-Luc", "Maria da Luz", "José", "Łukasz", "Ñúñez", "ſ", "A" * 20]
NOT_TAKEN = ["Дмитрий", "Ada2", "Ada.", "Æsir", "Œuvre", "×", "ð", "王", "O’Brien", "A" * 21, "Ada\u0301"]


@pytest.mark.parametrize("name", TAKEN)
def test_names_in_latin_letters_are_taken(name: str) -> None:
    assert fields(replace(ADA, first_name=name, last_name=name)) == []


@pytest.mark.parametrize("name", NOT_TAKEN)
def test_other_names_are_refused_in_the_partners_words(name: str) -> None:
    found: list[Any] = fields(replace(ADA, first_name=name, last_name=name))
    assert found == ["passengers.0.firstName", "passengers.0.lastName"]
