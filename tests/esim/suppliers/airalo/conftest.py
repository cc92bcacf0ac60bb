"""Airalo's stub, the adapter connected to it, and a partner whose live key buys there."""

from collections.abc import Iterator

import pytest

from apps.common import clock
from apps.esim.models import Plan
from apps.esim.services.sync import sync_environment
from apps.esim.suppliers.airalo.adapter import AiraloEsim
from apps.onboarding.partners import Onboarded
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from tests.esim.shop import a_partner, a_plan
from tests.esim.suppliers.airalo.connected import a_stub, adapter_for, credentials
from tests.esim.suppliers.airalo.stub import AiraloStub
from tests.support.api import Api


@pytest.fixture
def stub() -> Iterator[AiraloStub]:
    with a_stub() as stub:
        stub.books.now = clock.now
        yield stub


@pytest.fixture
def airalo(stub: AiraloStub) -> AiraloEsim:
    return adapter_for(stub)


@pytest.fixture
def live(stub: AiraloStub, settings, db) -> None:
    """Live keys buy eSIMs from the stub, in dollars, of which a euro buys 1.25; the catalogue is synced."""
    settings.SUPPLIERS = {**settings.SUPPLIERS, "esim": {"live": "airalo"}}
    settings.SUPPLIER_CREDENTIALS = {**settings.SUPPLIER_CREDENTIALS, "airalo": credentials(stub)}
    ExchangeRate.objects.create(base="USD", quote="EUR", rate="0.8", as_of=clock.today())
    forget_rates()
    sync_environment("live")


@pytest.fixture
def partner(live) -> Onboarded:
    return a_partner(live=True)


@pytest.fixture
def api(partner: Onboarded) -> Api:
    assert partner.live_secret is not None
    return Api(partner.live_secret)


@pytest.fixture
def plan(live) -> Plan:
    return a_plan("stubtel-7days-1gb", "live")
