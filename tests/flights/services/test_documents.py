"""Documents of an order: what travellers show, and what the airline issues."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from apps.bookings.flow.polling import poll
from apps.bookings.models import Booking, Operation
from apps.flights.models import FlightSearch
from apps.flights.suppliers.base import EMD_ASSOCIATED, TICKET, IssuedDocument
from apps.onboarding.partners import Onboarded
from apps.suppliers.simulation import BOOK
from tests.flights.desk import (
    ADA,
    ANNABELLA,
    BALANCE_CENTS,
    BYRON,
    CHARLES,
    Desk,
    faults,
    funds,
    in_days,
    refusal,
    without,
)
from tests.support.scripted_flights import ScriptedFlights

FAMILY = {"adults": 2, "children": 1, "infants": 1}


def test_everybody_has_a_ticket_and_a_change_brings_new_ones(desk: Desk) -> None:
    party = [ADA, CHARLES, BYRON, ANNABELLA]
    order = desk.order(desk.flexible(passengers=FAMILY), passengers=party).body
    issued = order["documents"]
    assert [(one["type"], one["passenger"]) for one in issued] == [(TICKET, place) for place in range(4)]
    assert [one["number"] for one in issued] == order["ticketNumbers"]
    changed = desk.changed(order, desk.options_of(order, days=61)[0])
    assert [one["number"] for one in changed["documents"]] == changed["ticketNumbers"]
    assert not {one["number"] for one in issued} & set(changed["ticketNumbers"])


def issue(airline: ScriptedFlights, order: dict[str, Any], *documents: IssuedDocument) -> None:
    """The airline has these documents of the order from now on, and the order is polled."""
    reference = order["supplier"]["reference"]
    write = airline.simulator.store.find(BOOK, order["reference"])
    assert write is not None
    record, sequence = airline.simulator.latest(reference)
    record = replace(record, order=replace(record.order, documents=documents))
    airline.simulator._write_next("change", f"{reference}-issued-{sequence + 1}", sequence + 1, record)
    poll(Booking.objects.get(pk=order["id"]))


def test_documents_that_come_later_are_read_and_none_are_forgotten(
    desk: Desk, airline: ScriptedFlights
) -> None:
    order = desk.ordered()
    receipt = IssuedDocument(EMD_ASSOCIATED, "1", None)
    issue(airline, order, *(receipt, receipt))
    shown = desk.read(order["id"])["documents"]
    assert shown == [{"type": "emd_associated", "number": "1", "passenger": None}] * 2
    issue(airline, order)
    assert desk.read(order["id"])["documents"] == shown


def test_an_order_of_an_earlier_release_has_none(desk: Desk) -> None:
    order = desk.ordered()
    booking = Booking.objects.get(pk=order["id"])
    details = {name: value for name, value in booking.details.items() if name != "documents"}
    Booking.objects.filter(pk=booking.pk).update(details=details)
    read = desk.read(order["id"])
    assert (read["documents"], read["ticketNumbers"]) == ([], order["ticketNumbers"])


# --- Identity documents ---------------------------------------------------------------------------------------------------
PASSPORT = {"type": "passport", "number": "QX7654321", "issuingCountry": "GB", "expiresOn": "2040-01-31"}
KTN = {"type": "known_traveler_number", "number": "TT1234567", "issuingCountry": "US"}
ASKED = {"includeDocumentOffers": True}


def holding(passenger: dict[str, Any], *documents: dict[str, Any]) -> dict[str, Any]:
    return {**passenger, "identityDocuments": list(documents)}


def is_required(offer: dict[str, Any]) -> bool:
    return bool(offer["requirements"]["identityDocument"] == "required")


def demanding(desk: Desk, **search: Any) -> dict[str, Any]:
    """The cheapest offer of a search that demands a document."""
    return next(one for one in desk.searched(**ASKED, **search)["offers"] if is_required(one))


def taking(desk: Desk, *types: str, **search: Any) -> dict[str, Any]:
    """The first offer that demands none, and takes these types."""
    return next(
        one
        for one in desk.searched(**search)["offers"]
        if one["requirements"] == {"identityDocument": "none", "documentTypes": list(types)}
    )


def last_day(offer: dict[str, Any]) -> date:
    return date.fromisoformat(offer["slices"][-1]["arrivalAt"][:10])


def test_offers_that_demand_a_document_are_answered_only_to_those_who_ask(desk: Desk) -> None:
    usual, asked = desk.searched(), desk.searched(**ASKED)
    found = [one for one in asked["offers"] if is_required(one)]
    assert len(found) == usual["withheld"]["documentsRequired"] > 0
    assert {one["requirements"]["documentTypes"][0] for one in found} == {"passport"}
    assert not any(map(is_required, usual["offers"]))
    assert {**asked["withheld"], "documentsRequired": 1} == {**usual["withheld"], "documentsRequired": 1}
    assert asked["withheld"]["documentsRequired"] == 0
    kept = ("offerId", "sliceId", "expiresAt", "slices", "cancellationSteps")
    others = [without(one, *kept) for one in asked["offers"] if not is_required(one)]
    assert others == [without(one, *kept) for one in usual["offers"]][: len(others)]


def test_a_document_is_sealed_and_read_back_as_its_last_four_characters(desk: Desk) -> None:
    offer = demanding(desk)
    number = "  QX7654321 "
    reply = desk.order(offer, passengers=[holding(ADA, {**PASSPORT, "number": number})])
    assert reply.status == 201, reply.body
    shown = [{**without(PASSPORT, "number"), "numberLastFour": "4321"}]
    assert reply.body["passengers"][0]["identityDocuments"] == shown
    assert desk.read(reply.body["id"])["passengers"][0]["identityDocuments"] == shown
    assert b"QX7654321" not in reply.content
    booking, operation = Booking.objects.get(), Operation.objects.get()
    assert "7654321" not in str((booking.details, operation.request, operation.prepared))


def test_documents_may_be_sent_where_none_is_demanded(desk: Desk) -> None:
    offer = taking(desk, "passport", "known_traveler_number", "redress_number")
    party = [holding(ADA, PASSPORT, KTN)]
    order = desk.order(offer, passengers=party).body
    assert [one["type"] for one in order["passengers"][0]["identityDocuments"]] == [
        "passport",
        "known_traveler_number",
    ]
    assert desk.order(offer, passengers=[holding(ADA, KTN)]).status == 201
    assert desk.order(offer, passengers=[holding(ADA)]).status == 201


PATH = "passengers.0.identityDocuments"
UNREADABLE: list[tuple[Any, list[str]]] = [
    ([{**PASSPORT, "type": "library_card"}], [f"{PATH}.0.type"]),
    ([{**PASSPORT, "number": "QX76"}], [f"{PATH}.0.number"]),
    ([{**PASSPORT, "number": "Q" * 26}], [f"{PATH}.0.number"]),
    ([{**PASSPORT, "number": "QX 7654321"}], [f"{PATH}.0.number"]),
    ([{**PASSPORT, "number": "ＱＸ7654321"}], [f"{PATH}.0.number"]),
    ([{**PASSPORT, "number": "QX7654321\n-"}], [f"{PATH}.0.number"]),
    ([{**PASSPORT, "number": 7654321}], [f"{PATH}.0.number"]),
    ([{**PASSPORT, "issuingCountry": "XX"}], [f"{PATH}.0.issuingCountry"]),
    ([{**PASSPORT, "issuingCountry": "GBR"}], [f"{PATH}.0.issuingCountry"]),
    ([without(PASSPORT, "expiresOn")], [f"{PATH}.0.expiresOn"]),
    ([{**PASSPORT, "expiresOn": "2040-02-30"}], [f"{PATH}.0.expiresOn"]),
    ([{**PASSPORT, "expiresOn": "2020-01-31"}], [f"{PATH}.0.expiresOn"]),
    ([{**PASSPORT, "expiresOn": "9999-12-31"}], [f"{PATH}.0.expiresOn"]),
    ([without(PASSPORT, "number", "issuingCountry")], [f"{PATH}.0.number", f"{PATH}.0.issuingCountry"]),
    ([{**PASSPORT, "holder": "Ada"}], [f"{PATH}.0.holder"]),
    ([PASSPORT, KTN, {**PASSPORT, "number": "AB1234567"}], [f"{PATH}.2.type"]),
    ([PASSPORT] * 5, [PATH]),
    ("QX7654321", [PATH]),
    (None, [PATH]),
]


@pytest.mark.parametrize(("documents", "named"), UNREADABLE)
def test_a_document_that_cannot_be_meant_names_the_field(
    desk: Desk, partner: Onboarded, documents: Any, named: list[str]
) -> None:
    reply = desk.order(demanding(desk), passengers=[{**ADA, "identityDocuments": documents}])
    assert faults(reply) == named
    assert b"7654321" not in reply.content
    assert (Booking.objects.count(), funds(partner)) == (0, (BALANCE_CENTS, 0))


def test_everybody_needs_one_infants_too(desk: Desk, airline: ScriptedFlights, partner: Onboarded) -> None:
    counts = {"adults": 2, "children": 1, "infants": 1}
    offer = demanding(desk, passengers=counts)
    party = [holding(ADA, PASSPORT), CHARLES, holding(BYRON), ANNABELLA]
    missing = [f"passengers.{place}.identityDocuments" for place in (1, 2, 3)]
    assert faults(desk.order(offer, passengers=party)) == missing
    assert (airline.calls("reprice"), funds(partner)) == (0, (BALANCE_CENTS, 0))
    assert desk.order(offer, passengers=[holding(one, PASSPORT) for one in party]).status == 201


def test_an_offer_that_demands_one_is_not_ordered_without(desk: Desk, partner: Onboarded) -> None:
    reply = desk.order(demanding(desk))
    assert faults(reply) == [PATH]
    assert "passport" in reply.error["details"][0]["message"]
    assert (Booking.objects.count(), funds(partner)) == (0, (BALANCE_CENTS, 0))


def test_a_type_that_the_offer_does_not_take_is_refused(desk: Desk) -> None:
    assert faults(desk.order(demanding(desk), passengers=[holding(ADA, PASSPORT, KTN)])) == [f"{PATH}.1.type"]
    none = taking(desk)
    assert faults(desk.order(none, passengers=[holding(ADA, PASSPORT)])) == [f"{PATH}.0.type"]


@pytest.mark.parametrize(("days", "named"), [(-1, [f"{PATH}.0.expiresOn"]), (0, []), (1, [])])
def test_a_document_is_valid_through_the_last_day_of_the_journey(
    desk: Desk, days: int, named: list[str]
) -> None:
    offer = demanding(desk, returnDate=70)
    until = (last_day(offer) + timedelta(days=days)).isoformat()
    reply = desk.order(offer, passengers=[holding(ADA, {**PASSPORT, "expiresOn": until})])
    assert (faults(reply) if named else reply.status) == (named or 201)


def test_a_passport_that_expires_on_the_way_is_refused(desk: Desk) -> None:
    """On a flight that arrives on the next day, at the place."""
    offers = desk.searched(origin="JFK", destination="LHR")["offers"]
    overnight = next(
        one for one in offers if one["slices"][0]["departureAt"][:10] < one["slices"][0]["arrivalAt"][:10]
    )
    departs = overnight["slices"][0]["departureAt"][:10]
    until = {**PASSPORT, "expiresOn": departs}
    assert faults(desk.order(overnight, passengers=[holding(ADA, until)])) == [f"{PATH}.0.expiresOn"]
    until = {**PASSPORT, "expiresOn": overnight["slices"][0]["arrivalAt"][:10]}
    assert desk.order(overnight, passengers=[holding(ADA, until)]).status == 201


def test_a_change_does_not_outlive_a_document(desk: Desk) -> None:
    search = desk.searched()["offers"]
    offer = next(
        one for one in search if one["conditions"]["changeable"] and one["requirements"]["documentTypes"]
    )
    until = {**PASSPORT, "expiresOn": in_days(64)}
    order = desk.order(offer, passengers=[holding(ADA, until)]).body
    assert refusal(desk.ask_options(order, days=66)) == (409, "conflict")
    assert desk.changed(order, desk.options_of(order, days=62)[0])["status"] == "ticketed"


def test_an_offer_stored_by_an_earlier_release_takes_none(desk: Desk) -> None:
    offer = desk.searched()["offers"][0]
    search = FlightSearch.objects.get()
    fields = ("document_required", "document_types")
    search.offers = [without(one, *fields) for one in search.offers]
    search.save()
    read = desk.reprice(offer).body
    assert read["requirements"] == {"identityDocument": "none", "documentTypes": []}
    assert desk.order(offer).status == 201


# --- Loyalty accounts -----------------------------------------------------------------------------------------------------
def flown_by(desk: Desk) -> dict[str, Any]:
    """The first offer that takes loyalty accounts."""
    return next(one for one in desk.searched()["offers"] if one["loyaltyProgrammes"])


def account(airline: str, number: str = "FF7654321") -> dict[str, str]:
    return {"airline": airline, "number": number}


def with_accounts(*accounts: Any) -> dict[str, Any]:
    return {**ADA, "loyaltyAccounts": list(accounts)}


def test_an_account_is_sealed_and_read_back_as_its_last_four_characters(desk: Desk) -> None:
    offer = flown_by(desk)
    carriers = {one["carrier"]["code"] for leg in offer["slices"] for one in leg["segments"]}
    (airline, *_) = offer["loyaltyProgrammes"]
    assert set(offer["loyaltyProgrammes"]) <= carriers
    reply = desk.order(offer, passengers=[with_accounts(account(airline))])
    assert reply.status == 201, reply.body
    shown = [{"airline": airline, "numberLastFour": "4321"}]
    assert reply.body["passengers"][0]["loyaltyAccounts"] == shown
    assert desk.read(reply.body["id"])["passengers"][0]["loyaltyAccounts"] == shown
    assert b"FF7654321" not in reply.content
    booking, operation = Booking.objects.get(), Operation.objects.get()
    assert "7654321" not in str((booking.details, operation.request, operation.prepared))


LOYALTY = "passengers.0.loyaltyAccounts"


@pytest.mark.parametrize(
    ("accounts", "named"),
    [
        ([account("A0")], [f"{LOYALTY}.0.airline"]),
        ([account("..."), account("A0")], [f"{LOYALTY}.1.airline"]),
        ([account("..."), account("...")], [f"{LOYALTY}.1.airline"]),
        ([account("TAP")], [f"{LOYALTY}.0.airline"]),
        ([account("...", "FF7")], [f"{LOYALTY}.0.number"]),
        ([account("...", "FF 7654321")], [f"{LOYALTY}.0.number"]),
        ([{"airline": "..."}], [f"{LOYALTY}.0.number"]),
        ([account("...")] * 9, [LOYALTY]),
        (["FF7654321"], [f"{LOYALTY}.0"]),
    ],
)
def test_an_account_that_is_not_taken_names_the_field(
    desk: Desk, partner: Onboarded, accounts: list[Any], named: list[str]
) -> None:
    """`...` stands for an airline whose accounts the offer takes."""
    offer = flown_by(desk)
    (taken, *_) = offer["loyaltyProgrammes"]
    given = [
        {**one, "airline": taken} if isinstance(one, dict) and one["airline"] == "..." else one
        for one in accounts
    ]
    reply = desk.order(offer, passengers=[with_accounts(*given)])
    assert faults(reply) == named
    assert b"7654321" not in reply.content
    assert (Booking.objects.count(), funds(partner)) == (0, (BALANCE_CENTS, 0))


def test_low_cost_carriers_have_no_programme(desk: Desk) -> None:
    offer = demanding(desk)
    assert offer["loyaltyProgrammes"] == []
    traveller = {**holding(ADA, PASSPORT), "loyaltyAccounts": [account(offer["carrier"]["code"])]}
    assert faults(desk.order(offer, passengers=[traveller])) == [f"{LOYALTY}.0.airline"]


def test_an_account_that_no_airline_knows_books_nothing(desk: Desk, partner: Onboarded) -> None:
    offer = flown_by(desk)
    (airline, *_) = offer["loyaltyProgrammes"]
    unknown = with_accounts(account(airline, "0000000000"))
    reply = desk.order(offer, "the-key-of-it", passengers=[unknown])
    assert faults(reply) == [f"{LOYALTY}.0.number"]
    assert (Booking.objects.get().status, funds(partner)) == ("failed", (BALANCE_CENTS, 0))
    assert desk.order(offer, passengers=[with_accounts(account(airline))]).status == 201
