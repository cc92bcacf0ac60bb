"""A supplier that cancels by itself: hotels, flights and transfers alike."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings.health import bookings
from apps.bookings.models import Booking, Operation
from apps.bookings.services.polling import claim_due, poll_suppliers
from apps.bookings.services.reconcile import settle_owed
from apps.common import clock
from apps.flights.suppliers.simulator.vendor import flight_simulator
from apps.hotels.suppliers.simulator.vendor import hotel_simulator
from apps.ledger.selectors import balance_of
from apps.ledger.services.check_ledger import check_ledger
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Unavailable
from apps.transfers.suppliers.simulator.vendor import transfer_simulator
from apps.webhooks.models import Event
from tests.bookings.conftest import BALANCE_CENTS
from tests.contract.goods import Goods
from tests.support.api import Api
from tests.support.locks import locked

pytestmark = pytest.mark.django_db(transaction=True)

PRODUCTS: dict[str, tuple[str, Callable[[], Any]]] = {
    "flight": ("flight_order", flight_simulator),
    "hotel": ("hotel_booking", hotel_simulator),
    "transfer": ("transfer_order", transfer_simulator),
}


@pytest.fixture
def goods(onboarded: Onboarded, api: Api) -> Goods:
    return Goods(api)


@pytest.fixture(params=PRODUCTS)
def standing(request: pytest.FixtureRequest, goods: Goods) -> Booking:
    """A confirmed booking of each product in turn."""
    make, _ = PRODUCTS[request.param]
    return Booking.objects.get(pk=getattr(goods, make)["id"])


def call_off(booking: Booking) -> None:
    """The supplier cancels, and says nothing."""
    PRODUCTS[booking.product][1]().call_off(booking.supplier_reference)


def test_a_booking_that_its_supplier_cancelled_is_cancelled_refunded_and_told(
    standing: Booking, move_clock: Callable[..., None]
) -> None:
    settle_owed()
    call_off(standing)
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1
    standing.refresh_from_db()
    assert standing.status == "cancelled"
    assert standing.cancellation is not None
    assert standing.cancellation["reason"] == "Cancelled by the supplier."
    assert standing.cancellation["refundCents"] == standing.total_cents
    assert balance_of(standing.account_id, "test").available_cents == BALANCE_CENTS
    told = Event.objects.filter(booking_id=standing.id).exclude(type="booking.confirmed")
    assert sorted(told.values_list("type", flat=True)) == ["booking.cancelled", "payment.refunded"]
    assert check_ledger() == []


def test_news_is_told_once(standing: Booking, move_clock: Callable[..., None]) -> None:
    call_off(standing)
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1
    move_clock(hours=2)
    assert poll_suppliers() == 0
    assert Event.objects.filter(booking_id=standing.id, type="booking.cancelled").count() == 1


def test_a_booking_that_stands_is_asked_for_again(standing: Booking, move_clock: Callable[..., None]) -> None:
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 0
    standing.refresh_from_db()
    assert standing.status != "cancelled"
    call_off(standing)
    assert poll_suppliers() == 0  # not due before the next hour
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1


def test_nobody_asks_once_the_journey_is_over(standing: Booking, move_clock: Callable[..., None]) -> None:
    move_clock(days=400)
    poll_suppliers()
    standing.refresh_from_db()
    assert standing.next_news_at is None


def test_the_partners_own_operation_decides(standing: Booking, move_clock: Callable[..., None]) -> None:
    call_off(standing)
    Operation.objects.filter(booking=standing).update(state="calling")  # under way
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 0
    standing.refresh_from_db()
    assert standing.status != "cancelled"


def test_a_silent_supplier_is_asked_later(
    goods: Goods, monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]
) -> None:
    from apps.flights.services.cancel import CancelFlight

    booking = Booking.objects.get(pk=goods.flight_order["id"])

    def silent(self: CancelFlight, booking: Booking) -> None:
        raise Unavailable

    call_off(booking)
    with monkeypatch.context() as patched:
        patched.setattr(CancelFlight, "cancelled_by_supplier", silent)
        move_clock(hours=1, seconds=1)
        assert poll_suppliers() == 0
    move_clock(hours=1, seconds=1)
    assert poll_suppliers() == 1


def test_a_booking_whose_news_break_costs_the_others_no_turn(
    goods: Goods,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: Callable[..., None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    from apps.flights.services.cancel import CancelFlight

    def broken(self: CancelFlight, booking: Booking) -> None:
        raise KeyError("an answer that nobody foresaw")

    flight = Booking.objects.get(pk=goods.flight_order["id"])
    hotel = Booking.objects.get(pk=goods.hotel_booking["id"])
    call_off(hotel)
    monkeypatch.setattr(CancelFlight, "cancelled_by_supplier", broken)
    move_clock(hours=1, seconds=1)
    Booking.objects.filter(pk=flight.pk).update(next_news_at=flight.created_at)  # the first of its batch
    assert poll_suppliers() == 1
    hotel.refresh_from_db()
    assert hotel.status == "cancelled"
    assert f"{flight.reference} could not be polled" in caplog.text


def test_a_run_goes_on_until_nothing_is_due(goods: Goods, move_clock: Callable[..., None]) -> None:
    ids = [goods.flight_order["id"], goods.hotel_booking["id"], goods.transfer_order["id"]]
    for booking in Booking.objects.filter(pk__in=ids):
        call_off(booking)
    move_clock(hours=1, seconds=1)
    assert poll_suppliers(batch=1) == 3


def test_a_run_begins_no_batch_once_its_time_is_over(goods: Goods, move_clock: Callable[..., None]) -> None:
    for made in (goods.flight_order, goods.hotel_booking):
        call_off(Booking.objects.get(pk=made["id"]))
    move_clock(hours=1, seconds=1)
    assert [poll_suppliers(batch=1, seconds=0) for _ in range(3)] == [1, 1, 0]


def test_news_of_live_bookings_that_come_late_are_seen(goods: Goods, move_clock: Callable[..., None]) -> None:
    def seen() -> tuple[object, object]:
        part = bookings()
        return part["status"], part["newsLateSeconds"]

    made = [goods.flight_order["id"], goods.hotel_booking["id"]]
    assert seen() == ("ok", 0)
    Booking.objects.filter(pk=made[1]).update(environment="live")
    due_at = clock.now() + timedelta(hours=1)
    Booking.objects.filter(pk__in=made).update(next_news_at=due_at)
    Booking.objects.filter(pk=made[0]).update(next_news_at=due_at - timedelta(days=1))  # the sandbox may wait
    move_clock(minutes=90)
    assert seen() == ("ok", pytest.approx(1_800, abs=5))
    move_clock(minutes=31)
    assert seen() == ("degraded", pytest.approx(3_660, abs=5))
    poll_suppliers()
    assert seen() == ("ok", 0)


def test_workers_share_the_bookings_and_do_not_wait_for_each_other(
    goods: Goods, move_clock: Callable[..., None]
) -> None:
    taken, free, referred_to = goods.flight_order["id"], goods.hotel_booking["id"], goods.transfer_order["id"]
    move_clock(hours=1, seconds=1)
    with (
        locked(Booking.objects.filter(pk=taken)),
        locked(Booking.objects.filter(pk=referred_to), "KEY SHARE"),
    ):
        assert {booking.pk for booking in claim_due(20)} == {free, referred_to}
    assert [booking.pk for booking in claim_due(20)] == [taken]


def test_the_longest_due_is_asked_for_first(goods: Goods, move_clock: Callable[..., None]) -> None:
    made = [goods.hotel_booking["id"], goods.flight_order["id"], goods.transfer_order["id"]]
    move_clock(hours=2)
    for hours, pk in zip((1, 3, 2), made, strict=True):
        Booking.objects.filter(pk=pk).update(next_news_at=clock.now() - timedelta(hours=hours))
    assert [booking.pk for _ in range(4) for booking in claim_due(1)] == [made[1], made[2], made[0]]


def test_live_bookings_do_not_wait_behind_those_of_the_sandbox(
    goods: Goods, move_clock: Callable[..., None]
) -> None:
    sandbox, live = goods.flight_order["id"], goods.hotel_booking["id"]
    Booking.objects.filter(pk=live).update(environment="live")
    move_clock(hours=1, seconds=1)
    assert [booking.pk for _ in range(3) for booking in claim_due(1)] == [live, sandbox]
