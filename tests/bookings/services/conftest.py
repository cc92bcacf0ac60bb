"""Operations whose end nobody knows, and one that is being ended."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.accounts.models import User
from apps.bookings import handlers
from apps.bookings.flow import polling
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Operation
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import OutcomeUnknown, Unavailable
from tests.bookings.books import latest
from tests.bookings.services.polled import Desk
from tests.bookings.services.settling import an_operation_with_funds
from tests.contract.goods import Goods
from tests.factories.accounts import UserFactory
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

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
