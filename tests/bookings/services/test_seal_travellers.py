"""The back-fill that seals what the release before has written."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import call_command

from apps.bookings.models import Booking, TravellerKey
from apps.bookings.services.seal_travellers import seal_travellers, windows
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking
from tests.bookings.travellers.test_rest import NAMES
from tests.support.flight_shop import CONTACT, PASSENGER, FlightShop
from tests.support.locks import locked
from tests.support.plans import read_as_the_table_lies


@pytest.fixture
def plain(shop: FlightShop, settings) -> list[str]:
    """Three orders of the release before."""
    settings.SEAL_TRAVELLERS = False
    ids = [shop.ordered()["id"] for _ in range(3)]
    settings.SEAL_TRAVELLERS = True
    return ids


def stored() -> str:
    return str(list(Booking.objects.values_list("details", flat=True)))


@pytest.mark.parametrize(("window", "batch"), [(5_000, 200), (2, 1), (1, 1)])
def test_it_seals_each_once(shop: FlightShop, plain: list[str], window: int, batch: int) -> None:
    assert PASSENGER["lastName"] in stored()
    assert seal_travellers(window=window, batch=batch) == 3
    assert [name for name in NAMES if name in stored()] == []
    assert set(TravellerKey.objects.values_list("pk", flat=True)) == set(plain)
    assert [shop.read(pk)["contact"] for pk in plain] == [CONTACT] * 3
    assert seal_travellers(window=window, batch=batch) == 0


def test_a_run_ends_in_time_and_the_next_goes_on(plain: list[str]) -> None:
    assert [seal_travellers(window=1, seconds=0) for _ in plain] == [1, 0, 0]
    assert seal_travellers() == 2


def test_each_booking_with_travellers_is_looked_at_once(onboarded: Onboarded) -> None:
    for pk, product in (("eord_1", "esim"), ("ford_1", "flight"), ("hbk_1", "hotel"), ("tord_1", "transfer")):
        a_booking(onboarded.test_key, id=pk, product=product)
    assert list(windows(5)) == [["ford_1"], ["hbk_1"], ["tord_1"]]


def test_each_window_goes_on_where_the_one_before_ended(onboarded: Onboarded) -> None:
    for pk in ("ford_3", "ford_1", "ford_2"):
        a_booking(onboarded.test_key, id=pk)
    read_as_the_table_lies()
    assert list(windows(2)) == [["ford_1", "ford_2"], ["ford_3"]]


def test_nothing_is_touched_that_was_not_altered(plain: list[str]) -> None:
    before = dict(Booking.objects.values_list("pk", "updated_at"))
    assert seal_travellers() == 3
    assert dict(Booking.objects.values_list("pk", "updated_at")) == before


def test_a_booking_that_names_nobody_is_done_with_after_one_run(onboarded: Onboarded) -> None:
    for number in range(3):
        a_booking(onboarded.test_key, id=f"ford_{number}")
    assert (seal_travellers(), seal_travellers()) == (3, 0)


def test_an_erased_booking_gets_no_key_again(onboarded: Onboarded) -> None:
    a_booking(onboarded.test_key, erased_at=clock.now())
    assert seal_travellers() == 0
    assert not TravellerKey.objects.exists()


def test_a_booking_whose_call_is_under_way_is_left(plain: list[str]) -> None:
    Booking.objects.filter(pk=plain[0]).update(status="pending")
    assert seal_travellers() == 2
    assert not TravellerKey.objects.filter(pk=plain[0]).exists()


def test_it_does_nothing_while_the_release_before_serves(plain: list[str], settings) -> None:
    settings.SEAL_TRAVELLERS = False
    assert seal_travellers() == 0
    assert PASSENGER["lastName"] in stored()


def test_both_sweeps_are_commands_too(plain: list[str], move_clock: Callable[..., None]) -> None:
    out = StringIO()
    call_command("seal_travellers", stdout=out)
    move_clock(days=700)
    call_command("forget_travellers", stdout=out)
    assert out.getvalue() == "3 sealed\n3 forgotten\n"


@pytest.mark.django_db(transaction=True)
def test_a_booking_that_somebody_alters_is_left_to_the_next_run(plain: list[str]) -> None:
    with locked(Booking.objects.filter(pk=plain[1])):
        assert seal_travellers() == 2
    assert set(TravellerKey.objects.values_list("pk", flat=True)) == {plain[0], plain[2]}
    assert seal_travellers() == 1
