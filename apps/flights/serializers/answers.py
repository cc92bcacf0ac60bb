"""Flight answers, as `presenters` builds them (contract §3, Flights)."""

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import PriceAnswer, cancellation_steps, withheld
from apps.flights.serializers.bodies import CABINS
from apps.gateway import outputs
from apps.gateway.serializers import AnswerBody


class AirportTime(outputs.Instant):
    """A date-time as the clocks at the airport show it."""

    notation = "RFC 3339, in the airport's own zone with its offset, such as `2027-02-03T14:30:00+01:00`."


class CarrierAnswer(AnswerBody):
    """An airline, by its code and its name."""

    code = serializers.CharField(
        help_text="The airline's IATA code, such as `TP`; `YY`, which stands for any airline, where it has none."
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
    withheld = withheld("offers")
