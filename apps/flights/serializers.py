"""Flight bodies and answers (contract §3, Flights)."""

from datetime import date, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import ContactBody, PriceAnswer, booking_answer
from apps.common import clock
from apps.flights.suppliers.base import FlightSearch, Passenger, Passengers
from apps.gateway import fields
from apps.gateway.serializers import Body, page_of
from apps.suppliers import airports

CABINS = ["economy", "premium_economy", "business", "first"]
MAX_PASSENGERS = 9
FURTHEST = timedelta(days=361)


class Airport(fields.Text):
    """An IATA airport code in capitals, of an airport that exists."""

    pattern = "^[A-Z]{3}$"

    default_error_messages = {"unknown": "is not the IATA code of an airport"}

    def to_internal_value(self, data: object) -> str:
        code = super().to_internal_value(data)
        if airports.find(code) is None:
            self.fail("unknown")
        return code


class TravelDay(fields.Day):
    """A day from yesterday (one day's grace for the time zones) to a year ahead, as airlines sell."""

    default_error_messages = {
        "past": "must not be in the past",
        "far": "is further ahead than airlines sell (361 days)",
    }

    def to_internal_value(self, data: object) -> date:
        day = super().to_internal_value(data)
        today = clock.today(self.context.get("partner"))
        if day < today - timedelta(days=1):
            self.fail("past")
        if day > today + FURTHEST:
            self.fail("far")
        return day


class PassengersBody(Body):
    adults = fields.Whole(min_value=1, max_value=MAX_PASSENGERS, default=1)
    children = fields.Whole(min_value=0, max_value=MAX_PASSENGERS, default=0)
    infants = fields.Whole(min_value=0, max_value=MAX_PASSENGERS, default=0)

    def validate(self, attrs: dict[str, int]) -> dict[str, int]:
        if attrs["adults"] + attrs["children"] > MAX_PASSENGERS:
            raise serializers.ValidationError(f"{MAX_PASSENGERS} seats at most")
        if attrs["infants"] > attrs["adults"]:
            raise serializers.ValidationError({"infants": "at most one for each adult"})
        return attrs


@extend_schema_serializer(component_name="FlightSearchRequestDto")
class FlightSearchBody(Body):
    origin = Airport()
    destination = Airport()
    departureDate = TravelDay()
    returnDate = TravelDay(required=False)
    passengers = PassengersBody(required=False)
    cabin = fields.Choice(CABINS, default="economy")
    maxConnections = fields.Whole(min_value=0, max_value=3, required=False)
    limit = fields.Whole(min_value=1, max_value=100, default=20)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["origin"] == attrs["destination"]:
            raise serializers.ValidationError({"destination": "must differ from origin"})
        if "returnDate" in attrs and attrs["returnDate"] < attrs["departureDate"]:
            raise serializers.ValidationError({"returnDate": "must not be before departureDate"})
        return attrs


def search_request(data: dict[str, Any], currency: str) -> FlightSearch:
    """A validated body as the question to a supplier."""
    return FlightSearch(
        origin=data["origin"],
        destination=data["destination"],
        departure_date=data["departureDate"],
        return_date=data.get("returnDate"),
        passengers=Passengers(**data.get("passengers", {})),
        cabin=data["cabin"],
        max_connections=data.get("maxConnections"),
        limit=data["limit"],
        currency=currency,
    )


class PassengerBody(Body):
    title = fields.Choice(["mr", "ms", "mrs", "miss", "dr"], required=False)
    gender = fields.Choice(["m", "f"], required=False)
    firstName = fields.Text(printable=True)
    lastName = fields.Text(printable=True)
    dateOfBirth = fields.Day()
    type = fields.Choice(["adult", "child", "infant"])

    def validate_dateOfBirth(self, day: date) -> date:
        if not date(1900, 1, 1) <= day <= clock.today(self.context.get("partner")):
            raise serializers.ValidationError("must be a day from 1900 to today")
        return day

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        partner = self.context.get("partner")
        if partner is not None and partner.environment == "live" and "title" not in attrs:
            raise serializers.ValidationError({"title": "is required with a live key"})
        return attrs


class FlightOrderBody(Body):
    offerId = fields.Text()
    passengers = serializers.ListField(child=PassengerBody(), min_length=1, max_length=2 * MAX_PASSENGERS)
    contact = ContactBody()
    externalReference = fields.ExternalReference()
    maxTotalCents = fields.Cents(required=False)


def passengers_named(data: dict[str, Any]) -> tuple[Passenger, ...]:
    """A validated body's passengers as a supplier takes them."""
    return tuple(
        Passenger(
            first_name=passenger["firstName"],
            last_name=passenger["lastName"],
            date_of_birth=passenger["dateOfBirth"],
            type=passenger["type"],
            title=passenger.get("title"),
            gender=passenger.get("gender"),
        )
        for passenger in data["passengers"]
    )


