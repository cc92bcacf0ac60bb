"""Flight answers, as `presenters` builds them (contract §3, Flights)."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import PriceAnswer, booking_answer, cancellation_steps
from apps.flights.schedule_changes import ACTIONS, STATUSES
from apps.flights.serializers.bodies import CABINS
from apps.gateway import outputs
from apps.gateway.serializers import AnswerBody, page_of


class AirportTime(outputs.Instant):
    """A date-time as the clocks at the airport show it."""

    notation = "RFC 3339, in the airport's own zone with its offset, such as `2027-02-03T14:30:00+01:00`."


class CarrierAnswer(AnswerBody):
    """An airline, by its code and its name."""

    code = serializers.CharField(
        help_text="The airline's IATA code, such as `TP`; an empty text where it has none."
    )
    name = serializers.CharField(help_text="The airline's name for people to read.")


class OperatingCarrierAnswer(AnswerBody):
    """The airline whose plane and crew fly."""

    code = serializers.CharField(
        allow_blank=True, help_text="The airline's IATA code, such as `TP`; an empty text where it has none."
    )
    name = serializers.CharField(help_text="The airline's name for people to read.")


class BaggageAnswer(AnswerBody):
    """What each passenger of a type may take along for the fare, on every flight of the journey."""

    passengerType = outputs.OneOf(
        ["adult", "child", "infant"], logged=True, since="1.2", help_text="Whose baggage it is."
    )
    cabin = outputs.Whole(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text="Pieces of hand baggage; `null` where the airline does not say.",
    )
    checked = outputs.Whole(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text="Pieces of checked baggage; `null` where the airline does not say.",
    )


class FareCents(outputs.Cents):
    """An amount of a fare's terms, which name no currency of their own."""

    notation = "In minor units of the price's currency."


class ConditionsAnswer(AnswerBody):
    """What the fare allows."""

    refundable = serializers.BooleanField(help_text="Whether a cancellation gives money back.")
    changeable = serializers.BooleanField(
        help_text="Whether a leg can be replaced by another. Each change option says what that costs."
    )
    penaltyCents = FareCents(
        allow_null=True,
        logged=True,
        help_text=(
            "What cancelling costs of the total: all of it where it is not refundable; `null` "
            "where the airline does not say."
        ),
    )


class SegmentAnswer(AnswerBody):
    """One flight of a leg, without a change of planes."""

    origin = outputs.Airport(logged=True, help_text="The airport that the plane leaves from.")
    destination = outputs.Airport(logged=True, help_text="The airport that the plane arrives at.")
    departureAt = AirportTime(logged=True, help_text="When the plane leaves `origin`.")
    arrivalAt = AirportTime(logged=True, help_text="When the plane arrives at `destination`.")
    durationMinutes = outputs.Whole(logged=True, help_text="From departure to arrival, in minutes.")
    carrier = CarrierAnswer(help_text="The airline that sells the flight.")
    flightNumber = serializers.CharField(
        help_text="The airline's code and the number together, such as `TP1363`."
    )
    operatingCarrier = OperatingCarrierAnswer(
        allow_null=True,
        since="1.2",
        help_text=(
            "The airline whose plane flies, which travellers must be told where it is another than "
            "`carrier`; `null` where nobody says."
        ),
    )
    aircraft = outputs.Text(
        allow_null=True,
        since="1.2",
        help_text="The type of plane, such as `Airbus A320`; `null` where nobody says.",
    )
    originTerminal = outputs.Text(
        allow_null=True,
        since="1.2",
        help_text="The terminal that the plane leaves from; `null` where the airport has one, or nobody says.",
    )
    destinationTerminal = outputs.Text(
        allow_null=True,
        since="1.2",
        help_text="The terminal that the plane arrives at; `null` where the airport has one, or nobody says.",
    )


