"""The answer of GET /v1/operations."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.call_outcomes.judge import Action, State
from apps.bookings.models import Product
from apps.bookings.serializers import STATUSES
from apps.gateway import outputs
from apps.gateway.serializers import AnswerBody

STATES = {
    State.NOT_SEEN: "`not_seen`: no call with this key was begun, or it was longer than 24 hours ago and booked nothing.",
    State.RUNNING: "`running`: a call with it is under way.",
    State.DONE: "`done`: it did what was asked.",
    State.FAILED: "`failed`: it did nothing, and nothing is paid for it.",
    State.UNKNOWN: (
        "`unknown`: the supplier may have been asked, and its answer is not known yet. We are finding out, and the funds stay "
        "held."
    ),
}
STEPS = {
    Action.NONE: "`none`: nothing is left to do.",
    Action.WAIT: "`wait`: ask here again after `afterSeconds`.",
    Action.RETRY_SAME_KEY: "`retry_same_key`: send the same request again, with the same key.",
    Action.USE_NEW_KEY: (
        "`use_new_key`: the refusal is final. If you still want it, mend what it names and send it with a new key."
    ),
    Action.READ_BOOKING: "`read_booking`: read the booking of `booking.id`. Do not send the request again.",
}


@extend_schema_serializer(component_name="CallOutcomeBooking")
class BookingOfCallAnswer(AnswerBody):
    """The booking that the call made or altered, or would have."""

    bookingType = outputs.OneOf(Product.values, logged=True, help_text="What kind of booking it is.")
    id = outputs.Id(logged=True, help_text="The booking's id.")
    reference = outputs.Reference(logged=True, help_text="Its short reference, such as `H-7KQ2M9XD`.")
    status = outputs.OneOf(STATUSES, logged=True, help_text="Its status now. " + " ".join(STATUSES.values()))


@extend_schema_serializer(component_name="CallOutcomeNext")
class NextStepAnswer(AnswerBody):
    """The one safe next step."""

    action = outputs.OneOf([*Action], logged=True, help_text=" ".join(STEPS.values()))
    afterSeconds = outputs.Whole(
        logged=True, help_text="How many seconds to wait before it; 0 where nothing is gained by waiting."
    )


@extend_schema_serializer(component_name="CallOutcome")
class CallOutcomeAnswer(AnswerBody):
    """What became of the call that was sent with an Idempotency-Key."""

    idempotencyKey = serializers.CharField(help_text="The key, as it was asked for.")
    operation = serializers.CharField(
        allow_null=True,
        help_text="The operation that the key was used for, as this document names it; `null` where none is known.",
    )
    state = outputs.OneOf([*State], logged=True, help_text=" ".join(STATES.values()))
    status = outputs.Whole(
        allow_null=True,
        logged=True,
        help_text="The HTTP status of the stored answer; `null` while there is none, as after a 5xx.",
    )
    requestId = outputs.Id(
        allow_null=True,
        logged=True,
        help_text="The `X-Request-Id` of the call that had the key last; `null` where none is known.",
    )
    firstSeenAt = outputs.Instant(
        allow_null=True, logged=True, help_text="When the key first came; `null` where it is not known."
    )
    answeredAt = outputs.Instant(
        allow_null=True,
        logged=True,
        help_text="When the stored answer was given; `null` while there is none.",
    )
    booking = BookingOfCallAnswer(
        allow_null=True, logged=True, help_text="The booking that it is about; `null` where there is none."
    )
    next = NextStepAnswer(
        logged=True,
        help_text="The one safe next step. Whoever follows it, again and again, ends with exactly one booking.",
    )
