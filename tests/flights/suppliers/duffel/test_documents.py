"""Documents at Duffel: those that travellers show, and those that an airline issues with an order."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking
from apps.common import clock
from apps.flights.suppliers.base import IssuedDocument, Passenger, Passengers
from apps.flights.suppliers.duffel import mapping
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.onboarding.partners import Onboarded
from apps.suppliers.results import Withheld
from tests.flights.desk import ADA as ADA_ON_THE_WIRE
from tests.flights.desk import Desk, faults, funds
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import flexible
from tests.flights.suppliers.duffel.wire import refusal_of
from tests.flights.suppliers.requests import a_search, an_order
from tests.support.supplier_stub import Trouble, refusal

pytestmark = pytest.mark.django_db

ADA = Passenger("Ada", "Lovelace", date(1990, 12, 10), "adult", "ms")
MARY = replace(ADA, first_name="Mary")
BYRON = Passenger("Byron", "Lovelace", date(2018, 5, 12), "child", "mr")


def a_party(duffel: DuffelFlights, *passengers: Passenger, **search: Any) -> Any:
    """An order request of these passengers, for the cheapest flexible offer."""
    kinds = [one.type for one in passengers]
    counts = Passengers(kinds.count("adult"), kinds.count("child"), kinds.count("infant"))
    return replace(an_order(flexible(duffel, passengers=counts, **search)), passengers=passengers)


def numbers(documents: tuple[IssuedDocument, ...]) -> list[tuple[str, int | None]]:
    return [(one.number, one.passenger) for one in documents]


def test_each_ticket_names_its_passenger_by_the_place_that_we_gave(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    """Also where Duffel lists passengers in another order, and when the order is only read."""
    order = duffel.book(a_party(duffel, BYRON, ADA, MARY))
    (body,) = [heard.json["data"] for heard in stub.heard_by("POST", paths.ORDERS)]
    assert body["metadata"]["passengers"].split() == [one["id"] for one in body["passengers"]]
    stub.orders[order.supplier_reference]["passengers"].reverse()
    read = duffel.read_order(order.supplier_reference)
    assert sorted(one.passenger or 0 for one in read.documents) == [0, 1, 2]
    by_place = {place: number for number, place in numbers(read.documents)}
    issued = stub._order_now(stub.orders[order.supplier_reference])["documents"]
    whose = {one["passenger_ids"][0]: one["unique_identifier"] for one in issued}
    assert [by_place[place] for place in range(3)] == [whose[one["id"]] for one in body["passengers"]]


ONE = {"passengers": [{"id": "pas_1"}], "metadata": {"reference": "F-1"}}
TWO = {"passengers": [{"id": "pas_2"}, {"id": "pas_1"}], "metadata": {"passengers": "pas_1 pas_2"}}
OLD = {"passengers": [{"id": "pas_2"}, {"id": "pas_1"}], "metadata": None}
TICKET = {"type": "electronic_ticket", "unique_identifier": "1", "passenger_ids": ["pas_1"]}
EMD = "electronic_miscellaneous_document"


@pytest.mark.parametrize(
    ("order", "documents", "expected"),
    [
        (ONE, [TICKET, TICKET], [("electronic_ticket", "1", 0)] * 2),  # numbers need not be unique
        (ONE, [{**TICKET, "passenger_ids": None}], [("electronic_ticket", "1", 0)]),
        (ONE, [{**TICKET, "type": f"{EMD}_associated"}], [("emd_associated", "1", 0)]),
        (ONE, [{**TICKET, "type": f"{EMD}_standalone"}], [("emd_standalone", "1", 0)]),
        (TWO, [{**TICKET, "passenger_ids": ["pas_2"]}], [("electronic_ticket", "1", 1)]),
        (TWO, [{**TICKET, "passenger_ids": ["pas_1", "pas_2"]}], [("electronic_ticket", "1", None)]),
        (TWO, [{**TICKET, "passenger_ids": ["pas_3"]}], [("electronic_ticket", "1", None)]),
        (
            TWO,
            [{**TICKET, "passenger_ids": [7]}, TICKET],
            [("electronic_ticket", "1", None), ("electronic_ticket", "1", 0)],
        ),
        (OLD, [TICKET], [("electronic_ticket", "1", None)]),
        (ONE, [], []),
        (ONE, None, []),
        (ONE, ["no document", {**TICKET, "type": "voucher"}, {**TICKET, "unique_identifier": 7}], []),
    ],
)
def test_documents_are_read_as_far_as_they_say_something(
    stub: DuffelStub, duffel: DuffelFlights, order: Any, documents: Any, expected: Any
) -> None:
    shown = stub._order_now(stub.orders[duffel.book(a_party(duffel, ADA)).supplier_reference])
    read = mapping.order({**shown, **order, "documents": documents}, now=clock.now(), final=True)
    assert [(one.type, one.number, one.passenger) for one in read.documents] == expected
    assert read.ticket_numbers == (
        ("1",) if any(kind == "electronic_ticket" for kind, _, _ in expected) else ()
    )
    assert read.issued


# --- Identity documents ---------------------------------------------------------------------------------------------------
PASSPORT = {"type": "passport", "number": "QX7654321", "issuingCountry": "GB", "expiresOn": "2040-01-31"}
REDRESS = {"type": "redress_number", "number": "RD1234567", "issuingCountry": "US"}
DEMANDING = {"includeDocumentOffers": True}


def demanding(seller: Desk, **search: Any) -> dict[str, Any]:
    """The one offer of a search that demands documents."""
    offers = seller.searched(**DEMANDING, **search)["offers"]
    (found,) = [one for one in offers if one["requirements"]["identityDocument"] == "required"]
    return dict(found)


def test_offers_that_demand_documents_are_answered_to_those_who_ask(seller: Desk) -> None:
    usual, asked = seller.searched(), seller.searched(**DEMANDING)
    assert usual["withheld"]["documentsRequired"] == 1
    assert {one["requirements"]["identityDocument"] for one in usual["offers"]} == {"none"}
    assert asked["withheld"]["documentsRequired"] == 0
    assert len(asked["offers"]) == len(usual["offers"]) + 1
    assert demanding(seller)["requirements"] == {
        "identityDocument": "required",
        "documentTypes": ["passport", "redress_number"],
    }


def test_documents_are_sent_in_duffels_words_and_read_back_masked(
    seller: Desk, at_duffel: DuffelStub
) -> None:
    offer = demanding(seller)
    assert seller.reprice(offer).status == 200
    reply = seller.order(offer, passengers=[{**ADA_ON_THE_WIRE, "identityDocuments": [PASSPORT, REDRESS]}])
    assert reply.status == 201, reply.body
    (body,) = [heard.json["data"] for heard in at_duffel.heard_by("POST", paths.ORDERS)]
    assert body["passengers"][0]["identity_documents"] == [
        {
            "type": "passport",
            "unique_identifier": "QX7654321",
            "issuing_country_code": "GB",
            "expires_on": "2040-01-31",
        },
        {
            "type": "passenger_redress_number",
            "unique_identifier": "RD1234567",
            "issuing_country_code": "US",
        },
    ]
    assert reply.body["passengers"][0]["identityDocuments"] == [
        {"type": "passport", "numberLastFour": "4321", "issuingCountry": "GB", "expiresOn": "2040-01-31"},
        {"type": "redress_number", "numberLastFour": "4567", "issuingCountry": "US", "expiresOn": None},
    ]


def test_an_order_without_documents_sends_none(seller: Desk, at_duffel: DuffelStub) -> None:
    seller.ordered()
    (body,) = [heard.json["data"] for heard in at_duffel.heard_by("POST", paths.ORDERS)]
    assert "identity_documents" not in body["passengers"][0]


AT = "/passengers/0/identity_documents"


@pytest.mark.parametrize(
    ("code", "field", "pointer", "named"),
    [
        ("validation_format", "unique_identifier", f"{AT}/1/unique_identifier", "identityDocuments.1.number"),
        ("validation_inclusion", "type", f"{AT}/0/type", "identityDocuments.0.type"),
        ("validation_format", "", f"{AT}/0/issuing_country_code", "identityDocuments.0.issuingCountry"),
        ("validation_inclusion", "expires_on", f"/data{AT}/0/expires_on", "identityDocuments.0.expiresOn"),
        ("validation_inclusion", "", f"{AT}/0/something", "identityDocuments.0"),
        ("validation_required", "identity_documents", AT, "identityDocuments"),
        ("validation_required", "identity_documents", "/passengers/0", "identityDocuments"),
    ],
)
def test_a_refused_document_is_a_400_at_its_field_and_nothing_is_held(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded, code: str, field: str, pointer: str, named: str
) -> None:
    at_duffel.trouble("POST", paths.ORDERS, refusal(*refusal_of(code, field=field, pointer=pointer)))
    traveller = {**ADA_ON_THE_WIRE, "identityDocuments": [PASSPORT, REDRESS]}
    reply = seller.order(demanding(seller), passengers=[traveller])
    assert faults(reply) == [f"passengers.0.{named}"]
    assert funds(partner, "live")[1] == 0
    assert at_duffel.booked() == {}
    assert not {"QX7654321", "RD1234567"} & set(reply.content.decode().split('"'))


@pytest.mark.parametrize(
    ("told", "types"),
    [
        ({}, ("passport", "redress_number")),
        ({"supported_passenger_identity_document_types": []}, ()),
        ({"supported_passenger_identity_document_types": None}, ("tax_id",)),
        ({"supported_passenger_identity_document_types": ["library_card", 7, "passport"]}, ("passport",)),
        ({"supported_passenger_identity_document_types": "passport"}, ()),
    ],
)
def test_types_are_those_that_we_know(
    stub: DuffelStub, duffel: DuffelFlights, told: dict[str, Any], types: tuple[str, ...]
) -> None:
    duffel.search(a_search())
    offer = stub._offer_now(next(iter(stub.offers.values())))
    data = {**offer, "allowed_passenger_identity_document_types": ["tax_id"], **told}
    assert mapping.offer(data, "economy").document_types == types
    demanding = {**data, "passenger_identity_documents_required": True}
    assert mapping.reason_withheld(demanding) == Withheld(documents_required=1)
    unfit = None if types else Withheld(documents_required=1)  # nothing that it takes can be sent
    assert mapping.reason_withheld(demanding, documents=True) == unfit


def test_a_lost_answer_is_found_and_nothing_is_sent_twice(
    seller: Desk, at_duffel: DuffelStub, partner: Onboarded, move_clock: Callable[..., None]
) -> None:
    at_duffel.trouble("POST", paths.ORDERS, Trouble(end="reset"))
    traveller = {**ADA_ON_THE_WIRE, "identityDocuments": [PASSPORT]}
    reply = seller.order(demanding(seller), passengers=[traveller])
    assert reply.status == 503
    move_clock(minutes=5)
    recover_due()
    order = seller.read(Booking.objects.get().id)
    assert (order["status"], order["documents"][0]["passenger"]) == ("ticketed", 0)
    assert order["passengers"][0]["identityDocuments"][0]["numberLastFour"] == "4321"
    assert (set(at_duffel.booked().values()), set(at_duffel.sent().values())) == ({1}, {1})
    assert funds(partner, "live")[1] == 0


# --- Loyalty accounts -----------------------------------------------------------------------------------------------------
ACCOUNT = {"airline": "ZZ", "number": "ZZ1234567"}
UNKNOWN = {"airline": "ZZ", "number": "0000000000"}


def test_accounts_are_sent_with_the_order_and_read_back_masked(seller: Desk, at_duffel: DuffelStub) -> None:
    offer = seller.flexible()
    assert offer["loyaltyProgrammes"] == ["ZZ", "BA"]
    reply = seller.order(offer, passengers=[{**ADA_ON_THE_WIRE, "loyaltyAccounts": [ACCOUNT]}])
    (body,) = [heard.json["data"] for heard in at_duffel.heard_by("POST", paths.ORDERS)]
    assert body["passengers"][0]["loyalty_programme_accounts"] == [
        {"airline_iata_code": "ZZ", "account_number": "ZZ1234567"}
    ]
    assert reply.body["passengers"][0]["loyaltyAccounts"] == [{"airline": "ZZ", "numberLastFour": "4567"}]
    assert b"ZZ1234567" not in reply.content


def test_an_account_of_another_airline_is_not_dropped_silently(seller: Desk, at_duffel: DuffelStub) -> None:
    traveller = {**ADA_ON_THE_WIRE, "loyaltyAccounts": [ACCOUNT, {**ACCOUNT, "airline": "AF"}]}
    reply = seller.order(seller.flexible(), passengers=[traveller])
    assert faults(reply) == ["passengers.0.loyaltyAccounts.1.airline"]
    assert at_duffel.heard_by("POST", paths.ORDERS) == []


CHARLES_ON_THE_WIRE = {**ADA_ON_THE_WIRE, "title": "mr", "firstName": "Charles"}


@pytest.mark.parametrize(
    ("accounts", "pointer", "named"),
    [
        ([[], [UNKNOWN]], "", "passengers.1.loyaltyAccounts"),  # there is one holder: it is theirs
        ([[ACCOUNT], [UNKNOWN]], "", "passengers"),
        (
            [[ACCOUNT], [ACCOUNT]],
            "/passengers/1/loyalty_programme_accounts/0/account_number",
            "passengers.1.loyaltyAccounts.0.number",
        ),
        ([[ACCOUNT], [ACCOUNT]], "/passengers/0", "passengers.0.loyaltyAccounts"),
    ],
)
def test_an_account_that_the_airline_does_not_know_is_a_400_and_nothing_is_booked(
    seller: Desk,
    at_duffel: DuffelStub,
    partner: Onboarded,
    accounts: list[list[dict[str, str]]],
    pointer: str,
    named: str,
) -> None:
    if pointer:
        answer = refusal_of("invalid_loyalty_card", field="loyalty_programme_accounts", pointer=pointer)
        at_duffel.trouble("POST", paths.ORDERS, refusal(*answer))
    offer = seller.flexible(passengers={"adults": 2})
    party = [
        {**one, "loyaltyAccounts": given}
        for one, given in zip((ADA_ON_THE_WIRE, CHARLES_ON_THE_WIRE), accounts, strict=True)
    ]
    before = funds(partner, "live")
    assert faults(seller.order(offer, passengers=party)) == [named]
    assert (at_duffel.booked(), funds(partner, "live")) == ({}, before)


@pytest.mark.parametrize(
    ("told", "codes"), [(["ZZ", "ZZ", "", 7, None], ("ZZ",)), ([], ()), (None, ()), ("ZZ", ())]
)
def test_programmes_are_read_as_far_as_they_are_codes(
    stub: DuffelStub, duffel: DuffelFlights, told: Any, codes: tuple[str, ...]
) -> None:
    duffel.search(a_search())
    offer = stub._offer_now(next(iter(stub.offers.values())))
    data = {**offer, "supported_loyalty_programmes": told}
    assert mapping.offer(data, "economy").loyalty_programmes == codes
