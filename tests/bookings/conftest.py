from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.models import User
from apps.bookings import handlers
from apps.bookings.flow import polling
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Operation
from apps.flights.suppliers import registry
from apps.gateway.idempotency import Claim, claim
from apps.keys import authentication
from apps.keys.models import ApiKey
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Onboarded, Terms
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from apps.suppliers.vendors import Vendor
from tests.bookings.books import Desk, latest
from tests.bookings.rows import MINE, a_booking, an_operation, an_operation_with_funds, stored
from tests.contract.goods import Goods
from tests.factories.accounts import UserFactory
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


MoveClock = Callable[..., None]


@pytest.fixture
def lost(shop: FlightShop, supplier: ScriptedFlights) -> Operation:
    """An order that never reached the supplier, though nobody here knows."""
    supplier.spoil("book", OutcomeUnknown())
    assert shop.order(shop.offer()).status == 503
    return latest()


@pytest.fixture
def unheard(shop: FlightShop, supplier: ScriptedFlights) -> Operation:
    """An order that the supplier accepted, though nobody here knows."""
    supplier.spoil("book", OutcomeUnknown(), accepted=True)
    assert shop.order(shop.offer()).status == 503
    return latest()


@pytest.fixture
def calling(onboarded: Onboarded) -> Operation:
    """An operation whose supplier is being asked, with 10.00 EUR held for it."""
    return an_operation_with_funds(onboarded, state="calling")


@pytest.fixture
def goods(onboarded: Onboarded, api: Api) -> Goods:
    """A booking of each product, made where it is asked for."""
    return Goods(api)


@pytest.fixture
def flight_desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The only handler. What was asked about is due again an hour later."""
    desk = Desk()
    monkeypatch.setattr(handlers, "_handlers", {("flight", "cancel"): desk})
    monkeypatch.setattr(polling, "next_look", lambda booking, now, ahead: now + timedelta(hours=1))
    return desk


@pytest.fixture
def staff(db: None) -> User:
    return UserFactory(is_staff=True)


@pytest.fixture
def uncertain(shop: FlightShop, supplier: ScriptedFlights) -> Callable[[bool], Operation]:
    """An order without an answer; `accepted` tells whether the airline has it."""

    def make(accepted: bool) -> Operation:
        supplier.spoil("book", OutcomeUnknown(), accepted=accepted)
        assert shop.order(shop.offer()).status == 503
        return latest()

    return make


@pytest.fixture
def review(
    uncertain: Callable[[bool], Operation], supplier: ScriptedFlights, move_clock: MoveClock
) -> Callable[[bool], Operation]:
    """The same, after a day in which the airline was silent."""

    def make(accepted: bool) -> Operation:
        uncertain(accepted)
        supplier.spoil("find_order", Unavailable())
        move_clock(hours=25)
        recover_due()
        operation = latest()
        assert operation.state == "review"
        return operation

    return make
