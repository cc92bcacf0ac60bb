"""Transfer bodies and answers (contract §3, Transfers)."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pycountry
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import Phone, PriceAnswer, booking_answer
from apps.common import clock
from apps.gateway import fields
from apps.gateway.serializers import Body, page_of
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


CODE = (
    "Required but for GEO. IATA: three capitals. HOTEL: with a live key the supplier's own number, "
    "or any code with coordinates and an address"
)
ADDRESS = "With a live key required beside coordinates: the driver has to find the place"


class PlaceBody(Body):
    """`code` names an airport, hotel, station or port; GEO is named by its coordinates."""

    type = fields.Choice(PLACE_TYPES)
    code = fields.Text(required=False, printable=True, help_text=CODE)
    name = fields.Text(required=False)
    address = fields.Text(required=False, help_text=ADDRESS)
    town = fields.Text(required=False, help_text=ADDRESS)
    country = Country(required=False, help_text=ADDRESS)
    zip = fields.Text(required=False, help_text=ADDRESS)
    latitude = fields.Number(required=False, min_value=-90, max_value=90, help_text="Required for GEO")
    longitude = fields.Number(required=False, min_value=-180, max_value=180, help_text="Required for GEO")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        needed = ("latitude", "longitude") if attrs["type"] == "GEO" else ("code",)
        missing = {name: f"is required for {attrs['type']}" for name in needed if name not in attrs}
        if ("latitude" in attrs) != ("longitude" in attrs) and not missing:
            lacking = "longitude" if "latitude" in attrs else "latitude"
            missing = {lacking: "must come with the other coordinate"}
        if missing:
            raise serializers.ValidationError(missing)
        if attrs["type"] == "IATA" and airports.find(attrs["code"]) is None:
            raise serializers.ValidationError({"code": "is not the IATA code of an airport"})
        return attrs


@extend_schema_serializer(component_name="SearchTransfersDto")
class TransferSearchBody(Body):
    to = PlaceBody()
    outbound = Outbound(help_text="Local at the place, without offset")
    adults = fields.Whole(min_value=1, max_value=MAX_PARTY)
    children = fields.Whole(min_value=0, max_value=MAX_PARTY, default=0)
    infants = fields.Whole(min_value=0, max_value=MAX_PARTY, default=0)
    vehicleClass = fields.Choice(VEHICLE_CLASSES, required=False)
    limit = fields.Whole(min_value=1, max_value=100, default=20)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"from": PlaceBody(), **super().get_fields()}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if identity(attrs["from"]) == identity(attrs["to"]):
            raise serializers.ValidationError({"to": "must differ from `from`"})
        if attrs["adults"] + attrs["children"] + attrs["infants"] > MAX_PARTY:
            raise serializers.ValidationError({"adults": f"{MAX_PARTY} passengers at most, infants included"})
        return attrs


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
    firstName = fields.Text(printable=True)
    lastName = fields.Text(printable=True)
    email = fields.Email()
    phone = Phone()


class TransferOrderBody(Body):
    quoteId = fields.Text()
    leadPassenger = LeadPassengerBody()
    flightNumber = fields.Text(
        required=False,
        printable=True,
        max_length=8,
        help_text="With a live key required from and to airports, seven characters at most but for spaces",
    )
    notes = fields.Text(required=False, help_text="For the driver")
    externalReference = fields.ExternalReference()
    maxTotalCents = fields.Cents(required=False)


def lead_passenger(data: dict[str, Any]) -> LeadPassenger:
    """A validated body's lead passenger as a supplier takes it."""
    lead = data["leadPassenger"]
    return LeadPassenger(lead["firstName"], lead["lastName"], lead["email"], lead["phone"])


# --- Answers, for the OpenAPI document; `presenters` builds them ----------------------------------------------------
class VehicleAnswer(serializers.Serializer[Any]):
    description = serializers.CharField()
    maxPassengers = serializers.IntegerField(allow_null=True)
    maxBags = serializers.IntegerField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"class": serializers.ChoiceField(VEHICLE_CLASSES), **super().get_fields()}