class SliceAnswer(AnswerBody):
    """One leg of the journey, from where it begins to where it ends."""

    sliceId = outputs.Id(
        logged=True,
        help_text="The leg's id, `slice_…`. Send it as `removeSliceId` to replace the leg of an order.",
    )
    origin = outputs.Airport(logged=True, help_text="The airport that the leg begins at.")
    destination = outputs.Airport(logged=True, help_text="The airport that the leg ends at.")
    departureAt = AirportTime(logged=True, help_text="When the leg's first plane leaves.")
    arrivalAt = AirportTime(logged=True, help_text="When the leg's last plane arrives.")
    durationMinutes = outputs.Whole(
        logged=True, help_text="The whole leg in minutes, waits between planes included."
    )
    segments = SegmentAnswer(
        many=True,
        logged=True,
        help_text="The leg's flights in the order in which they are flown. One: non-stop.",
    )


def fare_brand() -> Any:
    return outputs.Text(
        allow_null=True,
        since="1.2",
        help_text=(
            "What the airline calls the fare, such as `Economy Light`; of legs under two brands both, such as "
            "`Light / Flex`; `null` where it has no name."
        ),
    )


def included_baggage() -> Any:
    return BaggageAnswer(
        many=True,
        logged=True,
        since="1.2",
        help_text="What the fare includes, once for each type of passenger. Empty: nobody says.",
    )


class FlightOfferAnswer(PriceAnswer):
    """A journey at a price for all passengers together."""

    offerId = outputs.Id(
        logged=True,
        help_text=(
            "The offer's id, `offer_…`. Send it to order, or read it to have the price asked "
            "again. It is valid until `expiresAt`."
        ),
    )
    expiresAt = outputs.Instant(
        logged=True,
        help_text=(
            "Until when the offer can be ordered: for 20 minutes at most. From then on 410 `offer_expired`."
        ),
    )
    carrier = CarrierAnswer(help_text="The airline that sells the offer and issues the tickets.")
    cabin = outputs.OneOf(CABINS, logged=True, help_text="The cabin class of the seats.")
    conditions = ConditionsAnswer(logged=True, help_text="What may be done to the order afterwards.")
    cancellationSteps = cancellation_steps("the order", "conditions")
    fareBrand = fare_brand()
    baseCents = outputs.Cents(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text="The part of `totalCents` that is fare. With `taxCents` it is the total; `null` where nobody says.",
    )
    taxCents = outputs.Cents(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text="The part of `totalCents` that is taxes and charges; `null` where nobody says.",
    )
    co2Kg = outputs.Whole(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text="About how much carbon dioxide all passengers' flights make, in kilograms; `null` where nobody says.",
    )
    baggage = included_baggage()
    slices = SliceAnswer(many=True, logged=True, help_text="The legs of the journey: one, or out and back.")


@extend_schema_serializer(component_name="RepricedFlightOffer")
class RepricedOfferAnswer(FlightOfferAnswer):
    """An offer at the airline's price of now, which is the quoted price from then on."""

    previousTotalCents = outputs.Cents(logged=True, help_text="What the whole offer cost before this call.")
    priceChanged = serializers.BooleanField(
        help_text=(
            "Whether `totalCents` is another than `previousTotalCents`. It is what the offer "
            "costs from now on."
        )
    )


@extend_schema_serializer(component_name="FlightSearchResponse")
class FlightSearchAnswer(AnswerBody):
    """The offers that a search found."""

    id = outputs.Id(logged=True, help_text="The search's id, `fsr_…`, for your records and for support.")
    createdAt = outputs.Instant(logged=True, help_text="When the search was answered first.")
    offers = FlightOfferAnswer(
        many=True,
        help_text="What the airlines sell, cheapest first, `limit` at most. Empty: nothing was found.",
    )


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


@extend_schema_serializer(component_name="FlightChangeOptionsResponse")
class ChangeOptionsAnswer(AnswerBody):
    """What an order can be changed to."""

    orderId = outputs.Id(logged=True, help_text="The order to change, `ford_…`.")
    options = ChangeOptionAnswer(
        many=True, help_text="What the airline offers for that day and route. Empty: nothing."
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
