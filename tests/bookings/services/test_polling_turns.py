"""Which bookings are asked about, in which order, and how many in one run."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import transaction

from apps.accounts.services.move_clock import move_clock as move_environment
from apps.bookings.flow import polling
from apps.bookings.flow.polling import claim_due, how_late, poll_suppliers
from apps.bookings.health import bookings
from apps.bookings.models import Booking
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking
from tests.bookings.services.polled import Desk, call_off
from tests.contract.goods import Goods
from tests.support.locks import locked
from tests.support.plans import read_as_the_table_lies

pytestmark = pytest.mark.django_db(transaction=True)


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


@pytest.mark.usefixtures("still_clock")
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
    assert seen() == ("ok", pytest.approx(1_800, abs=1))
    move_clock(minutes=31)
    assert seen() == ("degraded", pytest.approx(3_660, abs=1))
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


def test_a_run_asks_about_twenty_at_a_time(flight_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
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
    monkeypatch.setattr(polling, "has_ended", lambda booking, tally: True)
    assert poll_suppliers(2, seconds=30) == sum(sizes[:claims])
    assert len(left) == len(sizes) - claims


def test_a_booking_is_due_at_its_instant_and_then_at_its_next(
    flight_desk: Desk, onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch
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


def test_live_ones_then_the_longest_due_whatever_way_the_rows_come(
    flight_desk: Desk, onboarded: Onboarded
) -> None:
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
        read_as_the_table_lies()
        claimed = [booking.pk for _ in made for booking in claim_due(1)]
        transaction.set_rollback(True)
    assert claimed == [made[name] for name in ("live 5", "live 1", "test 9", "test 1")]


@pytest.mark.parametrize(
    ("environment", "days", "is_over"), [("test", 5, True), ("test", 15, False), ("live", 5, False)]
)
def test_a_journey_is_over_by_the_clock_of_its_environment(
    onboarded: Onboarded, environment: str, days: int, is_over: bool
) -> None:
    move_environment(account_id=onboarded.account.id, by=timedelta(days=10))
    now = clock.now()
    until = now + timedelta(days=days)
    booking = a_booking(onboarded.test_key, environment=environment, watched_until=until, next_news_at=now)
    assert [one.pk for one in claim_due(20)] == [booking.pk]
    booking.refresh_from_db()
    assert (booking.next_news_at is None) is is_over
    if booking.next_news_at is not None:
        assert now < booking.next_news_at < now + timedelta(days=2)


def test_a_live_journey_is_not_over_by_the_clock_of_a_sandbox_that_is_asked_about_with_it(
    onboarded: Onboarded,
) -> None:
    move_environment(account_id=onboarded.account.id, by=timedelta(days=10))
    now = clock.now()
    for environment in ("live", "test"):
        a_booking(
            onboarded.test_key,
            environment=environment,
            watched_until=now + timedelta(days=5),
            next_news_at=now,
        )
    live, test = claim_due(20)
    assert (live.environment, test.environment) == ("live", "test")
    assert live.next_news_at is not None
    assert test.next_news_at is None


def test_how_late_is_the_oldest_live_one(onboarded: Onboarded) -> None:
    now = clock.now()
    assert how_late(now) == timedelta(0)
    for environment, minutes in (("live", 0), ("live", -9), ("test", 60)):
        a_booking(onboarded.test_key, environment=environment, next_news_at=now - timedelta(minutes=minutes))
    assert how_late(now) == timedelta(0)
    for minutes in (3, 5, 4):
        a_booking(onboarded.test_key, environment="live", next_news_at=now - timedelta(minutes=minutes))
    assert how_late(now) == timedelta(minutes=5)
