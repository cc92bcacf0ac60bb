"""What a supplier's answer makes of the booking that it was asked about."""

from datetime import timedelta

import pytest
from django.db import connection

from apps.bookings.flow import polling
from apps.bookings.flow.polling import has_ended, poll, poll_at_once
from apps.bookings.models import Booking, Operation
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Unavailable
from tests.bookings.rows import a_booking
from tests.bookings.services.polled import Desk
from tests.support.locks import locked

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Operation, object]]:
    """What was confirmed."""
    confirmed: list[tuple[Operation, object]] = []
    monkeypatch.setattr(polling, "confirm", lambda operation, result: confirmed.append((operation, result)))
    return confirmed


def test_a_cancellation_is_followed_for_this_booking_with_what_the_supplier_said(
    flight_desk: Desk, ends: list[tuple[Operation, object]], onboarded: Onboarded
) -> None:
    a_booking(onboarded.test_key)
    booking = a_booking(onboarded.test_key)
    flight_desk.said = "they cancelled it"
    assert poll(booking) is True
    ((operation, said),) = ends
    assert (operation.booking, said) == (booking, "they cancelled it")
    assert operation.request == {"reason": "Cancelled by the supplier."}


@pytest.mark.parametrize("said", [None, Unavailable(), KeyError("an answer that nobody foresaw")], ids=str)
def test_what_was_not_heard_to_have_ended_stands(
    flight_desk: Desk, ends: list[tuple[Operation, object]], onboarded: Onboarded, said: object
) -> None:
    flight_desk.said = said
    assert has_ended(a_booking(onboarded.test_key)) is False
    assert (len(flight_desk.asked), ends, Operation.objects.count()) == (1, [], 0)


def test_what_is_known_to_have_changed_is_polled_at_once_and_stays_due_where_that_fails(
    flight_desk: Desk, onboarded: Onboarded
) -> None:
    booking = a_booking(onboarded.test_key, next_news_at=clock.now() + timedelta(hours=1))
    flight_desk.said = Unavailable()
    poll_at_once(booking)
    assert flight_desk.asked == [booking]
    assert Booking.objects.get().next_news_at <= clock.now()


def test_what_nobody_can_cancel_is_not_asked_about(flight_desk: Desk, onboarded: Onboarded) -> None:
    assert poll(a_booking(onboarded.test_key, product="hotel")) is False
    assert flight_desk.asked == []


@pytest.mark.parametrize("status", ["pending", "cancelled", "failed"])
def test_what_no_longer_stands_is_not_cancelled_again(
    flight_desk: Desk, ends: list[tuple[Operation, object]], onboarded: Onboarded, status: str
) -> None:
    booking = a_booking(onboarded.test_key)
    Booking.objects.filter(pk=booking.pk).update(status=status)
    flight_desk.said = "they cancelled it"
    assert poll(booking) is False
    assert (ends, Operation.objects.count()) == ([], 0)


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
