"""The events of a booking, most of them as an operation ends: how they are counted, whose trace they belong to, when they are
delivered, and who is woken for that.
"""

from datetime import datetime, timedelta

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from apps.accounts.models import Sandbox
from apps.bookings.models import Booking, Operation
from apps.bookings.statements import count_events, end_together
from apps.onboarding.services.onboard_partner import Onboarded
from apps.webhooks import wakeups
from apps.webhooks.events import Fact
from apps.webhooks.models import Delivery, Event
from tests.bookings.rows import a_booking, an_operation
from tests.factories.webhooks import EndpointFactory

CONFIRMED = Fact("booking.confirmed", {})
BEGAN = bytes(range(24))
"""The trace of the call that began the operation."""


@pytest.fixture
def operation(onboarded: Onboarded) -> Operation:
    return an_operation(a_booking(onboarded.test_key), state="calling", trace_context=BEGAN)


def test_events_are_counted_for_their_own_booking_alone(onboarded: Onboarded) -> None:
    other, booking = a_booking(onboarded.test_key), a_booking(onboarded.test_key)
    assert [count_events(booking, told) for told in (2, 1)] == [2, 3]
    counts = dict(Booking.objects.values_list("pk", "event_count"))
    assert counts == {booking.pk: 3, other.pk: 0}


def test_what_ends_where_nothing_is_recorded_belongs_to_the_call_that_began_it(operation: Operation) -> None:
    end_together(operation.booking, operation, facts=[CONFIRMED])
    assert bytes(Event.objects.get().trace_context or b"") == BEGAN


def test_however_far_ahead_an_environment_is_its_events_are_delivered_at_once(
    operation: Operation, onboarded: Onboarded, clock_stands_still: datetime
) -> None:
    ahead = timedelta(days=3)
    Sandbox.objects.create(
        account=onboarded.account, owner=onboarded.account, name="Sandbox", clock_offset=ahead
    )
    EndpointFactory(account=onboarded.account)
    operation.booking.updated_at = operation.booking.now()
    end_together(operation.booking, operation, facts=[CONFIRMED])
    delivery = Delivery.objects.get()
    assert (delivery.created_at, delivery.next_attempt_at) == (clock_stands_still + ahead, clock_stands_still)


@pytest.mark.parametrize("wanted", [True, False])
def test_a_dispatcher_is_woken_where_there_is_something_to_deliver(
    operation: Operation,
    onboarded: Onboarded,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    wanted: bool,
) -> None:
    EndpointFactory(account=onboarded.account, events=[CONFIRMED.type if wanted else "booking.cancelled"])
    with django_capture_on_commit_callbacks() as callbacks:
        end_together(operation.booking, operation, facts=[CONFIRMED])
    assert callbacks == [wakeups.notify] * wanted
