import pytest

from apps.suppliers.errors import Unavailable
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from apps.transfers.suppliers.hotelbeds.client import signature
from tests.transfers.suppliers.hotelbeds.stub import HotelbedsStub
from tests.transfers.suppliers.requests import a_search

pytestmark = pytest.mark.django_db


def test_a_signature_is_the_hash_of_key_secret_and_second() -> None:
    expected = "fbec7942bca6a31316fc1d0a293bed29ed6ae59faed6cd5963bd643425b1a116"
    assert signature("k", "s", 1_700_000_000) == expected


def test_each_call_is_signed_anew(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    hotelbeds.search(a_search())
    stub.ahead = 240
    assert hotelbeds.search(a_search())[0].total_cents == 975


@pytest.mark.parametrize("ahead", [-400, 400])
def test_a_clock_minutes_off_is_let_in_no_more(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, ahead: float
) -> None:
    stub.ahead = ahead
    with pytest.raises(Unavailable):
        hotelbeds.search(a_search())
