from typing import Any

import pytest

from apps.flights.suppliers import registry
from apps.gateway.idempotency import Claim, claim
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from apps.onboarding.services.onboard_partner import Onboarded, Terms
from apps.suppliers.vendors import Vendor
from tests.bookings.rows import a_booking, an_operation
from tests.bookings.stated import MINE, stored
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


@pytest.fixture
def key(onboarded: Onboarded) -> ApiKey:
    return onboarded.test_key


@pytest.fixture
def claimed(onboarded: Onboarded) -> Claim:
    """An Idempotency-Key that this call has."""
    made = claim(authentication.look_up(onboarded.test_secret), "one-and-the-same", "of a body")
    assert isinstance(made, Claim)
    return made


@pytest.fixture
def bystanders(key: ApiKey) -> list[dict[str, Any]]:
    """Rows in the same states, which nothing here may touch."""
    for state in ("held", "calling"):
        an_operation(a_booking(key, status="pending"), state=state, lease_token=MINE)
    return stored()
