"""Flight bodies (contract §3, Flights)."""

from datetime import date, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.accounts import clocks
from apps.bookings.serializers import ContactBody, max_total
from apps.bookings.trade_rules import CHILD_AGES
from apps.common import clock
from apps.flights.suppliers.base import FlightSearch, Passenger, Passengers
from apps.gateway import fields, value_forms
from apps.gateway.declared import days_ahead
from apps.gateway.serializers import Body, checks
from apps.suppliers import airports

CABINS = ["economy", "premium_economy", "business", "first"]
MAX_PASSENGERS = 9
KINDS = ("adults", "children", "infants")
FURTHEST = timedelta(days=361)


class Airport(fields.Text):
    """An IATA airport code in capitals, of an airport that is open to passengers."""

    notation = "IATA code in capitals, such as `LIS`."
    pattern = "^[A-Z]{3}$"
    form = value_forms.IS_THREE_CAPITALS

    default_error_messages = {"unknown": "is not the IATA code of an airport that is open to passengers"}

    def to_internal_value(self, data: object) -> str:
        code = super().to_internal_value(data)
        if airports.open_to_passengers(code) is None:
            self.fail("unknown")
        return code


class TravelDay(fields.Day):
    """A day from yesterday (one day's grace for the time zones) to a year ahead, as airlines sell."""

    notation = f"`YYYY-MM-DD`, from yesterday to {FURTHEST.days} days ahead, counted in UTC."
    default_error_messages = {
        "past": "must not be in the past",
        "far": f"must be at most {FURTHEST.days} days ahead",
    }

    def to_internal_value(self, data: object) -> date:
        day = super().to_internal_value(data)
        today = clock.today(clocks.here())
        if day < today - timedelta(days=1):
            self.fail("past")
        if day > today + FURTHEST:
            self.fail("far")
        return day


@extend_schema_serializer(component_name="FlightPassengerCountsInput")
class PassengersBody(Body):
    """How many people travel, by age on the day that the last leg departs."""

    adults = fields.Whole(
        min_value=1,
        max_value=MAX_PASSENGERS,
        default=1,
        logged=True,
        help_text="How many travellers pay an adult's fare: 12 years old or older when the last leg departs.",
    )
    children = fields.Whole(
        min_value=0,
        max_value=MAX_PASSENGERS,
        default=0,
        logged=True,
        help_text=(
            "How many travellers pay a child's fare: 2 to 11 years old when the last leg departs. Adults and "
            "children need 9 seats at most."
        ),
    )
    infants = fields.Whole(
        min_value=0,
        max_value=MAX_PASSENGERS,
        default=0,
        logged=True,
        help_text=(
            "How many travellers are younger than 2 when the last leg departs and sit on an adult's lap: at most "
            "one for each adult."
        ),
    )

    childrenAges = fields.Many(
        child=fields.Whole(min_value=CHILD_AGES[0], max_value=CHILD_AGES[-1]),
        max_length=MAX_PASSENGERS,
        required=False,
        since="1.2",
        help_text=(
            "How old each of the `children` is on the day that the last leg departs: as many ages as "
            "children. Fares differ by it, and an order is refused whose children are of other ages. "
            "Left out: fares for children of any age."
        ),
    )

    @checks("children", "childrenAges")
    def have_an_age_each(self, given: dict[str, Any]) -> None:
        if "childrenAges" in given and len(given["childrenAges"]) != given["children"]:
            raise serializers.ValidationError(
                {"childrenAges": "must have as many ages as there are children"}
            )

    @checks("adults", "children")
    def have_seats(self, given: dict[str, int]) -> None:
        if given["adults"] + given["children"] > MAX_PASSENGERS:
            raise serializers.ValidationError(f"must have at most {MAX_PASSENGERS} adults and children")

    @checks("adults", "infants")
    def have_laps(self, given: dict[str, int]) -> None:
        if given["infants"] > given["adults"]:
            raise serializers.ValidationError({"infants": "must be at most 1 for each adult"})