class AddedSliceBody(Body):
    origin = Airport()
    destination = Airport()
    departureDate = TravelDay()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["origin"] == attrs["destination"]:
            raise serializers.ValidationError({"destination": "must differ from origin"})
        return attrs


@extend_schema_serializer(component_name="FlightChangeOptionsRequestDto")
class FlightChangeOptionsBody(Body):
    removeSliceId = fields.Text()
    add = AddedSliceBody()


@extend_schema_serializer(component_name="ConfirmFlightChangeDto")
class ConfirmFlightChangeBody(Body):
    changeId = fields.Text()


# --- Answers, for the OpenAPI document; `presenters` builds them ----------------------------------------------------
class CarrierAnswer(serializers.Serializer[Any]):
    code = serializers.CharField()
    name = serializers.CharField()


class ConditionsAnswer(serializers.Serializer[Any]):
    refundable = serializers.BooleanField()
    changeable = serializers.BooleanField()
    penaltyCents = serializers.IntegerField(allow_null=True)


class SegmentAnswer(serializers.Serializer[Any]):
    origin = serializers.CharField()
    destination = serializers.CharField()
    departureAt = serializers.DateTimeField(help_text="In the airport's own zone")
    arrivalAt = serializers.DateTimeField(help_text="In the airport's own zone")
    durationMinutes = serializers.IntegerField()
    carrier = CarrierAnswer()
    flightNumber = serializers.CharField()


class SliceAnswer(serializers.Serializer[Any]):
    sliceId = serializers.CharField()
    origin = serializers.CharField()
    destination = serializers.CharField()
    departureAt = serializers.DateTimeField(help_text="In the airport's own zone")
    arrivalAt = serializers.DateTimeField(help_text="In the airport's own zone")
    durationMinutes = serializers.IntegerField()
    segments = SegmentAnswer(many=True)


class FlightOfferAnswer(PriceAnswer):
    offerId = serializers.CharField()
    expiresAt = serializers.DateTimeField()
    carrier = CarrierAnswer()
    cabin = serializers.ChoiceField(CABINS)
    conditions = ConditionsAnswer()
    slices = SliceAnswer(many=True)


class RepricedOfferAnswer(FlightOfferAnswer):
    previousTotalCents = serializers.IntegerField()
    priceChanged = serializers.BooleanField()


class FlightSearchAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    createdAt = serializers.DateTimeField()
    offers = FlightOfferAnswer(many=True)


class OrderPassengerAnswer(serializers.Serializer[Any]):
    title = serializers.CharField(allow_null=True)
    gender = serializers.CharField(allow_null=True)
    firstName = serializers.CharField()
    lastName = serializers.CharField()
    dateOfBirth = serializers.DateField()
    type = serializers.ChoiceField(["adult", "child", "infant"])


class ContactAnswer(serializers.Serializer[Any]):
    email = serializers.CharField()
    phone = serializers.CharField()


class FlightChangeRecord(serializers.Serializer[Any]):
    changeId = serializers.CharField()
    differenceCents = serializers.IntegerField()
    currency = serializers.CharField()
    settled = serializers.BooleanField()
    settledAt = serializers.DateTimeField(allow_null=True)
    createdAt = serializers.DateTimeField()


class FlightOrderAnswer(booking_answer("pending", "ticketed", "cancelled", "failed")):  # type: ignore[misc]
    offerId = serializers.CharField()
    pnr = serializers.CharField(allow_null=True)
    ticketNumbers = serializers.ListField(child=serializers.CharField())
    carrier = CarrierAnswer()
    cabin = serializers.ChoiceField(CABINS)
    conditions = ConditionsAnswer()
    slices = SliceAnswer(many=True)
    passengers = OrderPassengerAnswer(many=True)
    contact = ContactAnswer()
    changes = FlightChangeRecord(many=True)


FlightOrderPage = page_of(FlightOrderAnswer)


class ChangeOptionAnswer(serializers.Serializer[Any]):
    changeId = serializers.CharField()
    differenceCents = serializers.IntegerField(help_text="Negative: returns to the partner")
    currency = serializers.CharField()
    newTotalCents = serializers.IntegerField()
    penaltyCents = serializers.IntegerField()
    expiresAt = serializers.DateTimeField()
    slice = SliceAnswer()


class ChangeOptionsAnswer(serializers.Serializer[Any]):
    orderId = serializers.CharField()
    options = ChangeOptionAnswer(many=True)


class FlightChangeAnswer(serializers.Serializer[Any]):
    orderId = serializers.CharField()
    changeId = serializers.CharField()
    status = serializers.ChoiceField(["ticketed"])
    differenceCents = serializers.IntegerField()
    currency = serializers.CharField()
    settled = serializers.BooleanField(
        help_text="false: the ticket is reissued and the money moves shortly; never a reason to call again"
    )
    order = FlightOrderAnswer()
