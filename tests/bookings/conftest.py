import pytest

from apps.flights.suppliers import registry
from apps.keys.scopes import ENFORCED
from apps.onboarding.services.onboard_partner import Onboarded, Terms
from apps.suppliers.vendors import Vendor
from tests.factories.partners import new_partner
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

BALANCE_CENTS = 900_000


@pytest.fixture
def onboarded(db: None) -> Onboarded:
    """A partner with 9,000.00 EUR to try with, and no limit that a test would meet."""
    return new_partner(
        Terms(
            name="Acme Travel",
            currency="EUR",
            balance_cents=BALANCE_CENTS,
            scopes=ENFORCED,
            rates={"SEARCH": 100_000, "BOOKING": 100_000, "READ": 100_000},
        )
    )


@pytest.fixture
def supplier(monkeypatch: pytest.MonkeyPatch) -> ScriptedFlights:
    """The airline, which does as told."""
    scripted = ScriptedFlights()
    monkeypatch.setitem(registry.VENDORS, "simulator", Vendor("simulator", lambda: scripted))
    return scripted


@pytest.fixture
def api(onboarded: Onboarded) -> Api:
    return Api(onboarded.test_secret)


@pytest.fixture
def shop(api: Api, supplier: ScriptedFlights) -> FlightShop:
    return FlightShop(api)