class FlightSearchBody(Body):
    """A journey one way, or out and back."""

    origin = Airport(example="LHR", logged=True, help_text="The airport to leave from.")
    destination = Airport(
        example="JFK", logged=True, help_text="The airport to arrive at; another one than `origin`."
    )
    departureDate = TravelDay(
        example=days_ahead(60), logged=True, help_text="The day of departure, in the zone of `origin`."
    )
    returnDate = TravelDay(
        required=False,
        logged=True,
        help_text="The day of the flight back, not before `departureDate`. Left out: one way only.",
    )
    passengers = PassengersBody(required=False, logged=True, help_text="Who travels. Left out: one adult.")
    cabin = fields.Choice(CABINS, default="economy", logged=True, help_text="The cabin class to look for.")
    maxConnections = fields.Whole(
        min_value=0,
        max_value=3,
        required=False,
        logged=True,
        help_text=(
            "How often one may change planes on each way; 0 is non-stop. Left out: as often as "
            "the airlines sell it."
        ),
    )
    limit = fields.Whole(
        min_value=1,
        max_value=100,
        default=20,
        example=3,
        logged=True,
        help_text="How many offers the answer may have; the cheapest are kept.",
    )

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
        passengers=party(data.get("passengers", {})),
        cabin=data["cabin"],
        max_connections=data.get("maxConnections"),
        limit=data["limit"],
        currency=currency,
    )


def party(counts: dict[str, Any]) -> Passengers:
    ages = tuple(counts.get("childrenAges", ()))
    return Passengers(**{name: counts[name] for name in KINDS if name in counts}, children_ages=ages)


class PassengerBody(Body):
    """Somebody who flies."""

    title = fields.Choice(
        ["mr", "ms", "mrs", "miss", "dr"],
        required=False,
        example="ms",
        help_text="The form of address. Required with a live key.",
    )
    gender = fields.Choice(
        ["m", "f"],
        required=False,
        help_text=(
            "`m` or `f`, as in the passport. Left out: as the title tells. With a live key it is "
            "required beside the title `dr`."
        ),
    )
    firstName = fields.PersonName(example="Ada", help_text="Given names, as in the passport.")
    lastName = fields.PersonName(example="Byron", help_text="Family name, as in the passport.")
    dateOfBirth = fields.Day(
        example="1990-12-10",
        help_text=(
            "The day of birth, from 1900-01-01 to today. On the day that the last leg departs an adult is 12 years old "
            "or older, a child 2 to 11, an infant younger than 2."
        ),
    )
    type = fields.Choice(
        ["adult", "child", "infant"],
        example="adult",
        logged=True,
        help_text="The kind that this passenger was searched for as.",
    )

    def validate_dateOfBirth(self, day: date) -> date:
        if not date(1900, 1, 1) <= day <= clock.today(clocks.here()):
            raise serializers.ValidationError("must be a day from 1900 to today")
        return day

    @checks("title")
    def have_title_with_live_key(self, given: dict[str, Any]) -> None:
        place = clocks.here()
        if place is not None and place.environment == "live" and "title" not in given:
            raise serializers.ValidationError({"title": "is required with a live key"})


class FlightOrderBody(Body):
    """The offer to order, and for whom. Funds are checked and set aside before the airline is asked."""

    offerId = fields.Id(
        example="offer_…",
        logged=True,
        help_text=(
            "The offer to order, `offer_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`."
        ),
    )
    passengers = fields.Many(
        child=PassengerBody(),
        min_length=1,
        max_length=2 * MAX_PASSENGERS,
        logged=True,
        help_text="Everybody who flies: as many of each kind as were searched for.",
    )
    contact = ContactBody(logged=True, help_text="How the airline reaches the passengers.")
    externalReference = fields.ExternalReference()
    maxTotalCents = max_total("order")


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
    """A leg that takes the place of another."""

    origin = Airport(example="LHR", logged=True, help_text="The airport that the new leg leaves from.")
    destination = Airport(
        example="JFK",
        logged=True,
        help_text="The airport that the new leg arrives at; another one than `origin`.",
    )
    departureDate = TravelDay(
        example=days_ahead(67),
        logged=True,
        help_text="The day on which the new leg leaves, in the zone of `origin`.",
    )

    @checks("origin", "destination")
    def lead_elsewhere(self, given: dict[str, Any]) -> None:
        refuse_standing_still(given)


class FlightChangeOptionsBody(Body):
    """One leg of the order, and what is to be flown in its place. Nothing is changed yet."""

    removeSliceId = fields.Id(
        example="slice_…",
        logged=True,
        help_text=(
            "The leg of the order to replace: a `sliceId` of its `slices`. One that is not on the order: 400."
        ),
    )
    add = AddedSliceBody(logged=True, help_text="The leg to fly in its place.")


@extend_schema_serializer(component_name="FlightChangeRequest")
class ConfirmFlightChangeBody(Body):
    """The option to buy. What it costs is set aside before the airline is asked."""

    changeId = fields.Id(
        example="change_…",
        logged=True,
        help_text=(
            "The option to buy, `change_…`, 20 minutes old at most. An older or unknown one: 410 "
            "`offer_expired`."
        ),
    )


class AcceptScheduleChangeBody(Body):
    """Nothing: send `{}` or no body."""
