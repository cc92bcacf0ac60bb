"""A supplier that cancels by itself: hotels, flights and transfers alike."""

from collections.abc import Callable
from datetime import timedelta

import orjson
import pytest
from django.db import connection

from apps.accounts.clocks import move_clock as move_environment
from apps.bookings.flow import polling
from apps.bookings.flow.polling import (
    Altered,
    claim_due,
    differences,
    has_ended,
    how_late,
    keep_facts,
    poll_at_once,
    poll_suppliers,
)
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.ledger.consistency import check_ledger
from apps.ledger.selectors import balance_of
from apps.onboarding.partners import Onboarded
from apps.suppliers.errors import Unavailable
from apps.webhooks.models import Event
from tests.bookings.books import PRODUCTS, Desk, call_off
from tests.bookings.conftest import BALANCE_CENTS
from tests.bookings.rows import a_booking
from tests.contract.goods import Goods
from tests.support.locks import is_taken, locked

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


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Operation, object]]:
    """What was confirmed."""
    confirmed: list[tuple[Operation, object]] = []
    monkeypatch.setattr(polling, "confirm", lambda operation, result: confirmed.append((operation, result)))
    return confirmed


def test_what_is_known_to_have_changed_is_polled_at_once_and_stays_due_where_that_fails(
    flight_desk: Desk, onboarded: Onboarded
) -> None:
    booking = a_booking(onboarded.test_key, next_news_at=clock.now() + timedelta(hours=1))
    flight_desk.said = Unavailable()
    poll_at_once(booking)
    assert flight_desk.asked == [booking]
    assert Booking.objects.get().next_news_at <= clock.now()


def test_a_cancellation_waits_for_whoever_alters_the_booking_and_not_for_who_refers_to_it(
    flight_desk: Desk, ends: list[tuple[Operation, object]], onboarded: Onboarded
) -> None:
    booking = a_booking(onboarded.test_key)
    flight_desk.said = "they cancelled it"
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
        try:
            with locked(Booking.objects.filter(pk=booking.pk), "NO KEY UPDATE"):
                assert (has_ended(booking), ends) == (False, [])
            with locked(Booking.objects.filter(pk=booking.pk), "KEY SHARE"):
                assert (has_ended(booking), len(ends)) == (True, 1)
        finally:
            cursor.execute("SET lock_timeout = 0")


def test_a_run_goes_on_until_nothing_is_due(goods: Goods, move_clock: Callable[..., None]) -> None:
    ids = [goods.flight_order["id"], goods.hotel_booking["id"], goods.transfer_order["id"]]
    for booking in Booking.objects.filter(pk__in=ids):
        call_off(booking)
    move_clock(hours=1, seconds=1)
    assert poll_suppliers(batch=1) == 3


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


def test_live_bookings_do_not_wait_behind_those_of_the_sandbox(
    goods: Goods, move_clock: Callable[..., None]
) -> None:
    sandbox, live = goods.flight_order["id"], goods.hotel_booking["id"]
    Booking.objects.filter(pk=live).update(environment="live")
    move_clock(hours=1, seconds=1)
    assert [booking.pk for _ in range(3) for booking in claim_due(1)] == [live, sandbox]


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


def test_how_late_is_the_oldest_live_one(onboarded: Onboarded) -> None:
    now = clock.now()
    assert how_late(now) == timedelta(0)
    for environment, minutes in (("live", 0), ("live", -9), ("test", 60)):
        a_booking(onboarded.test_key, environment=environment, next_news_at=now - timedelta(minutes=minutes))
    assert how_late(now) == timedelta(0)
    for minutes in (3, 5, 4):
        a_booking(onboarded.test_key, environment="live", next_news_at=now - timedelta(minutes=minutes))
    assert how_late(now) == timedelta(minutes=5)


DAY = timedelta(days=1)


@pytest.fixture
def booking(onboarded: Onboarded) -> Booking:
    long_ago = clock.now() - DAY
    made = a_booking(onboarded.test_key, product="esim", details={"at": "10:00"}, watched_until=long_ago)
    Booking.objects.update(updated_at=long_ago)
    return Booking.objects.get(pk=made.pk)


def moved_to(at: str, **more: object) -> Callable[[Booking], Altered | None]:
    """The supplier picks up at another time than is stored."""

    def altered(booking: Booking) -> Altered | None:
        was = booking.details["at"]
        if was == at:
            return None
        return Altered({"at": at}, {"pickup.at": was}, {"pickup.at": at}, **more)  # type: ignore[arg-type]

    return altered


def told() -> list[object]:
    return [orjson.loads(event.payload)["data"]["changes"] for event in Event.objects.order_by("arrival")]


@pytest.mark.parametrize(
    ("before", "after", "differs"),
    [
        ("10:00", "11:00", True),
        ("10:00", "10:00", False),
        ("10:00", None, False),
        (None, "10:00", False),
        (None, None, False),
    ],
)
def test_what_had_a_value_and_has_another_is_a_difference(
    before: str | None, after: str | None, differs: bool
) -> None:
    found = differences({"code": "A", "pickup.at": before}, {"code": "A", "pickup.at": after})
    assert found == [{"field": "pickup.at", "before": before, "after": after}] * differs


def test_a_difference_is_stored_and_told_once(booking: Booking) -> None:
    before = booking.updated_at
    for _ in range(2):
        keep_facts(Booking.objects.get(pk=booking.pk), moved_to("11:00"))
    stored = Booking.objects.get(pk=booking.pk)
    assert stored.details == {"at": "11:00"}
    assert stored.updated_at > before
    assert told() == [[{"field": "pickup.at", "before": "10:00", "after": "11:00"}]]
    assert (stored.watched_until, stored.next_news_at) == (booking.watched_until, None)


def test_what_is_told_for_the_first_time_is_stored_and_no_news(booking: Booking) -> None:
    keep_facts(booking, lambda stored: Altered({"code": "A"}, {"code": None}, {"code": "A"}))
    assert (Booking.objects.get().details, told()) == ({"code": "A"}, [])


def test_what_another_process_stored_meanwhile_is_not_told_again(booking: Booking) -> None:
    Booking.objects.update(details={"at": "11:00"})
    before = Booking.objects.values().get()
    keep_facts(booking, moved_to("11:00"))
    assert (Booking.objects.values().get(), told()) == (before, [])


def test_nobody_writes_the_booking_between_its_reading_and_its_writing(booking: Booking) -> None:
    taken: list[bool] = []

    def altered(read: Booking) -> Altered | None:
        taken.append(is_taken(Booking.objects.all()))
        return moved_to("11:00")(read)

    keep_facts(booking, altered)
    assert taken == [False, True]
