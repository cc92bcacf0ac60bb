from datetime import date, timedelta
from typing import Any

import pytest

from apps.flights.suppliers.base import Baggage, FlightOffer, Passengers
from apps.flights.suppliers.simulator import offers
from apps.flights.suppliers.simulator.offers import slice_totals
from apps.suppliers.errors import Expired
from tests.flights.suppliers.requests import DEPARTURE, a_search
from tests.flights.suppliers.routes import MAIN_ROUTES


def search(**changes: Any) -> list[FlightOffer]:
    return offers.search(a_search(**changes), 100)


def kinds(found: list[FlightOffer]) -> set[tuple[bool, bool]]:
    """(refundable, changeable) of each."""
    return {(offer.conditions.refundable, offer.conditions.changeable) for offer in found}


@pytest.mark.parametrize(("origin", "destination"), MAIN_ROUTES)
@pytest.mark.parametrize("days", [None, 7], ids=["one way", "return"])
def test_main_routes_offer_every_kind_of_fare(origin: str, destination: str, days: int | None) -> None:
    back = DEPARTURE + timedelta(days=days) if days else None
    found = search(origin=origin, destination=destination, return_date=back)
    assert 4 <= len(found) <= 20
    assert kinds(found) == {(False, False), (False, True), (True, True)}
    for offer in found:
        penalty = offer.conditions.penalty_cents
        assert penalty is not None
        assert (
            0 < penalty < offer.total_cents if offer.conditions.refundable else penalty == offer.total_cents
        )


@pytest.mark.parametrize("limit", [4, 5, 10])
def test_a_limit_keeps_the_cheapest_and_hides_no_kind(limit: int) -> None:
    every, found = search(), search(limit=limit)
    assert len(found) == limit
    assert found[0] == every[0]
    assert found == sorted(found, key=lambda offer: offer.total_cents)
    assert {(False, False), (True, True)} <= kinds(found)


def test_a_limit_of_one_is_the_cheapest() -> None:
    assert search(limit=1) == search()[:1]


@pytest.mark.parametrize(("origin", "destination"), MAIN_ROUTES[:12])
def test_what_is_shown_beside_the_price_is_plausible(origin: str, destination: str) -> None:
    party = Passengers(adults=2, children=1, infants=1)
    found = search(origin=origin, destination=destination, passengers=party, cabin="premium_economy")
    assert found
    for offer in found:
        assert offer.base_cents is not None
        assert offer.tax_cents is not None
        assert offer.base_cents + offer.tax_cents == offer.total_cents
        assert 10 * offer.tax_cents < 4 * offer.total_cents < 40 * offer.tax_cents
        assert offer.co2_kg is not None
        assert 20 < offer.co2_kg < 10_000
        segments = [one for leg in offer.slices for one in leg.segments]
        assert all(one.aircraft and one.operating_carrier and one.operating_carrier_name for one in segments)
    brands = {offer.fare_brand: offer.baggage for offer in found}
    assert brands == {
        f"Premium Economy {name}": (
            Baggage("adult", 1, checked),
            Baggage("child", 1, checked),
            Baggage("infant", 0, min(1, checked)),
        )
        for name, checked in (("Light", 0), ("Classic", 1), ("Flex", 2))
    }


def test_flights_differ_in_planes_terminals_and_in_who_flies() -> None:
    segments = [
        one
        for origin, destination in MAIN_ROUTES
        for offer in search(origin=origin, destination=destination)
        for leg in offer.slices
        for one in leg.segments
    ]
    assert len({one.aircraft for one in segments}) > 8
    assert {one.origin_terminal for one in segments} > {None, "1", "2"}
    flown_by_others = [one for one in segments if one.operating_carrier != one.carrier]
    assert 0 < len(flown_by_others) < len(segments) / 3


def test_the_same_search_prices_the_same() -> None:
    assert search() == search()


def test_what_was_priced_before_is_not_priced_again_whatever_the_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = search(departure_date=date(2027, 5, 5))
    monkeypatch.delattr(offers, "slice_total")
    assert search(departure_date=date(2027, 5, 5), limit=1) == first[:1]
    found = search(departure_date=date(2027, 5, 5))
    found.clear()
    assert search(departure_date=date(2027, 5, 5)) == first


def test_another_day_another_price() -> None:
    totals = {search(departure_date=DEPARTURE + timedelta(days=n))[0].total_cents for n in range(7)}
    assert len(totals) > 3


def test_a_return_costs_both_ways_and_comes_back_after_arriving() -> None:
    found = search(return_date=DEPARTURE)
    assert found
    for offer in found:
        out, back = offer.slices
        assert out.arrival_at < back.departure_at
        assert sum(slice_totals(offer, 100)) == offer.total_cents


@pytest.mark.parametrize(
    "route", [("LIS", "LIS"), ("XXX", "LIS"), ("LIS", "XXX"), ("LHR", "LGW")], ids="-".join
)
def test_no_flights_are_no_offers(route: tuple[str, str]) -> None:
    assert search(origin=route[0], destination=route[1]) == []


def test_no_connection_means_direct_flights_only() -> None:
    direct = search(max_connections=0)
    assert {len(offer.slices[0].segments) for offer in direct} == {1}
    assert len(direct) >= 4
    assert search(origin="SYD", destination="LHR", max_connections=0) == []


def test_an_offer_is_repriced_from_what_it_carries() -> None:
    asked = {"passengers": Passengers(2, 1, 1), "cabin": "business", "currency": "JPY"}
    offers = search(return_date=date(2027, 2, 9), **asked)
    assert offers
    for offer in offers:
        assert sum(slice_totals(offer, 100)) == offer.total_cents


def test_a_foreign_offer_is_not_known() -> None:
    offer = search()[0]
    foreign = FlightOffer(
        **{f: getattr(offer, f) for f in offer.__slots__} | {"supplier_data": {"id": "off_1"}}
    )
    with pytest.raises(Expired):
        slice_totals(foreign, 100)
