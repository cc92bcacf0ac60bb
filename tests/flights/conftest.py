"""A partner who sells flights, and an airline that does as told."""

from collections.abc import Callable, Iterator
from datetime import datetime

import pytest

from apps.common import clock
from apps.flights.suppliers import registry
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.vendors import Vendor
from tests.flights.desk import Desk, a_partner, desk_of
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
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[[datetime], None]:
    """`at(instant)` stops the clock there."""

    def stop(instant: datetime) -> None:
        monkeypatch.setattr(clock, "_database_now", lambda: instant)

    return stop
