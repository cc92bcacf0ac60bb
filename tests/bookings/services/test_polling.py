"""A supplier that cancels by itself: hotels, flights and transfers alike."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection, transaction

from apps.bookings import handlers
from apps.bookings.health import bookings
from apps.bookings.models import Booking, Operation
from apps.bookings.services import polling
from apps.bookings.services.polling import claim_due, has_ended, how_late, poll, poll_suppliers
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
from tests.bookings.rows import a_booking, by_no_index
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


class Desk:
    """A handler of flights: of each booking it says what the supplier says of it."""

    def __init__(self) -> None:
        self.said: object = None
        self.asked: list[Booking] = []

    def cancelled_by_supplier(self, booking: Booking) -> object:
        self.asked.append(booking)
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    desk = Desk()
    monkeypatch.setattr(handlers, "_handlers", {("flight", "cancel"): desk})
    monkeypatch.setattr(polling, "next_look", lambda booking, now: now + timedelta(hours=1))
    return desk


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Operation, object]]:
    """What was confirmed."""
    confirmed: list[tuple[Operation, object]] = []
    monkeypatch.setattr(polling, "confirm", lambda operation, result: confirmed.append((operation, result)))
    return confirmed


def test_a_cancellation_is_followed_for_this_booking_with_what_the_supplier_said(
    desk: Desk, ends: list[tuple[Operation, object]], onboarded: Onboarded
) -> None:
    a_booking(onboarded.test_key)
    booking = a_booking(onboarded.test_key)
    desk.said = "they cancelled it"
    assert poll(booking) is True
    ((operation, said),) = ends
    assert (operation.booking, said) == (booking, "they cancelled it")
    assert operation.request == {"reason": "Cancelled by the supplier."}


@pytest.mark.parametrize("said", [None, Unavailable(), KeyError("an answer that nobody foresaw")], ids=str)
def test_what_was_not_heard_to_have_ended_stands(
    desk: Desk, ends: list[tuple[Operation, object]], onboarded: Onboarded, said: object
) -> None:
    desk.said = said
    assert has_ended(a_booking(onboarded.test_key)) is False
    assert (len(desk.asked), ends, Operation.objects.count()) == (1, [], 0)


def test_what_nobody_can_cancel_is_not_asked_about(desk: Desk, onboarded: Onboarded) -> None:
    assert poll(a_booking(onboarded.test_key, product="hotel")) is False
    assert desk.asked == []


@pytest.mark.parametrize("status", ["pending", "cancelled", "failed"])
def test_what_no_longer_stands_is_not_cancelled_again(
    desk: Desk, ends: list[tuple[Operation, object]], onboarded: Onboarded, status: str
) -> None:
    booking = a_booking(onboarded.test_key)
    Booking.objects.filter(pk=booking.pk).update(status=status)
    desk.said = "they cancelled it"
    assert poll(booking) is False
    assert (ends, Operation.objects.count()) == ([], 0)


def test_a_cancellation_waits_for_whoever_alters_the_booking_and_not_for_who_refers_to_it(
    desk: Desk, ends: list[tuple[Operation, object]], onboarded: Onboarded
) -> None:
    booking = a_booking(onboarded.test_key)
    desk.said = "they cancelled it"
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
        try:
            with locked(Booking.objects.filter(pk=booking.pk), "NO KEY UPDATE"):
                assert (has_ended(booking), ends) == (False, [])
            with locked(Booking.objects.filter(pk=booking.pk), "KEY SHARE"):
                assert (has_ended(booking), len(ends)) == (True, 1)
        finally:
            cursor.execute("SET lock_timeout = 0")


def test_a_run_asks_about_twenty_at_a_time(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[int] = []
    monkeypatch.setattr(polling, "claim_due", lambda batch: batches.append(batch))
    assert (poll_suppliers(), batches) == (0, [20])


@pytest.mark.parametrize(
    ("sizes", "minutes", "claims"),
    [
        ([2, 2, 1], 0.0, 3),  # until fewer are due than a batch has
        ([2, 2, 0], 0.0, 3),
        ([2, 2, 1], 0.3, 2),  # or until the time is over
        ([1, 2, 2], 0.0, 1),
    ],
)
def test_a_run_ends_with_what_is_due_or_with_its_time(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int], minutes: float, claims: int
) -> None:
    monotonic = 1_000.0
    left = list(sizes)

    def claim(batch: int) -> list[Booking]:
        nonlocal monotonic
        monotonic += 60 * minutes
        return [Booking()] * left.pop(0)

    monkeypatch.setattr(polling, "time", SimpleNamespace(monotonic=lambda: monotonic))
    monkeypatch.setattr(polling, "claim_due", claim)
    monkeypatch.setattr(polling, "has_ended", lambda booking: True)
    assert poll_suppliers(2, seconds=30) == sum(sizes[:claims])
    assert len(left) == len(sizes) - claims


def test_a_booking_is_due_at_its_instant_and_then_at_its_next(
    desk: Desk, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    due = a_booking(onboarded.test_key, next_news_at=now)
    later = a_booking(onboarded.test_key, next_news_at=now + timedelta(microseconds=1))
    a_booking(onboarded.test_key, next_news_at=None)
    assert [one.pk for one in claim_due(20)] == [due.pk]
    due.refresh_from_db()
    later.refresh_from_db()
    assert (due.next_news_at, later.next_news_at) == (
        now + timedelta(hours=1),
        now + timedelta(microseconds=1),
    )


def test_live_ones_then_the_longest_due_whatever_way_the_rows_come(desk: Desk, onboarded: Onboarded) -> None:
    now = clock.now()
    made = {
        name: a_booking(
            onboarded.test_key, environment=environment, next_news_at=now - timedelta(minutes=minutes)
        ).pk
        for name, environment, minutes in (
            ("test 1", "test", 1),
            ("test 9", "test", 9),
            ("live 1", "live", 1),
            ("live 5", "live", 5),
        )
    }
    with transaction.atomic():
        by_no_index()
        claimed = [booking.pk for _ in made for booking in claim_due(1)]
        transaction.set_rollback(True)
    assert claimed == [made[name] for name in ("live 5", "live 1", "test 9", "test 1")]


def test_how_late_is_the_oldest_live_one(onboarded: Onboarded) -> None:
    now = clock.now()
    assert how_late(now) == timedelta(0)
    for environment, minutes in (("live", 0), ("live", -9), ("test", 60)):
        a_booking(onboarded.test_key, environment=environment, next_news_at=now - timedelta(minutes=minutes))
    assert how_late(now) == timedelta(0)
    for minutes in (3, 5, 4):
        a_booking(onboarded.test_key, environment="live", next_news_at=now - timedelta(minutes=minutes))
    assert how_late(now) == timedelta(minutes=5)
