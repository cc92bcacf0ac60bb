import pytest

from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Onboarded, Terms
from tests.factories.partners import new_partner
from tests.hotels.front_desk import FrontDesk
from tests.support.api import Api

BALANCE_CENTS = 10_000_000


@pytest.fixture
def onboarded(db: None) -> Onboarded:
    """A partner with 100,000.00 EUR to try with, and no limit that a test would meet."""
    return onboard()


@pytest.fixture
def api(onboarded: Onboarded) -> Api:
    return Api(onboarded.test_secret)


@pytest.fixture
def live(onboarded: Onboarded) -> Api:
    """The same partner with a live key."""
    assert onboarded.live_secret is not None
    return Api(onboarded.live_secret)


@pytest.fixture
def desk(api: Api) -> FrontDesk:
    return FrontDesk(api)


@pytest.fixture
def stranger(db: None) -> Api:
    """Another partner."""
    return Api(onboard().test_secret)


def onboard(balance_cents: int = BALANCE_CENTS) -> Onboarded:
    return new_partner(
        Terms(
            name="Acme Travel",
            currency="EUR",
            balance_cents=balance_cents,
            live=True,
            scopes=ENFORCED,
            rates={"SEARCH": 100_000, "BOOKING": 100_000, "READ": 100_000},
        )
    )
