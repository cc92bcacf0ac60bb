"""Body and answer of POST /sandbox/bookings/{id}/simulate."""

from apps.bookings.models import Product
from apps.gateway import fields, outputs
from apps.gateway.serializers import AnswerBody, Body
from apps.sandbox.simulate import What


class SimulateBody(Body):
    """What is to happen."""

    what = fields.Choice(choices=What.values, logged=True, help_text="What happens to the booking.")


class SimulatedBooking(AnswerBody):
    """The booking as it is then."""

    bookingType = outputs.OneOf(Product.values, logged=True, help_text="Its product.")
    id = outputs.Id(logged=True, help_text="Its id.")
    reference = outputs.Reference(logged=True, help_text="Its reference.")
    status = outputs.Word(
        ("pending", "confirmed", "ticketed", "provisioned", "cancelled", "failed"),
        logged=True,
        help_text="Its status.",
    )


class SimulateAnswer(AnswerBody):
    """What happened, and the booking as it is then."""

    simulated = outputs.OneOf(What.values, logged=True, help_text="What happened to the booking.")
    booking = SimulatedBooking(logged=True, help_text="The booking as it is then.")
