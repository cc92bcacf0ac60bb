"""Later work on a booking belongs to the trace of the call that made it, whichever process does it."""

import uuid
from collections.abc import Iterator

import pytest

from apps.bookings.flow.polling import has_ended
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Booking, Operation, Settlement
from apps.common import clock, tracing
from apps.onboarding.services.onboard_partner import Onboarded
from apps.webhooks.models import Event
from tests.bookings.rows import a_booking, an_operation
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.recorded import Recorded, recording, stored
from tests.transfers.agency import an_order

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def recorded() -> Iterator[Recorded]:
    with recording() as spans:
        yield spans


@pytest.fixture
def api(onboarded: Onboarded) -> Api:
    return Api(onboarded.test_secret)


def test_a_settlement_belongs_to_the_call_that_owes_it(api: Api, recorded: Recorded) -> None:
    with tracing.within("call"):
        order = an_order(api)
    assert Settlement.objects.count() == 1
    assert settle_owed() == 1
    call, settlement = recorded.named("createTransferOrder"), recorded.named("settlement")
    assert settlement.parent.span_id == call.context.span_id
    assert settlement.attributes == {
        "travel_partner.booking_id": order["id"],
        "travel_partner.action": "capture",
    }


def test_a_recovery_and_its_event_belong_to_the_call_that_began_the_operation(
    onboarded: Onboarded, recorded: Recorded
) -> None:
    began = uuid.uuid4().bytes + bytes(range(8))
    booking = a_booking(onboarded.test_key, status="pending")
    an_operation(booking, state="held", hold_id="", trace_context=began, next_attempt_at=clock.now())
    assert recover_due() == 1
    recovery = recorded.named("recovery")
    assert stored(recovery.parent) == began
    assert recovery.attributes == {
        "travel_partner.booking_id": booking.id,
        "travel_partner.operation": "book",
    }
    assert Booking.objects.get().status == "failed"
    rejected = Event.objects.get(type="booking.rejected")
    assert bytes(rejected.trace_context or b"") == stored(recovery.context)


def test_an_event_belongs_to_the_trace_of_its_operation(api: Api) -> None:
    with recording() as recorded, tracing.within("call"):
        FlightShop(api).ordered()
    kept = [bytes(one.trace_context or b"") for one in Operation.objects.all()]
    assert kept == [stored(recorded.named("createFlightOrder").context)]
    events = Event.objects.exclude(booking_id="")
    assert {bytes(event.trace_context or b"") for event in events} == set(kept)
    FlightShop(api).ordered()
    assert Operation.objects.filter(trace_context=None).count() == 1


def test_a_poll_is_a_trace_of_its_own(api: Api, recorded: Recorded) -> None:
    FlightShop(api).ordered()
    booking = Booking.objects.get()
    assert has_ended(booking) is False
    assert recorded.named("poll").parent is None
    assert recorded.named("poll").attributes == {"travel_partner.booking_id": booking.id}
