"""Flight bodies and answers (contract §3, Flights)."""

from datetime import date, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import ContactBody, PriceAnswer, booking_answer
from apps.common import clock
from apps.flights.suppliers.base import FlightSearch, Passenger, Passengers
from apps.gateway import fields, outputs
from apps.gateway.declared import days_ahead
from apps.gateway.request_log import value_forms
from apps.gateway.serializers import AnswerBody, Body, checks, page_of
from apps.suppliers import airports

CABINS = ["economy", "premium_economy", "business", "first"]
MAX_PASSENGERS = 9
FURTHEST = timedelta(days=361)


class Airport(fields.Text):
    """An IATA airport code in capitals, of an airport that exists."""

    pattern = "^[A-Z]{3}$"
    form = value_forms.IS_THREE_CAPITALS

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


@extend_schema_serializer(component_name="FlightPassengerCountsInput")
class PassengersBody(Body):
    adults = fields.Whole(min_value=1, max_value=MAX_PASSENGERS, default=1, logged=True)
    children = fields.Whole(min_value=0, max_value=MAX_PASSENGERS, default=0, logged=True)
    infants = fields.Whole(min_value=0, max_value=MAX_PASSENGERS, default=0, logged=True)

    @checks("adults", "children")
    def have_seats(self, given: dict[str, int]) -> None:
        if given["adults"] + given["children"] > MAX_PASSENGERS:
            raise serializers.ValidationError(f"{MAX_PASSENGERS} seats at most")

    @checks("adults", "infants")
    def have_laps(self, given: dict[str, int]) -> None:
        if given["infants"] > given["adults"]:
            raise serializers.ValidationError({"infants": "at most one for each adult"})


class FlightSearchBody(Body):
    origin = Airport(example="LHR", logged=True)
    destination = Airport(example="JFK", logged=True)
    departureDate = TravelDay(example=days_ahead(60), logged=True)
    returnDate = TravelDay(required=False, logged=True)
    passengers = PassengersBody(required=False, logged=True)
    cabin = fields.Choice(CABINS, default="economy", logged=True)
    maxConnections = fields.Whole(min_value=0, max_value=3, required=False, logged=True)
    limit = fields.Whole(min_value=1, max_value=100, default=20, example=3, logged=True)

    @checks("origin", "destination")
    def lead_elsewhere(self, given: dict[str, Any]) -> None:
        refuse_standing_still(given)

    @checks("departureDate", "returnDate")
    def return_later(self, given: dict[str, Any]) -> None:
        if "returnDate" in given and given["returnDate"] < given["departureDate"]:
            raise serializers.ValidationError({"returnDate": "must not be before departureDate"})


def refuse_standing_still(given: dict[str, Any]) -> None:
    if given["origin"] == given["destination"]:
        raise serializers.ValidationError({"destination": "must differ from origin"})


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
    title = fields.Choice(["mr", "ms", "mrs", "miss", "dr"], required=False, example="ms")
    gender = fields.Choice(["m", "f"], required=False)
    firstName = fields.Text(printable=True, example="Ada")
    lastName = fields.Text(printable=True, example="Byron")
    dateOfBirth = fields.Day(example="1990-12-10")
    type = fields.Choice(["adult", "child", "infant"], example="adult", logged=True)

    def validate_dateOfBirth(self, day: date) -> date:
        if not date(1900, 1, 1) <= day <= clock.today(self.context.get("partner")):
            raise serializers.ValidationError("must be a day from 1900 to today")
        return day

    @checks("title")
    def have_title_with_live_key(self, given: dict[str, Any]) -> None:
        partner = self.context.get("partner")
        if partner is not None and partner.environment == "live" and "title" not in given:
            raise serializers.ValidationError({"title": "is required with a live key"})


class FlightOrderBody(Body):
    offerId = fields.Id(example="offer_…", logged=True)
    passengers = fields.Many(child=PassengerBody(), min_length=1, max_length=2 * MAX_PASSENGERS, logged=True)
    contact = ContactBody(logged=True)
    externalReference = fields.ExternalReference()
    maxTotalCents = fields.Cents(required=False, logged=True)


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


@extend_schema_serializer(component_name="FlightSliceInput")
class AddedSliceBody(Body):
    origin = Airport(example="LHR", logged=True)
    destination = Airport(example="JFK", logged=True)
    departureDate = TravelDay(example=days_ahead(67), logged=True)

    @checks("origin", "destination")
    def lead_elsewhere(self, given: dict[str, Any]) -> None:
        refuse_standing_still(given)


class FlightChangeOptionsBody(Body):
    removeSliceId = fields.Id(example="slice_…", logged=True)
    add = AddedSliceBody(logged=True)


@extend_schema_serializer(component_name="FlightChangeRequest")
class ConfirmFlightChangeBody(Body):
    changeId = fields.Id(example="change_…", logged=True)


