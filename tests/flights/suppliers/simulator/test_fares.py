from datetime import date

import pytest

from apps.flights.suppliers.base import Conditions, Passengers, Slice
from apps.flights.suppliers.simulator import catalogue
from apps.flights.suppliers.simulator.offers import CLASSIC, FLEX, LIGHT, Fare, slice_total
from apps.suppliers import airports
from apps.suppliers.simulation import percent


def a_flight(day: date = date(2027, 2, 3), origin: str = "LIS", destination: str = "BER") -> Slice:
    here, there = airports.find(origin), airports.find(destination)
    assert here is not None
    assert there is not None
    return catalogue.slices(here, there, day, None)[0]


def price(
    flight: Slice | None = None,
    *,
    cabin: str = "economy",
    fare: Fare = LIGHT,
    passengers: Passengers = Passengers(),  # noqa: B008 (frozen)
    currency: str = "EUR",
    market_percent: int = 100,
) -> int:
    return slice_total(
        flight or a_flight(),
        cabin=cabin,
        fare=fare,
        passengers=passengers,
        currency=currency,
        market_percent=market_percent,
    )


def test_a_price_never_changes() -> None:
    """A stored offer is re-priced from itself after a deployment, too: these figures stand."""
    assert price() == price() == 14_259
    assert price(a_flight(origin="LHR", destination="JFK")) == 26_480


def test_children_pay_three_quarters_and_infants_a_tenth() -> None:
    adult = price()
    assert price(passengers=Passengers(2, 1, 1)) == 2 * adult + percent(adult, 75) + percent(adult, 10)
    assert price(passengers=Passengers(0, 1, 0)) == percent(adult, 75)


def test_better_cabins_and_kinds_of_fare_cost_more() -> None:
    cabins = [price(cabin=cabin) for cabin in ("economy", "premium_economy", "business", "first")]
    assert cabins == sorted(set(cabins))
    fares = [price(fare=fare) for fare in (LIGHT, CLASSIC, FLEX)]
    assert fares == sorted(set(fares))


def test_farther_costs_more() -> None:
    totals = [price(a_flight(destination=there)) for there in ("MAD", "BER", "JFK", "NRT")]
    assert totals == sorted(set(totals))


def test_days_differ_in_price() -> None:
    august_sunday, january_tuesday = date(2027, 8, 1), date(2027, 1, 12)
    assert price(a_flight(august_sunday)) > 1.25 * price(a_flight(january_tuesday))


@pytest.mark.parametrize(("currency", "factor"), [("USD", 1.14), ("JPY", 1.64), ("KWD", 3.5)])
def test_minor_units_follow_the_currency(currency: str, factor: float) -> None:
    assert price(currency=currency) == pytest.approx(price() * factor, abs=2)


def test_the_market_moves_the_price() -> None:
    assert price(market_percent=110) == pytest.approx(price() * 1.1, abs=1)


def test_what_the_kinds_of_fare_allow() -> None:
    assert LIGHT.conditions(10_000) == Conditions(refundable=False, changeable=False, penalty_cents=10_000)
    assert CLASSIC.conditions(10_000) == Conditions(refundable=False, changeable=True, penalty_cents=10_000)
    assert FLEX.conditions(10_000) == Conditions(refundable=True, changeable=True, penalty_cents=2_000)


def test_percentages_round_half_up() -> None:
    assert [percent(cents, 50) for cents in (1, 2, 3)] == [1, 1, 2]
