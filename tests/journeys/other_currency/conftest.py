"""A live key of an account in euros, and suppliers that charge dollars."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.flights.suppliers import registry as flight_registry
from apps.flights.suppliers.simulator.adapter import FlightSimulator
from apps.hotels.suppliers import registry as hotel_registry
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.suppliers.simulation import DatabaseStore
from apps.suppliers.vendors import Vendor
from apps.transfers.suppliers import registry as transfer_registry
from apps.transfers.suppliers.simulator.adapter import TransferSimulator
from tests.flights.desk import a_partner
from tests.journeys.other_currency.dollars import Dollars
from tests.journeys.other_currency.journey import Flight, Ride, Stay
from tests.support.api import Api

SIMULATORS: dict[str, tuple[Any, Any]] = {
    "hotels": (HotelSimulator, hotel_registry),
    "flights": (FlightSimulator, flight_registry),
    "transfers": (TransferSimulator, transfer_registry),
}


@pytest.fixture
def partner(db: None) -> Iterator[Onboarded]:
    """Whatever a test does with the money: at its end the ledger is exact."""
    yield a_partner()
    assert check_ledger() == []


@pytest.fixture
def api(partner: Onboarded) -> Api:
    assert partner.live_secret is not None
    return Api(partner.live_secret)


@pytest.fixture(autouse=True)
def suppliers(monkeypatch: pytest.MonkeyPatch, settings: Any) -> dict[str, Any]:
    """The simulators behind live keys, by product."""
    made: dict[str, Any] = {}
    for product, (simulator, registry) in SIMULATORS.items():
        made[product] = simulator(DatabaseStore(product))
        monkeypatch.setitem(
            registry.VENDORS, "dollars", Vendor("dollars", lambda product=product: Dollars(made[product]))
        )
    settings.SUPPLIERS = {product: {"live": "dollars"} for product in (*SIMULATORS, "esim")}
    return made


@pytest.fixture(params=[Stay, Flight, Ride], ids=lambda kind: kind.product)
def journey(request: pytest.FixtureRequest, api: Api) -> Any:
    return request.param(api)
