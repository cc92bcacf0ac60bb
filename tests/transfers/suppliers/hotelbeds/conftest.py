"""The stand-in, our adapter before it, and a partner whose live key sells through them."""

from collections.abc import Callable, Iterator

import pytest

from apps.onboarding.partners import Onboarded
from apps.suppliers.http import Limits
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from apps.transfers.suppliers.hotelbeds.client import HotelbedsClient
from tests.support.api import Api
from tests.support.forgotten import forget_suppliers
from tests.support.supplier_stub import serving
from tests.transfers.agency import a_partner
from tests.transfers.suppliers.hotelbeds.live import live_keys_at_hotelbeds
from tests.transfers.suppliers.hotelbeds.stub import KEY, SECRET, HotelbedsStub

SHORT = Limits(connect=20, read=0.3)
"""For what is not answered: this machine is busy."""


@pytest.fixture(scope="module")
def server() -> Iterator[HotelbedsStub]:
    with serving(HotelbedsStub()) as stub:
        yield stub


@pytest.fixture
def stub(server: HotelbedsStub) -> Iterator[HotelbedsStub]:
    """Where live keys buy. Nothing is known of it, neither what it did to another test nor what was thought of it then."""
    server.reset()
    forget_suppliers()
    with live_keys_at_hotelbeds(server) as stub:
        yield stub


@pytest.fixture
def hotelbeds(stub: HotelbedsStub) -> HotelbedsTransfers:
    return HotelbedsTransfers(HotelbedsClient(key=KEY, secret=SECRET, base_url=stub.host))


@pytest.fixture
def later(stub: HotelbedsStub, move_clock: Callable[..., None]) -> Callable[[float], None]:
    """`later(60)`: a minute passes, here and at the supplier."""

    def pass_time(seconds: float) -> None:
        move_clock(seconds=seconds)
        stub.ahead += seconds

    return pass_time


@pytest.fixture
def partner(db: None, stub: HotelbedsStub) -> Onboarded:
    return a_partner(live=True)


@pytest.fixture
def api(partner: Onboarded) -> Api:
    assert partner.live_secret is not None
    return Api(partner.live_secret)
