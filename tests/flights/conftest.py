"""A partner who sells flights, and an airline that does as told."""

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from pytest_django import Settings

from apps.common import clock
from apps.flights.suppliers import registry
from apps.ledger.consistency import check_ledger
from apps.onboarding.partners import Onboarded
from apps.suppliers.vendors import Vendor
from tests.flights.desk import Desk, a_partner, desk_of
from tests.journeys.other_currency.dollars import Dollars
from tests.journeys.other_currency.journey import SEARCHED_AT, store_rate
from tests.support.scripted_flights import ScriptedFlights


@pytest.fixture
def partner(db: None) -> Iterator[Onboarded]:
    """Whatever a test does with the money: at its end the ledger is exact."""
    yield a_partner()
    assert check_ledger() == []


@pytest.fixture
def desk(partner: Onboarded) -> Desk:
    return desk_of(partner.test_secret)


@pytest.fixture
def live(partner: Onboarded) -> Desk:
    """The same partner with a live key."""
    return desk_of(partner.live_secret)


@pytest.fixture
def stranger(partner: Onboarded) -> Desk:
    """Another partner."""
    return desk_of(a_partner().test_secret)


@pytest.fixture
def airline(monkeypatch: pytest.MonkeyPatch) -> ScriptedFlights:
    """The supplier, in a test's hands."""
    scripted = ScriptedFlights()
    monkeypatch.setitem(registry.VENDORS, "simulator", Vendor("simulator", lambda: scripted))
    return scripted


@pytest.fixture
def former(live: Desk, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> ScriptedFlights:
    """Who sells to live keys, for dollars, until the test calls `another_sells`."""
    scripted = ScriptedFlights()
    monkeypatch.setitem(registry.VENDORS, "former", Vendor("former", lambda: Dollars(scripted)))
    settings.SUPPLIERS = {**settings.SUPPLIERS, "flights": {"live": "former"}}
    store_rate(SEARCHED_AT)
    return scripted


@pytest.fixture
def another_sells(settings: Settings) -> Callable[[], None]:
    """From then on live keys search elsewhere."""

    def change() -> None:
        settings.SUPPLIERS = {**settings.SUPPLIERS, "flights": {"live": "simulator"}}

    return change


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """`at(instant)` stops the clock there."""

    def stop(instant: datetime) -> None:
        monkeypatch.setattr(clock, "_database_now", lambda: instant)

    return stop
