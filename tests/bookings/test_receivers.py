"""Polls and look-ups come as much sooner as a sandbox's clock is moved; leases stay."""

from datetime import timedelta

from apps.accounts.services.move_clock import move_clock
from apps.bookings.models import Booking, Operation, OperationState
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking, an_operation

DAY = timedelta(days=1)


def test_what_waits_is_pulled_back_and_leases_stay(onboarded: Onboarded) -> None:
    now = clock.now()
    booking = a_booking(onboarded.test_key)
    Booking.objects.filter(pk=booking.pk).update(next_news_at=now)
    an_operation(booking)
    Operation.objects.update(
        state=OperationState.UNCERTAIN, next_attempt_at=now, call_started_at=now, lease_until=now
    )

    move_clock(account_id=booking.account_id, by=DAY)

    assert Booking.objects.get().next_news_at == now - DAY
    operation = Operation.objects.get()
    assert (operation.next_attempt_at, operation.call_started_at) == (now - DAY, now - DAY)
    assert (operation.first_not_found_at, operation.lease_until) == (None, now)
