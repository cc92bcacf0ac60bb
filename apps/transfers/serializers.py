"""Transfer bodies and answers (contract §3, Transfers)."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pycountry
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import Phone, PriceAnswer, booking_answer
from apps.common import clock
from apps.gateway import fields, outputs
from apps.gateway.declared import days_ahead
from apps.gateway.request_log import value_forms
from apps.gateway.serializers import AnswerBody, Body, checks, page_of
from apps.suppliers import airports
from apps.transfers.details import FUNDS
from apps.transfers.suppliers.base import LeadPassenger, Passengers, Place, TransferSearch

PLACE_TYPES = ["IATA", "HOTEL", "STATION", "PORT", "GEO"]
VEHICLE_CLASSES = ["economy", "comfort", "business", "minivan", "minibus", "shuttle"]
MAX_PARTY = 48
FURTHEST = timedelta(days=730)
LOCAL_FORM = {
    "type": "string",
    "pattern": (
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"
    ),
    "example": "2027-02-03T14:30:00",
}


class Country(fields.Text):
    """An ISO 3166 alpha-2 country code in capitals, of a country that exists."""

    pattern = "^[A-Z]{2}$"
    form = value_forms.IS_TWO_CAPITALS

    default_error_messages = {"unknown": "is not an ISO 3166 country code"}

    def to_internal_value(self, data: object) -> str:
        code = super().to_internal_value(data)
        found = pycountry.countries.get(alpha_2=code) if len(code) == 2 else None
        if found is None or found.alpha_2 != code:
            self.fail("unknown")
        return code


@extend_schema_field(LOCAL_FORM)
class Outbound(fields.LocalDateTime):
    """From yesterday (one day's grace for the time zones) to two years ahead."""

    default_error_messages = {
        "past": "must not be in the past",
        "far": "is further ahead than transfers are sold (730 days)",
    }

    def to_internal_value(self, data: object) -> datetime:
        moment = super().to_internal_value(data)
        today = clock.today(self.context.get("partner"))
        if moment.date() < today - timedelta(days=1):
            self.fail("past")
        if moment.date() > today + FURTHEST:
            self.fail("far")
        return moment


class PlaceCode(fields.Text):
    """The request log keeps it where it is an airport's."""

    form = value_forms.IS_THREE_CAPITALS


CODE = (
    "Required but for GEO. IATA: three capitals. HOTEL: with a live key the supplier's own number, "
    "or any code with coordinates and an address"
)
ADDRESS = "With a live key required beside coordinates: the driver has to find the place"


class PlaceBody(Body):
    """`code` names an airport, hotel, station or port; GEO is named by its coordinates."""

    type = fields.Choice(PLACE_TYPES, logged=True)
    code = PlaceCode(required=False, printable=True, help_text=CODE, logged=True)
    name = fields.Text(required=False)
    address = fields.Text(required=False, help_text=ADDRESS)
    town = fields.Text(required=False, help_text=ADDRESS)
    country = Country(required=False, help_text=ADDRESS, logged=True)
    zip = fields.Text(required=False, help_text=ADDRESS)
    latitude = fields.Number(required=False, min_value=-90, max_value=90, help_text="Required for GEO")
    longitude = fields.Number(required=False, min_value=-180, max_value=180, help_text="Required for GEO")

    @checks("type")
    def be_named_as_its_type_is(self, given: dict[str, Any]) -> None:
        needed = ("latitude", "longitude") if given["type"] == "GEO" else ("code",)
        missing = {name: f"is required for {given['type']}" for name in needed if name not in given}
        if missing:
            raise serializers.ValidationError(missing)

    @checks("latitude", "longitude")
    def have_both_coordinates(self, given: dict[str, Any]) -> None:
        if ("latitude" in given) != ("longitude" in given):
            lacking = "longitude" if "latitude" in given else "latitude"
            raise serializers.ValidationError({lacking: "must come with the other coordinate"})

    @checks("type", "code")
    def exist_as_airport(self, given: dict[str, Any]) -> None:
        if given["type"] == "IATA" and airports.find(given["code"]) is None:
            raise serializers.ValidationError({"code": "is not the IATA code of an airport"})


class TransferSearchBody(Body):
    to = PlaceBody(
        example={"type": "GEO", "name": "Hotel", "latitude": 38.71, "longitude": -9.14}, logged=True
    )
    outbound = Outbound(
        help_text="Local at the place, without offset",
        example=lambda: f"{days_ahead(60)()}T10:00:00",
        logged=True,
    )
    adults = fields.Whole(min_value=1, max_value=MAX_PARTY, example=2, logged=True)
    children = fields.Whole(min_value=0, max_value=MAX_PARTY, default=0, logged=True)
    infants = fields.Whole(min_value=0, max_value=MAX_PARTY, default=0, logged=True)
    vehicleClass = fields.Choice(VEHICLE_CLASSES, required=False, logged=True)
    limit = fields.Whole(min_value=1, max_value=100, default=20, example=3, logged=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            "from": PlaceBody(example={"type": "IATA", "code": "LIS"}, logged=True),
            **super().get_fields(),
        }

    @checks("from", "to")
    def lead_elsewhere(self, given: dict[str, Any]) -> None:
        if identity(given["from"]) == identity(given["to"]):
            raise serializers.ValidationError({"to": "must differ from `from`"})

    @checks("adults", "children", "infants")
    def fit_a_vehicle(self, given: dict[str, Any]) -> None:
        if given["adults"] + given["children"] + given["infants"] > MAX_PARTY:
            raise serializers.ValidationError({"adults": f"{MAX_PARTY} passengers at most, infants included"})


def identity(place: dict[str, Any]) -> tuple[object, ...]:
    """What makes two places the same one."""
    if place["type"] == "GEO":
        return "GEO", place["latitude"], place["longitude"]
    return place["type"], place["code"]


def search_request(data: dict[str, Any], currency: str) -> TransferSearch:
    """A validated body as the question to a supplier."""
    return TransferSearch(
        start=place_of(data["from"]),
        end=place_of(data["to"]),
        outbound=data["outbound"],
        passengers=Passengers(data["adults"], data["children"], data["infants"]),
        vehicle_class=data.get("vehicleClass"),
        limit=data["limit"],
        currency=currency,
    )


def place_of(body: dict[str, Any]) -> Place:
    """Coordinates become decimals: what was sent is what is kept."""
    place: dict[str, Any] = dict(body)
    for name in ("latitude", "longitude"):
        if name in body:
            place[name] = Decimal(repr(body[name]))
    return Place(**place)


class LeadPassengerBody(Body):
    firstName = fields.Text(printable=True, example="Ada")
    lastName = fields.Text(printable=True, example="Byron")
    email = fields.Email(example="ada@example.com")
    phone = Phone(example="+351210000000")


class TransferOrderBody(Body):
    quoteId = fields.Id(example="quote_…", logged=True)
    leadPassenger = LeadPassengerBody(logged=True)
    flightNumber = fields.Text(
        required=False,
        printable=True,
        max_length=8,
        help_text="With a live key required from and to airports, seven characters at most but for spaces",
    )
    notes = fields.Text(required=False, help_text="For the driver")
    externalReference = fields.ExternalReference()
    maxTotalCents = fields.Cents(required=False, logged=True)


def lead_passenger(data: dict[str, Any]) -> LeadPassenger:
    """A validated body's lead passenger as a supplier takes it."""
    lead = data["leadPassenger"]
    return LeadPassenger(lead["firstName"], lead["lastName"], lead["email"], lead["phone"])


# --- Answers, as `presenters` builds them ---------------------------------------------------------------------------
class VehicleAnswer(AnswerBody):
    description = serializers.CharField()
    maxPassengers = outputs.Whole(allow_null=True, logged=True)
    maxBags = outputs.Whole(allow_null=True, logged=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"class": outputs.OneOf(VEHICLE_CLASSES, logged=True), **super().get_fields()}


@extend_schema_serializer(component_name="TransferCancellationPolicyStep")
class PolicyStepAnswer(AnswerBody):
    """Until the first step begins cancelling is free."""

    amountCents = outputs.Cents(help_text="What cancelling costs until the next step begins", logged=True)
    currency = outputs.Currency(logged=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        begins = outputs.Instant(allow_null=True, help_text="null: from the booking on", logged=True)
        return {"from": begins, **super().get_fields()}


class WaitingTimeAnswer(AnswerBody):
    """How long one of the two waits at the pick-up."""

    who = outputs.OneOf(["driver", "customer"])
    minutes = serializers.IntegerField()


class TransferOfferAnswer(PriceAnswer):
    quoteId = outputs.Id(logged=True)
    vehicle = VehicleAnswer(logged=True)
    durationMinutes = outputs.Whole(allow_null=True, logged=True)
    cancellationPolicy = PolicyStepAnswer(many=True, logged=True)
    remarks = serializers.ListField(
        child=serializers.CharField(), help_text="Terms that travellers have to be told"
    )
    waitingTimes = WaitingTimeAnswer(many=True)
    expiresAt = outputs.Instant(logged=True)


@extend_schema_serializer(component_name="TransferSearchResponse")
class TransferSearchAnswer(AnswerBody):
    id = outputs.Id(logged=True)
    createdAt = outputs.Instant(logged=True)
    offers = TransferOfferAnswer(many=True)


class PlaceAnswer(AnswerBody):
    type = outputs.OneOf(PLACE_TYPES, logged=True)
    code = serializers.CharField(allow_null=True)
    name = serializers.CharField(allow_null=True)
    address = serializers.CharField(allow_null=True)
    town = serializers.CharField(allow_null=True)
    country = outputs.Country(allow_null=True, logged=True)
    zip = serializers.CharField(allow_null=True)
    latitude = serializers.FloatField(allow_null=True)
    longitude = serializers.FloatField(allow_null=True)


class TransferPassengersAnswer(AnswerBody):
    adults = outputs.Whole(logged=True)
    children = outputs.Whole(logged=True)
    infants = outputs.Whole(logged=True)


class LeadPassengerAnswer(AnswerBody):
    firstName = serializers.CharField()
    lastName = serializers.CharField()
    email = serializers.CharField()
    phone = serializers.CharField()


class SettlementAnswer(AnswerBody):
    """Poll while `still_held`: the reconciliation worker resolves it within a minute."""

    funds = outputs.OneOf(
        FUNDS,
        help_text="still_held: to be captured. captured: paid. released: came back from the hold (cancelled before its "
        "capture, or failed). refunded: came back after the capture",
    )
    amountCents = outputs.Cents(help_text="What is held, was paid, or came back", logged=True)
    currency = outputs.Currency(logged=True)
    resolvedAt = outputs.Instant(allow_null=True, logged=True)


class PickupAnswer(AnswerBody):
    at = serializers.CharField(allow_null=True, help_text="Local at the place, without offset")
    instructions = serializers.CharField()
    emergencyPhone = serializers.CharField(allow_null=True)


class OperatorAnswer(AnswerBody):
    """Belongs on the traveller's voucher."""

    name = serializers.CharField(help_text="Who drives")
    vatNumber = serializers.CharField(allow_null=True)
    invoiceCompany = serializers.CharField(allow_null=True, help_text="The supplier's company that invoices")


class TransferOrderAnswer(booking_answer("pending", "confirmed", "cancelled", "failed")):  # type: ignore[misc]
    orderId = outputs.Id(help_text="The same as `id`", logged=True)
    quoteId = outputs.Id(logged=True)
    settlement = SettlementAnswer(logged=True)
    to = PlaceAnswer(logged=True)
    outbound = outputs.LocalDateTime(help_text="Local at the place, without offset", logged=True)
    passengers = TransferPassengersAnswer(logged=True)
    vehicle = VehicleAnswer(logged=True)
    durationMinutes = outputs.Whole(allow_null=True, logged=True)
    leadPassenger = LeadPassengerAnswer(logged=True)
    flightNumber = serializers.CharField(allow_null=True)
    notes = serializers.CharField(allow_null=True)
    cancellationPolicy = PolicyStepAnswer(many=True, logged=True)
    remarks = serializers.ListField(
        child=serializers.CharField(), help_text="Terms that travellers have to be told"
    )
    waitingTimes = WaitingTimeAnswer(many=True)
    pickup = PickupAnswer(allow_null=True, help_text="null until the order is confirmed")
    operator = OperatorAnswer(allow_null=True, help_text="null where the supplier does not name it")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), "from": PlaceAnswer(logged=True)}


TransferOrderPage = page_of(TransferOrderAnswer)
