"""What a supplier alters of a booking by itself: stored, and told once."""

from collections.abc import Callable
from datetime import timedelta

import orjson
import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from apps.bookings.flow.polling import Altered, differences, keep_facts
from apps.bookings.models import Booking
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from apps.webhooks.models import Event
from tests.bookings.rows import a_booking
from tests.support.locks import is_taken, locked

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


def test_a_journey_that_ends_later_is_watched_as_long(booking: Booking) -> None:
    until = clock.now() + DAY
    keep_facts(booking, moved_to("11:00", watched_until=until))
    stored = Booking.objects.get()
    assert stored.watched_until == until
    assert stored.next_news_at is not None
    assert clock.now() < stored.next_news_at <= until


def test_a_journey_that_ends_as_before_is_polled_as_before(booking: Booking) -> None:
    until, due = clock.now() + 9 * DAY, clock.now() + 5 * DAY
    Booking.objects.update(watched_until=until, next_news_at=due)
    keep_facts(booking, moved_to("11:00"))
    stored = Booking.objects.get()
    assert (stored.watched_until, stored.next_news_at) == (until, due)


@pytest.mark.parametrize("status", ["pending", "cancelled", "failed"])
def test_what_does_not_stand_keeps_its_facts(booking: Booking, status: str) -> None:
    Booking.objects.update(status=status)
    keep_facts(booking, moved_to("11:00"))
    assert (Booking.objects.get().details, told()) == ({"at": "10:00"}, [])


def test_what_another_process_stored_meanwhile_is_not_told_again(booking: Booking) -> None:
    Booking.objects.update(details={"at": "11:00"})
    before = Booking.objects.values().get()
    keep_facts(booking, moved_to("11:00"))
    assert (Booking.objects.values().get(), told()) == (before, [])


def test_what_is_as_it_was_costs_no_statement(
    booking: Booking, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        keep_facts(booking, moved_to("10:00"))


@pytest.mark.django_db(transaction=True)
def test_a_booking_is_written_by_itself_whoever_refers_to_it(booking: Booking, onboarded: Onboarded) -> None:
    other = a_booking(onboarded.test_key, product="esim", details={"at": "10:00"})
    with locked(Booking.objects.filter(pk=booking.pk), "KEY SHARE"), connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
        try:
            keep_facts(booking, moved_to("11:00"))
        finally:
            cursor.execute("SET lock_timeout = 0")
    details = dict(Booking.objects.values_list("pk", "details"))
    assert details == {booking.pk: {"at": "11:00"}, other.pk: {"at": "10:00"}}


@pytest.mark.django_db(transaction=True)
def test_nobody_writes_the_booking_between_its_reading_and_its_writing(booking: Booking) -> None:
    taken: list[bool] = []

    def altered(read: Booking) -> Altered | None:
        taken.append(is_taken(Booking.objects.all()))
        return moved_to("11:00")(read)

    keep_facts(booking, altered)
    assert taken == [False, True]