# --- Answers, as `presenters` builds them ---------------------------------------------------------------------------
class CarrierAnswer(AnswerBody):
    code = serializers.CharField()
    name = serializers.CharField()


class ConditionsAnswer(AnswerBody):
    refundable = serializers.BooleanField()
    changeable = serializers.BooleanField()
    penaltyCents = outputs.Cents(allow_null=True, logged=True)


class SegmentAnswer(AnswerBody):
    origin = outputs.Airport(logged=True)
    destination = outputs.Airport(logged=True)
    departureAt = outputs.Instant(help_text="In the airport's own zone", logged=True)
    arrivalAt = outputs.Instant(help_text="In the airport's own zone", logged=True)
    durationMinutes = outputs.Whole(logged=True)
    carrier = CarrierAnswer()
    flightNumber = serializers.CharField()


class SliceAnswer(AnswerBody):
    sliceId = outputs.Id(logged=True)
    origin = outputs.Airport(logged=True)
    destination = outputs.Airport(logged=True)
    departureAt = outputs.Instant(help_text="In the airport's own zone", logged=True)
    arrivalAt = outputs.Instant(help_text="In the airport's own zone", logged=True)
    durationMinutes = outputs.Whole(logged=True)
    segments = SegmentAnswer(many=True, logged=True)


class FlightOfferAnswer(PriceAnswer):
    offerId = outputs.Id(logged=True)
    expiresAt = outputs.Instant(logged=True)
    carrier = CarrierAnswer()
    cabin = outputs.OneOf(CABINS, logged=True)
    conditions = ConditionsAnswer(logged=True)
    slices = SliceAnswer(many=True, logged=True)


@extend_schema_serializer(component_name="RepricedFlightOffer")
class RepricedOfferAnswer(FlightOfferAnswer):
    previousTotalCents = outputs.Cents(logged=True)
    priceChanged = serializers.BooleanField()


@extend_schema_serializer(component_name="FlightSearchResponse")
class FlightSearchAnswer(AnswerBody):
    id = outputs.Id(logged=True)
    createdAt = outputs.Instant(logged=True)
    offers = FlightOfferAnswer(many=True)


@extend_schema_serializer(component_name="FlightPassenger")
class OrderPassengerAnswer(AnswerBody):
    title = serializers.CharField(allow_null=True)
    gender = serializers.CharField(allow_null=True)
    firstName = serializers.CharField()
    lastName = serializers.CharField()
    dateOfBirth = serializers.DateField()
    type = outputs.OneOf(["adult", "child", "infant"], logged=True)


class ContactAnswer(AnswerBody):
    email = serializers.CharField()
    phone = serializers.CharField()


@extend_schema_serializer(component_name="FlightChange")
class FlightChangeRecord(AnswerBody):
    changeId = outputs.Id(logged=True)
    differenceCents = outputs.Cents(logged=True)
    currency = outputs.Currency(logged=True)
    settled = serializers.BooleanField()
    settledAt = outputs.Instant(allow_null=True, logged=True)
    createdAt = outputs.Instant(logged=True)


class FlightOrderAnswer(booking_answer("pending", "ticketed", "cancelled", "failed")):  # type: ignore[misc]
    offerId = outputs.Id(logged=True)
    pnr = serializers.CharField(allow_null=True)
    ticketNumbers = serializers.ListField(child=serializers.CharField())
    carrier = CarrierAnswer()
    cabin = outputs.OneOf(CABINS, logged=True)
    conditions = ConditionsAnswer(logged=True)
    slices = SliceAnswer(many=True, logged=True)
    passengers = OrderPassengerAnswer(many=True, logged=True)
    contact = ContactAnswer(logged=True)
    changes = FlightChangeRecord(many=True)


FlightOrderPage = page_of(FlightOrderAnswer)


class ChangeOptionAnswer(AnswerBody):
    changeId = outputs.Id(logged=True)
    differenceCents = outputs.Cents(help_text="Negative: returns to the partner", logged=True)
    currency = outputs.Currency(logged=True)
    newTotalCents = outputs.Cents(logged=True)
    penaltyCents = outputs.Cents(logged=True)
    expiresAt = outputs.Instant(logged=True)
    slice = SliceAnswer()


@extend_schema_serializer(component_name="FlightChangeOptionsResponse")
class ChangeOptionsAnswer(AnswerBody):
    orderId = outputs.Id(logged=True)
    options = ChangeOptionAnswer(many=True)


@extend_schema_serializer(component_name="FlightChangeResponse")
class FlightChangeAnswer(AnswerBody):
    orderId = outputs.Id(logged=True)
    changeId = outputs.Id(logged=True)
    status = outputs.OneOf(["ticketed"], logged=True)
    differenceCents = outputs.Cents(logged=True)
    currency = outputs.Currency(logged=True)
    settled = serializers.BooleanField(
        help_text="false: the ticket is reissued and the money moves shortly; never a reason to call again"
    )
    order = FlightOrderAnswer(logged=True)