class PolicyStepAnswer(serializers.Serializer[Any]):
    """Until the first step begins cancelling is free."""

    amountCents = serializers.IntegerField(help_text="What cancelling costs until the next step begins")
    currency = serializers.CharField()

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        begins = serializers.DateTimeField(allow_null=True, help_text="null: from the booking on")
        return {"from": begins, **super().get_fields()}


class WaitingTimeAnswer(serializers.Serializer[Any]):
    """How long one of the two waits at the pick-up."""

    who = serializers.ChoiceField(["driver", "customer"])
    minutes = serializers.IntegerField()


class TransferOfferAnswer(PriceAnswer):
    quoteId = serializers.CharField()
    vehicle = VehicleAnswer()
    durationMinutes = serializers.IntegerField(allow_null=True)
    cancellationPolicy = PolicyStepAnswer(many=True)
    remarks = serializers.ListField(
        child=serializers.CharField(), help_text="Terms that travellers have to be told"
    )
    waitingTimes = WaitingTimeAnswer(many=True)
    expiresAt = serializers.DateTimeField()


class TransferSearchAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    createdAt = serializers.DateTimeField()
    offers = TransferOfferAnswer(many=True)


class PlaceAnswer(serializers.Serializer[Any]):
    type = serializers.ChoiceField(PLACE_TYPES)
    code = serializers.CharField(allow_null=True)
    name = serializers.CharField(allow_null=True)
    address = serializers.CharField(allow_null=True)
    town = serializers.CharField(allow_null=True)
    country = serializers.CharField(allow_null=True)
    zip = serializers.CharField(allow_null=True)
    latitude = serializers.FloatField(allow_null=True)
    longitude = serializers.FloatField(allow_null=True)


class TransferPassengersAnswer(serializers.Serializer[Any]):
    adults = serializers.IntegerField()
    children = serializers.IntegerField()
    infants = serializers.IntegerField()


class LeadPassengerAnswer(serializers.Serializer[Any]):
    firstName = serializers.CharField()
    lastName = serializers.CharField()
    email = serializers.CharField()
    phone = serializers.CharField()


class SettlementAnswer(serializers.Serializer[Any]):
    """Poll while `still_held`: the reconciliation worker resolves it within a minute."""

    funds = serializers.ChoiceField(
        FUNDS,
        help_text="still_held: to be captured. captured: paid. released: came back from the hold (cancelled before its "
        "capture, or failed). refunded: came back after the capture",
    )
    amountCents = serializers.IntegerField(help_text="What is held, was paid, or came back")
    currency = serializers.CharField()
    resolvedAt = serializers.DateTimeField(allow_null=True)


class PickupAnswer(serializers.Serializer[Any]):
    at = serializers.CharField(allow_null=True, help_text="Local at the place, without offset")
    instructions = serializers.CharField()
    emergencyPhone = serializers.CharField(allow_null=True)


class OperatorAnswer(serializers.Serializer[Any]):
    """Belongs on the traveller's voucher."""

    name = serializers.CharField(help_text="Who drives")
    vatNumber = serializers.CharField(allow_null=True)
    invoiceCompany = serializers.CharField(allow_null=True, help_text="The supplier's company that invoices")


class TransferOrderAnswer(booking_answer("pending", "confirmed", "cancelled", "failed")):  # type: ignore[misc]
    orderId = serializers.CharField(help_text="The same as `id`")
    quoteId = serializers.CharField()
    settlement = SettlementAnswer()
    to = PlaceAnswer()
    outbound = serializers.CharField(help_text="Local at the place, without offset")
    passengers = TransferPassengersAnswer()
    vehicle = VehicleAnswer()
    durationMinutes = serializers.IntegerField(allow_null=True)
    leadPassenger = LeadPassengerAnswer()
    flightNumber = serializers.CharField(allow_null=True)
    notes = serializers.CharField(allow_null=True)
    cancellationPolicy = PolicyStepAnswer(many=True)
    remarks = serializers.ListField(
        child=serializers.CharField(), help_text="Terms that travellers have to be told"
    )
    waitingTimes = WaitingTimeAnswer(many=True)
    pickup = PickupAnswer(allow_null=True, help_text="null until the order is confirmed")
    operator = OperatorAnswer(allow_null=True, help_text="null where the supplier does not name it")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), "from": PlaceAnswer()}


TransferOrderPage = page_of(TransferOrderAnswer)
