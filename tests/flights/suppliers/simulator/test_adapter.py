"""What is particular to the simulator; what it shares with all suppliers is in `test_contract.py`."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from apps.flights.suppliers.base import FlightOrder
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.flights.suppliers.simulator.vendor import flight_simulator
from apps.suppliers.errors import Expired, NotPossible
from apps.suppliers.simulation import DatabaseStore
from tests.flights.suppliers.requests import DEPARTURE, a_change, a_search, an_order, new_ref
from tests.judge.books import Books

LATER = DEPARTURE + timedelta(days=5)


def in_memory() -> FlightSimulator:
    return FlightSimulator(Books(), now=lambda: datetime.now(UTC))


def a_flexible_order(simulator: FlightSimulator, **search: object) -> FlightOrder:
    found = simulator.search(a_search(**search))
    return simulator.book(an_order(next(offer for offer in found if offer.conditions.refundable)))


def test_options_keep_both_signs_however_often_an_order_is_changed() -> None:
    simulator = in_memory()
    order = a_flexible_order(simulator)
    for n in range(12):
        options = simulator.change_options(a_change(order, LATER + timedelta(days=n)))
        assert options[0].difference_cents < 0 < options[-1].difference_cents
        order = simulator.change(new_ref(), order.supplier_reference, options[0])
        assert 0 < (order.conditions.penalty_cents or 0) < order.total_cents


@pytest.mark.django_db
def test_options_are_confirmed_within_twenty_minutes(move_clock: Callable[..., None]) -> None:
    simulator = flight_simulator()
    found = simulator.search(a_search())
    order = simulator.book(an_order(next(o for o in found if o.conditions.refundable)))
    stale = simulator.change_options(a_change(order, LATER))[0]
    move_clock(minutes=19)
    fresh = simulator.change_options(a_change(order, LATER))[1]
    move_clock(minutes=2)
    with pytest.raises(Expired):
        simulator.change(new_ref(), order.supplier_reference, stale)
    assert simulator.change(new_ref(), order.supplier_reference, fresh).total_cents == fresh.new_total_cents


@pytest.mark.django_db(transaction=True)
def test_of_eight_cancellations_at_once_one_succeeds() -> None:
    simulator = FlightSimulator(DatabaseStore("flights"))
    order = a_flexible_order(simulator)
    quote = simulator.quote_cancellation(order.supplier_reference)

    def cancel(client_ref: str) -> bool:
        try:
            simulator.cancel(client_ref, order.supplier_reference, quote)
        except NotPossible:
            return False
        finally:
            connection.close()
        return True

    references = [new_ref() for _ in range(8)]
    with ThreadPoolExecutor(8) as threads:
        outcomes = dict(zip(references, threads.map(cancel, references), strict=True))
    assert sorted(outcomes.values()) == [False] * 7 + [True]
    for reference, succeeded in outcomes.items():
        assert simulator.find_cancellation(reference, order.supplier_reference, quote) == (
            quote if succeeded else None
        )
