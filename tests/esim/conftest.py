"""A partner with money and the catalogue that it orders from."""

import pytest

from apps.esim.models import Plan
from apps.esim.services.sync import sync_environment
from apps.esim.suppliers.registry import VENDORS
from apps.esim.suppliers.simulator.catalogue import plans
from apps.onboarding.partners import Onboarded
from apps.suppliers.vendors import Vendor
from tests.esim.shop import Shop, a_partner, a_plan
from tests.support.api import Api


@pytest.fixture
def places(request: pytest.FixtureRequest) -> set[str]:
    """Two countries and two regions, because all two thousand plans would take half a second a test."""
    return getattr(request, "param", {"pt", "es", "europe", "oceania"})


@pytest.fixture
def partner(db) -> Onboarded:
    return a_partner()


@pytest.fixture
def api(partner: Onboarded) -> Api:
    return Api(partner.test_secret)


@pytest.fixture
def catalogue(db, places: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulator's plans of these places."""
    sold = [plan for name, plan in plans().items() if name.split("-")[1] in places]
    with monkeypatch.context() as patched:
        patched.setitem(VENDORS, "simulator", Vendor("simulator", lambda: Shop(*sold)))
        sync_environment("test")


@pytest.fixture
def plan(catalogue) -> Plan:
    """A data plan of one country, delivered at once."""
    return a_plan("sim-pt-1gb-7d")


@pytest.fixture
def late_plan(catalogue) -> Plan:
    """A plan whose operator takes the order on and delivers seconds later."""
    return a_plan("sim-oceania-1gb-7d")
