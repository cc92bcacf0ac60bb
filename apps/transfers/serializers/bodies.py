"""Transfer bodies (contract §3, Transfers)."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts import clocks
from apps.bookings.serializers import Phone, max_total
from apps.common import clock
from apps.common.zones import is_skipped
from apps.gateway import fields, value_forms
from apps.gateway.declared import days_ahead
from apps.gateway.serializers import Body, checks
from apps.suppliers import airports
from apps.transfers.suppliers.base import LeadPassenger, Passengers, Place, TransferSearch
from apps.transfers.suppliers.clocks import clock_of_outbound

PLACE_TYPES = ["IATA", "HOTEL", "STATION", "PORT", "GEO"]
VEHICLE_CLASSES = ["economy", "comfort", "business", "minivan", "minibus", "shuttle"]
MAX_PARTY = 48
FURTHEST = timedelta(days=730)
LONGEST_RIDE_NUMBER = 64
LOCAL_FORM = {
    "type": "string",
    "pattern": (
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"
    ),
    "example": "2027-02-03T14:30:00",
}


@extend_schema_field(LOCAL_FORM)
class Outbound(fields.LocalDateTime):
    """From yesterday (one day's grace for the time zones) to two years ahead."""

    notation = (
        f"`YYYY-MM-DDTHH:MM` or with seconds, without offset, from yesterday to {FURTHEST.days} days ahead."
    )
    default_error_messages = {
        "past": "must not be in the past",
        "far": f"must be at most {FURTHEST.days} days ahead",
    }

    def to_internal_value(self, data: object) -> datetime:
        moment = super().to_internal_value(data)
        today = clock.today(clocks.here())
        if moment.date() < today - timedelta(days=1):
            self.fail("past")
        if moment.date() > today + FURTHEST:
            self.fail("far")
        return moment


class PlaceCode(fields.Text):
    """The request log keeps it where it is an airport's."""

    form = value_forms.IS_THREE_CAPITALS


class PlaceBody(Body):
    """One end of the drive. `code` names an airport, hotel, station or port; a `GEO` place is named by its coordinates."""

    type = fields.Choice(
        PLACE_TYPES,
        logged=True,
        help_text="What kind of place it is. It decides which other fields are needed.",
    )
    code = PlaceCode(
        required=False,
        printable=True,
        help_text=(
            "Required unless `type` is `GEO`. `IATA`: the airport's three capitals. `HOTEL`: with"
            " a live key the supplier's own number of the hotel, or any code together with "
            "coordinates and an address. `STATION` and `PORT`: the supplier's code."
        ),
        logged=True,
    )
    name = fields.Text(required=False, help_text="The name of the place, for the driver and the voucher.")
    address = fields.Text(
        required=False,
        help_text=(
            "Street and number. With a live key required beside coordinates: the driver has to "
            "find the place."
        ),
    )
    town = fields.Text(
        required=False, help_text="The town or city. With a live key required beside coordinates."
    )
    country = fields.Country(
        required=False, help_text="The country. With a live key required beside coordinates.", logged=True
    )
    zip = fields.Text(
        required=False, help_text="The postal code. With a live key required beside coordinates."
    )
    latitude = fields.Number(
        required=False,
        min_value=-90,
        max_value=90,
        help_text="In degrees; south is negative. Required for `GEO`, and together with `longitude`.",
    )
    longitude = fields.Number(
        required=False,
        min_value=-180,
        max_value=180,
        help_text="In degrees; west is negative. Required for `GEO`, and together with `latitude`.",
    )

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
        if given["type"] == "IATA" and airports.open_to_passengers(given["code"]) is None:
            raise serializers.ValidationError(
                {"code": "is not the IATA code of an airport that is open to passengers"}
            )


class TransferSearchBody(Body):
    """One drive for one party."""

    to = PlaceBody(
        example={"type": "GEO", "name": "Hotel", "latitude": 38.71, "longitude": -9.14},
        logged=True,
        help_text="Where they are driven; another place than `from`.",
    )
    outbound = Outbound(
        help_text=(
            "When they arrive at the airport, station or port that the drive starts from; or, "
            "where it leads to one, when they depart from there. As the clocks at the place show "
            "it:"
        ),
        example=lambda: f"{days_ahead(60)()}T10:00:00",
        logged=True,
    )
    adults = fields.Whole(
        min_value=1,
        max_value=MAX_PARTY,
        example=2,
        logged=True,
        help_text="How many grown-up travellers need a seat.",
    )
    children = fields.Whole(
        min_value=0, max_value=MAX_PARTY, default=0, logged=True, help_text="How many children need a seat."
    )
    infants = fields.Whole(
        min_value=0,
        max_value=MAX_PARTY,
        default=0,
        logged=True,
        help_text=(
            "How many infants come along; they need a seat too. Adults, children and infants: 48 "
            "at most together."
        ),
    )
    vehicleClass = fields.Choice(
        VEHICLE_CLASSES,
        required=False,
        logged=True,
        help_text="Only offers of this class. Left out: all classes.",
    )
    limit = fields.Whole(
        min_value=1,
        max_value=100,
        default=20,
        example=3,
        logged=True,
        help_text="How many offers the answer may have.",
    )

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {
            "from": PlaceBody(
                example={"type": "IATA", "code": "LIS"},
                logged=True,
                help_text="Where the travellers are picked up.",
            ),
            **super().get_fields(),
        }

    @checks("from", "to")
    def lead_elsewhere(self, given: dict[str, Any]) -> None:
        if identity(given["from"]) == identity(given["to"]):
            raise serializers.ValidationError({"to": "must differ from `from`"})

    @checks("from", "to", "outbound")
    def be_at_a_time_that_exists(self, given: dict[str, Any]) -> None:
        """Of a time that exists twice the first is meant."""
        zone = clock_of_outbound(place_of(given["from"]), place_of(given["to"]))
        if is_skipped(given["outbound"], zone):
            raise serializers.ValidationError(
                {"outbound": f"does not exist in {zone}: the clocks go forward over it"}
            )

    @checks("adults", "children", "infants")
    def fit_a_vehicle(self, given: dict[str, Any]) -> None:
        if given["adults"] + given["children"] + given["infants"] > MAX_PARTY:
            raise serializers.ValidationError(
                {"adults": f"must be at most {MAX_PARTY} together with children and infants"}
            )


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
    """The traveller whom the driver meets."""

    firstName = fields.PersonName(example="Ada", help_text="Given name, as the driver's sign shows it.")
    lastName = fields.PersonName(example="Byron", help_text="Family name, as the driver's sign shows it.")
    email = fields.Email(
        example="ada@example.com", help_text="Where the supplier writes to when plans change."
    )
    phone = Phone(
        example="+351210000000",
        help_text="Where the driver calls; best a mobile that is switched on at the pick-up.",
    )


class TransferOrderBody(Body):
    """The offer to order, and for whom. Funds are checked and set aside before the supplier is asked."""

    quoteId = fields.Id(
        example="quote_…",
        logged=True,
        help_text=(
            "The offer to order, `quote_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`."
        ),
    )
    leadPassenger = LeadPassengerBody(logged=True, help_text="The traveller whom the driver meets.")
    flightNumber = fields.Text(
        required=False,
        printable=True,
        max_length=LONGEST_RIDE_NUMBER,
        help_text=(
            "What the travellers arrive or leave with: from or to an airport the flight, such as `TP1363`; a station the "
            "train, such as `AVE3082`; a port the ship and, after a comma, its company, such as `SEASIDE, MSC Cruises`. "
            "Between two of these places both, that of `from` first: `TP1363; AVE3082`. With a live key required wherever "
            "one of these places is, with seven characters at most besides spaces for each flight, train and ship. "
            "Without a station or a port: eight characters at most."
        ),
    )
    notes = fields.Text(required=False, help_text="A note to the driver in plain words.")
    externalReference = fields.ExternalReference()
    maxTotalCents = max_total("order")


def lead_passenger(data: dict[str, Any]) -> LeadPassenger:
    """A validated body's lead passenger as a supplier takes it."""
    lead = data["leadPassenger"]
    return LeadPassenger(lead["firstName"], lead["lastName"], lead["email"], lead["phone"])
