"""A supplier that cancels by itself: hotels, flights and transfers alike."""

from collections.abc import Callable

import pytest

from apps.bookings.flow.polling import poll_suppliers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking, Operation
from apps.ledger.selectors import balance_of
from apps.ledger.services.check_ledger import check_ledger
from apps.suppliers.errors import Unavailable
from apps.webhooks.models import Event
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.services.polled import PRODUCTS, call_off
from tests.contract.goods import Goods

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=PRODUCTS)
def standing(request: pytest.FixtureRequest, goods: Goods) -> Booking:
    """A confirmed booking of each product in turn."""
    make, _ = PRODUCTS[request.param]
    return Booking.objects.get(pk=getattr(goods, make)["id"])


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
