"""Answers about flight orders and their changes, as `presenters` builds them (contract §3, Flights)."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import booking_answer, cancellation_steps
from apps.flights.schedule_changes import ACTIONS, STATUSES
from apps.flights.serializers.answers import (
    CarrierAnswer,
    ConditionsAnswer,
    SliceAnswer,
    fare_brand,
    included_baggage,
)
from apps.flights.serializers.bodies import CABINS
from apps.gateway import outputs
from apps.gateway.serializers import AnswerBody, page_of


@extend_schema_serializer(component_name="FlightPassenger")
class OrderPassengerAnswer(AnswerBody):
    """Somebody who flies."""

    title = serializers.CharField(
        allow_null=True, help_text="The form of address; `null` where none was sent."
    )
    gender = serializers.CharField(allow_null=True, help_text="`m` or `f`; `null` where none was sent.")
    firstName = serializers.CharField(help_text="Given names, as they were sent.")
    lastName = serializers.CharField(help_text="Family name, as it was sent.")
    dateOfBirth = serializers.DateField(help_text="The day of birth, `YYYY-MM-DD`.")
    type = outputs.OneOf(
        ["adult", "child", "infant"],
        logged=True,
        help_text="Whether the fare is an adult's, a child's or an infant's.",
    )


class ContactAnswer(AnswerBody):
    """How the airline reaches the passengers."""

    email = serializers.CharField(help_text="The e-mail address that the airline was given.")
    phone = serializers.CharField(help_text="The phone number that the airline was given, in E.164.")


@extend_schema_serializer(component_name="FlightChange")
class FlightChangeRecord(AnswerBody):
    """A change of the order that was confirmed."""

    changeId = outputs.Id(logged=True, help_text="The option that was bought, `change_…`.")
    differenceCents = outputs.Cents(
        logged=True, help_text="What the change cost, penalty included; negative: it came back to you."
    )
    currency = outputs.Currency(logged=True, help_text="ISO 4217 code of `differenceCents`, such as `EUR`.")
    settled = serializers.BooleanField(
        help_text="Whether its money has moved. `false`: it moves shortly, without a further call."
    )
    settledAt = outputs.Instant(
        allow_null=True, logged=True, help_text="When its money moved; `null` until then."
    )
    createdAt = outputs.Instant(logged=True, help_text="When the airline confirmed the change.")


@extend_schema_serializer(component_name="FlightScheduleChange")
class ScheduleChangeAnswer(AnswerBody):
    """What the airline moved by itself."""

    changeId = outputs.Id(
        logged=True, help_text="The change's id, `schedule_…`, with which it can be accepted."
    )
    detectedAt = outputs.Instant(logged=True, help_text="When we learned of it.")
    respondBy = outputs.Instant(
        allow_null=True,
        logged=True,
        help_text="Until when the airline takes an answer; `null`: it has named no end.",
    )
    before = SliceAnswer(
        many=True, help_text="The legs that it is of, as they were. Other legs of the order are left out."
    )
    after = SliceAnswer(
        many=True,
        help_text="The same legs as the airline flies them now, under the same `sliceId`. Empty: they are flown no more.",
    )
    status = outputs.OneOf(
        STATUSES,
        logged=True,
        help_text=(
            "`open`: not answered. `accepted`: you, or somebody at the airline, accepted it. `superseded`: a later change "
            "of the same legs, by the airline or by you, took its place."
        ),
    )
    acceptedAt = outputs.Instant(
        allow_null=True, logged=True, help_text="When it was accepted; `null` where it was not."
    )
    availableActions = serializers.ListField(
        child=outputs.OneOf(ACTIONS),
        help_text=(
            "What can be done about it now: `accept` it, `change` the order, `cancel` it, or `contact_us`. Empty where it is "
            "no longer open."
        ),
    )


class FlightOrderAnswer(booking_answer("pending", "ticketed", "cancelled", "failed")):  # type: ignore[misc]
    """A journey that was ordered, as it stands now."""

    offerId = outputs.Id(logged=True, help_text="The offer that was ordered, `offer_…`.")
    pnr = serializers.CharField(
        allow_null=True,
        help_text=(
            "The airline's booking code, with which passengers check in; `null` until the airline"
            " has made it."
        ),
    )
    ticketNumbers = serializers.ListField(
        child=serializers.CharField(),
        help_text="The numbers of the issued tickets. Empty until the airline has issued them.",
    )
    carrier = CarrierAnswer(help_text="The airline that issued the tickets.")
    cabin = outputs.OneOf(CABINS, logged=True, help_text="The cabin class that was ordered.")
    conditions = ConditionsAnswer(logged=True, help_text="What may be done to the order now.")
    cancellationSteps = cancellation_steps("the order", "conditions")
    fareBrand = fare_brand()
    baggage = included_baggage()
    slices = SliceAnswer(
        many=True,
        logged=True,
        help_text=("The legs of the journey as they stand now, changes by you and by the airline included."),
    )
    passengers = OrderPassengerAnswer(
        many=True, logged=True, help_text="Who flies, in the order in which they were sent."
    )
    contact = ContactAnswer(logged=True, help_text="How the airline reaches the passengers.")
    changes = FlightChangeRecord(
        many=True, help_text="The changes that you confirmed, oldest first. Empty: none."
    )
    scheduleChanges = ScheduleChangeAnswer(
        many=True,
        since="1.2",
        help_text="What the airline moved by itself, oldest first. `slices` already has it. Empty: nothing.",
    )


FlightOrderPage = page_of(FlightOrderAnswer)


class ChangeOptionAnswer(AnswerBody):
    """A leg that can take the place of another, and what that costs."""

    changeId = outputs.Id(
        logged=True,
        help_text=(
            "The option's id, `change_…`. Send it to confirm the change. It is valid until `expiresAt`."
        ),
    )
    differenceCents = outputs.Cents(
        help_text="What the change costs in all, penalty included; negative: it comes back to you.",
        logged=True,
    )
    currency = outputs.Currency(
        logged=True, help_text="ISO 4217 code of this option's amounts: that of the order."
    )
    newTotalCents = outputs.Cents(logged=True, help_text="What the order costs in all after the change.")
    penaltyCents = outputs.Cents(
        logged=True, help_text="The airline's fee for changing. It is part of `differenceCents`."
    )
    expiresAt = outputs.Instant(
        logged=True,
        help_text=(
            "Until when the option can be confirmed: for 20 minutes at most. From then on 410 "
            "`offer_expired`."
        ),
    )
    slice = SliceAnswer(help_text="The leg as it would be flown.")


@extend_schema_serializer(component_name="FlightChangeOptionsWithheld")
class OptionsWithheldAnswer(AnswerBody):
    """How many options the airline named that are not offered, and why."""

    outOfOrder = outputs.Whole(logged=True, help_text="Their times overlap another slice of the order.")
    noLongerSold = outputs.Whole(logged=True, help_text="They have departed.")
    unsupported = outputs.Whole(
        logged=True,
        help_text="They have no price in the order's currency, or the airline would keep what they save.",
    )
    unreadable = outputs.Whole(logged=True, help_text="The airline's data of them is malformed.")


@extend_schema_serializer(component_name="FlightChangeOptionsResponse")
class ChangeOptionsAnswer(AnswerBody):
    """What an order can be changed to."""

    orderId = outputs.Id(logged=True, help_text="The order to change, `ford_…`.")
    options = ChangeOptionAnswer(
        many=True, help_text="What the airline offers for that day and route. Empty: nothing."
    )
    withheld = OptionsWithheldAnswer(
        logged=True,
        since="1.2",
        help_text="Options that were left out. Nothing else is left out without being counted.",
    )


@extend_schema_serializer(component_name="FlightChangeResponse")
class FlightChangeAnswer(AnswerBody):
    """A confirmed change, and the order after it."""

    orderId = outputs.Id(logged=True, help_text="The order that was changed, `ford_…`.")
    changeId = outputs.Id(logged=True, help_text="The option that was confirmed, `change_…`.")
    status = outputs.OneOf(
        ["ticketed"], logged=True, help_text="Always `ticketed`: the tickets are reissued."
    )
    differenceCents = outputs.Cents(
        logged=True, help_text="What the change cost, penalty included; negative: it comes back to you."
    )
    currency = outputs.Currency(
        logged=True, help_text="ISO 4217 code of `differenceCents`: that of the order."
    )
    settled = serializers.BooleanField(
        help_text=(
            "`true`: the money has moved. `false`: the ticket is reissued and the money comes "
            "back shortly; never a reason to call again."
        )
    )
    order = FlightOrderAnswer(logged=True, help_text="The whole order as it stands after the change.")
