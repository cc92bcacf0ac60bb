"""Searches of Duffel: what goes out, what of the answer is shown, and what is left out."""

from datetime import timedelta
from typing import Any

import pytest

from apps.flights.suppliers.base import AppliedFare, Conditions, Passengers, PrivateFare
from apps.flights.suppliers.duffel.adapter import DuffelFlights
from apps.suppliers.errors import Expired
from apps.suppliers.results import Withheld
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.travel import flexible
from tests.flights.suppliers.requests import DEPARTURE, a_search
from tests.support.supplier_stub import Trouble

pytestmark = pytest.mark.django_db

LATER = DEPARTURE + timedelta(days=5)


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


def test_the_ages_of_children_are_sent_as_they_were_told(stub: DuffelStub, duffel: DuffelFlights) -> None:
    party = Passengers(adults=1, children=2, infants=1, children_ages=(11, 4))
    duffel.search(a_search(passengers=party))
    (heard,) = stub.heard_by("POST", paths.OFFER_REQUESTS)
    assert heard.json["data"]["passengers"] == [{"type": "adult"}, {"age": 11}, {"age": 4}, {"age": 1}]


@pytest.mark.parametrize(("wanted", "sent"), [(0, 0), (1, 1), (3, 2), (None, 2)])
def test_they_look_for_as_many_connections_as_they_can_unless_fewer_are_wanted(
    stub: DuffelStub, duffel: DuffelFlights, wanted: int | None, sent: int
) -> None:
    duffel.search(a_search(max_connections=wanted))
    (heard,) = stub.heard_by("POST", paths.OFFER_REQUESTS)
    assert heard.json["data"]["max_connections"] == sent


def test_too_many_requests_are_sent_again_when_they_say(
    stub: DuffelStub, duffel: DuffelFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their answer has no Retry-After; the stand-in's `ratelimit-reset` is the date two seconds later."""
    pauses: list[float] = []
    monkeypatch.setattr("apps.suppliers.http.time.sleep", pauses.append)
    stub.throttled = 1
    assert duffel.search(a_search()) != []
    assert [1 <= pause <= 2.5 for pause in pauses] == [True]


def test_an_offer_that_wants_passports_is_withheld(stub: DuffelStub, duffel: DuffelFlights) -> None:
    offers = duffel.search(a_search())
    found = {offer.supplier_data["offer_id"] for offer in offers}
    passports = {key for key, one in stub.offers.items() if one["passenger_identity_documents_required"]}
    assert (len(passports), found) == (1, set(stub.offers) - passports)
    assert offers.withheld == Withheld(documents_required=1)


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
    odd = (
        {"owner": {"iata_code": None, "name": "Stub"}},
        {"id": 7},
        {"owner": None},
        {"total_amount": "1E+30"},
        {"total_currency": 7},
        {"passengers": [{"id": None}]},
    )
    answered_offers(stub, duffel, {"partial": True}, {"slices": None}, {"total_amount": "soon"}, *odd, {})
    found = duffel.search(a_search())
    assert (len(found), found.withheld) == (1, Withheld(unsupported=1, unreadable=2 + len(odd)))


def test_the_limit_counts_each_currency_for_itself(stub: DuffelStub, duffel: DuffelFlights) -> None:
    prices = [("10.00", "GBP"), ("11.00", "GBP"), ("99.00", "EUR"), ("98.00", "EUR"), ("9900", "JPY")]
    answered_offers(stub, duffel, *({"total_amount": a, "total_currency": c} for a, c in prices))
    found = [(offer.total_cents, offer.currency) for offer in duffel.search(a_search(limit=1))]
    assert found == [(1_000, "GBP"), (9_800, "EUR"), (9_900, "JPY")]


@pytest.mark.parametrize(
    "change", [{"passenger_identity_documents_required": True}, {"type": "split_ticket"}, {"partial": True}]
)
def test_an_offer_that_can_no_longer_be_sold_has_expired(
    stub: DuffelStub, duffel: DuffelFlights, change: dict[str, Any]
) -> None:
    """Of a handle that was sold before."""
    offer = flexible(duffel)
    shown = stub._offer_now(stub.offers[offer.supplier_data["offer_id"]])
    stub.trouble("GET", paths.OFFERS, Trouble(status=200, body={"data": {**shown, **change}}))
    with pytest.raises(Expired):
        duffel.reprice(offer)


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
        ({**UNTOLD, "refund_before_departure": {"allowed": None}}, Conditions(False, False, None)),
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
    flexible(duffel)
    (leg,) = next(iter(stub.offers.values()))["slices"]
    untold = {"total_amount": "184.60", "conditions": told, "slices": [{**leg, "conditions": None}]}
    answered_offers(stub, duffel, untold)
    (offer,) = duffel.search(a_search())
    assert offer.conditions == conditions


@pytest.mark.parametrize("whole", [None, {"allowed": False}])
@pytest.mark.parametrize(
    ("own", "changeable"),
    [(ALLOWED, True), ({"allowed": False}, False), ({"allowed": None}, False), (None, False), ("yes", False)],
)
def test_an_offer_can_be_changed_where_one_slice_can(
    stub: DuffelStub, duffel: DuffelFlights, whole: Any, own: Any, changeable: bool
) -> None:
    duffel.search(a_search(return_date=DEPARTURE))
    out, back = next(iter(stub.offers.values()))["slices"]
    slices = [{**out, "conditions": None}, {**back, "conditions": {"change_before_departure": own}}]
    terms = {**UNTOLD, "change_before_departure": whole}
    answered_offers(stub, duffel, {"conditions": terms, "slices": slices})
    (offer,) = duffel.search(a_search())
    assert offer.conditions.changeable is changeable


def test_codes_of_agreements_are_sent_by_airline_and_what_applied_is_shown(
    stub: DuffelStub, duffel: DuffelFlights
) -> None:
    fares = (PrivateFare("ZZ", "ZZ-ACME", "TOUR"), PrivateFare("UA", tour_code="PERKS"))
    offers = duffel.search(a_search(private_fares=fares))
    (heard,) = stub.heard_by("POST", paths.OFFER_REQUESTS)
    assert heard.json["data"]["private_fares"] == {
        "ZZ": [{"corporate_code": "ZZ-ACME", "tour_code": "TOUR"}],
        "UA": [{"tour_code": "PERKS"}],
    }
    assert {offer.private_fares for offer in offers} == {(AppliedFare("corporate", "ZZ-ACME"),)}
    public = duffel.search(a_search(private_fares=(PrivateFare("ZZ", "WRONG"),)))
    assert {offer.private_fares for offer in public} == {()}
    assert offers[0].total_cents < public[0].total_cents


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (None, ()),
        ("corporate", ()),
        ([None, {"corporate_code": "X"}, {"type": "leisure"}], (AppliedFare("leisure"),)),
        ([{"type": "negotiated", "corporate_code": 7}], (AppliedFare("negotiated"),)),
    ],
)
def test_an_odd_list_of_private_fares_loses_no_offer(
    stub: DuffelStub, duffel: DuffelFlights, told: Any, shown: tuple[AppliedFare, ...]
) -> None:
    answered_offers(stub, duffel, {"private_fares": told})
    assert [offer.private_fares for offer in duffel.search(a_search())] == [shown]
