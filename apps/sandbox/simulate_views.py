"""POST /sandbox/bookings/{id}/simulate: what happens to a test booking without its partner (contract §3)."""

from apps.bookings.models import Booking
from apps.bookings.selectors import any_booking_of
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.routes import RateClass, Route
from apps.gateway.views import GatewayViewSet
from apps.sandbox import serializers
from apps.sandbox.simulate import simulate


class SimulateViewSet(GatewayViewSet):
    handle = "The booking's id, of any product."

    @Route(
        "simulateBooking",
        sandbox=True,
        rate_class=RateClass.BOOKING,
        body=serializers.SimulateBody,
        answer=serializers.SimulateAnswer,
    )
    def create(self, call: Call, booking_id: str) -> Answer:
        """Let something happen to a test booking."""
        booking = any_booking_of(call.partner.account_id, call.partner.environment, booking_id)
        what, claim = call.data["what"], call.claim
        assert claim is not None
        claim.refuse_if_taken_over()  # what happens to a booking a second time would be told a second time
        return Answer({"simulated": what, "booking": booking_json(simulate(booking, what))})


def booking_json(booking: Booking) -> dict[str, object]:
    return {
        "bookingType": booking.product,
        "id": booking.id,
        "reference": booking.reference,
        "status": booking.status,
    }
