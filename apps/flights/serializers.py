"""Flight bodies and answers (contract §3, Flights)."""

import re
from datetime import date, time, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import (
    AirlineCreditAnswer,
    ContactBody,
    DayAhead,
    PriceAnswer,
    booking_answer,
    cancellation_steps,
    max_total,
    sold_for,
    withheld,
)
from apps.bookings.trade_rules import CHILD_AGES
from apps.common import clock
from apps.flights.itinerary import ACTIONS, STATUSES
from apps.flights.rules import MOST_GROUND_KM, slice_objections
from apps.flights.services.list_services import Wanted
from apps.flights.suppliers.base import (
    DOCUMENT_TYPES,
    EMD_ASSOCIATED,
    EMD_STANDALONE,
    PASSPORT,
    PRICE,
    SORTS,
    TICKET,
    UNKNOWN_ACCOUNT,
    WIFI,
    DepartureWindow,
    FlightSearch,
    IdentityDocument,
    LoyaltyAccount,
    Passenger,
    Passengers,
    PrivateFare,
    SearchSlice,
)
from apps.gateway import fields
from apps.gateway.declared import OF_ANY, days_ahead
from apps.gateway.serializers import AnswerBody, Body, checks, page_of
from apps.suppliers import airports, cities

CABINS = ["economy", "premium_economy", "business", "first"]
MAX_PASSENGERS = 9
MAX_SERVICES = 200
MOST_OF_ONE = 99
KINDS = ("adults", "children", "infants")
MOST_ACCOUNTS = 8
FURTHEST_EXPIRY = timedelta(days=36_525)
TRAVELLER_NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{4,24}")
DOCUMENTS = [TICKET, EMD_ASSOCIATED, EMD_STANDALONE]
FURTHEST = timedelta(days=361)
MAX_SLICES = 6
MAX_AIRLINES = 20
MAX_CODE = 64
ONE_WAY = ("origin", "destination", "departureDate")


class Airport(fields.Airport):
    """Of an airport that is open to passengers."""

    default_error_messages = {"unknown": "is not the IATA code of an airport that is open to passengers"}

    def to_internal_value(self, data: object) -> str:
        code = super().to_internal_value(data)
        if airports.open_to_passengers(code) is None:
            self.fail("unknown")
        return code


class Place(Airport):
    """An airport that is open to passengers, or a city: `LON` is any airport of London."""

    default_error_messages = {
        "unknown": "is not the IATA code of an airport that is open to passengers, or of a city with such airports"
    }
    notation_in_request = "IATA code in capitals: an airport's, such as `LIS`, or a city's, such as `LON`."

    def to_internal_value(self, data: object) -> str:
        code = fields.Airport.to_internal_value(self, data)
        if not cities.open_to_passengers(code):
            self.fail("unknown")
        return code


class TravelDay(DayAhead):
    """A day from yesterday (one day's grace for the time zones) to a year ahead, as airlines sell."""

    furthest = FURTHEST
    notation = f"`YYYY-MM-DD`, from yesterday to {FURTHEST.days} days ahead, counted in UTC."


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
            "How old each of the `children` is on the day that the last leg departs: as many ages as children. Fares depend "
            "on it, and an order whose children have other ages is rejected. Left out: fares for children of any age."
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


class DepartBetweenBody(Body):
    """From when to when the first flight of a slice may depart, in the airport's local time; both ends are included."""

    to = fields.TimeOfDay(
        required=False, logged=True, since="1.3", help_text="The latest time of departure. Left out: `23:59`."
    )

    def get_fields(self) -> dict[str, Any]:
        """`from` is a word of Python's."""
        earliest = fields.TimeOfDay(
            required=False,
            logged=True,
            since="1.3",
            help_text="The earliest time of departure. Left out: `00:00`.",
        )
        return {"from": earliest, **super().get_fields()}

    @checks("from", "to")
    def be_in_order(self, given: dict[str, Any]) -> None:
        if "from" in given and "to" in given and given["to"] < given["from"]:
            raise serializers.ValidationError({"to": "must not be before `from`"})


class SearchSliceBody(Body):
    """One part of a journey, from one place to another on a day."""

    origin = Place(logged=True, since="1.3", help_text="The airport or city to leave from.")
    destination = Place(
        logged=True, since="1.3", help_text="The airport or city to arrive at; must differ from `origin`."
    )
    departureDate = TravelDay(
        logged=True,
        since="1.3",
        help_text="The day of departure, in the zone of `origin`; not before the slice before it can have arrived.",
    )
    departBetween = DepartBetweenBody(
        required=False,
        logged=True,
        since="1.3",
        help_text="When the slice may depart on that day. Left out: at any time.",
    )

    @checks("origin", "destination")
    def lead_elsewhere(self, given: dict[str, Any]) -> None:
        refuse_standing_still(given)


class AirlinesBody(Body):
    """Which airlines to look for: `include` or `exclude`."""

    include = fields.Many(
        child=fields.Airline(logged=True),
        min_length=1,
        max_length=MAX_AIRLINES,
        required=False,
        logged=True,
        since="1.3",
        help_text="Only offers that are sold by these airlines, and whose flights all are.",
    )
    exclude = fields.Many(
        child=fields.Airline(logged=True),
        min_length=1,
        max_length=MAX_AIRLINES,
        required=False,
        logged=True,
        since="1.3",
        help_text="No offer that is sold by one of these airlines, or of which a flight is.",
    )

    @checks("include", "exclude")
    def choose_one(self, given: dict[str, Any]) -> None:
        if ("include" in given) is ("exclude" in given):
            raise serializers.ValidationError("must have either include or exclude")


class PrivateFareBody(Body):
    """An agreement with an airline, by its codes: at least one of the two."""

    airline = fields.Airline(logged=True, since="1.3", help_text="The airline that the agreement is with.")
    corporateCode = fields.Text(
        required=False,
        printable=True,
        max_length=MAX_CODE,
        since="1.3",
        help_text="The code of a company or an agency at the airline.",
    )
    tourCode = fields.Text(
        required=False,
        printable=True,
        max_length=MAX_CODE,
        since="1.3",
        help_text="The code of a tour or of an airline's programme for companies.",
    )

    @checks("corporateCode", "tourCode")
    def have_a_code(self, given: dict[str, Any]) -> None:
        if not given.keys() & {"corporateCode", "tourCode"}:
            raise serializers.ValidationError("must have a corporateCode or a tourCode")


class FlightSearchBody(Body):
    """A journey one way, out and back, or of up to six slices: `origin`, `destination` and `departureDate`, or `slices`."""

    origin = Place(
        required=False,
        example="LHR",
        logged=True,
        help_text="The airport or city to leave from. Required without `slices`.",
    )
    destination = Place(
        required=False,
        example="JFK",
        logged=True,
        help_text="The airport or city to arrive at; must differ from `origin`. Required without `slices`.",
    )
    departureDate = TravelDay(
        required=False,
        example=days_ahead(60),
        logged=True,
        help_text="The day of departure, in the zone of `origin`. Required without `slices`.",
    )
    returnDate = TravelDay(
        required=False,
        logged=True,
        help_text="The day of the flight back, not before `departureDate`. Left out: one way only.",
    )
    slices = fields.Many(
        child=SearchSliceBody(logged=True),
        min_length=1,
        max_length=MAX_SLICES,
        required=False,
        logged=True,
        since="1.3",
        help_text=(
            "The journey in parts, in their order, in place of the four fields above. A part may begin elsewhere than the one "
            f"before it ends: in the same country, or within {MOST_GROUND_KM:,} km."
        ),
    )
    passengers = PassengersBody(required=False, logged=True, help_text="Who travels. Left out: one adult.")
    cabin = fields.Choice(CABINS, default="economy", logged=True, help_text="The cabin class to look for.")
    maxConnections = fields.Whole(
        min_value=0,
        max_value=3,
        required=False,
        logged=True,
        help_text="How often one may change planes on each way; 0 is non-stop. Left out: no limit.",
    )
    airlines = AirlinesBody(
        required=False, logged=True, since="1.3", help_text="Which airlines to look for. Left out: all."
    )
    privateFares = fields.Many(
        child=PrivateFareBody(logged=True),
        min_length=1,
        max_length=MAX_AIRLINES,
        required=False,
        logged=True,
        since="1.3",
        help_text=(
            "Agreements with airlines, one for each airline at most. Airlines do not check the codes: a wrong code has no "
            "effect, and `privateFares` of an offer shows which ones applied."
        ),
    )
    sort = fields.Choice(
        SORTS,
        default=PRICE,
        logged=True,
        since="1.3",
        help_text=(
            "The order of the offers, and which of them `limit` keeps: the cheapest, those with the shortest `slices` together, "
            "or those that depart first."
        ),
    )
    limit = fields.Whole(
        min_value=1,
        max_value=100,
        default=20,
        example=3,
        logged=True,
        help_text="How many offers the answer may have; the first by `sort` are kept.",
    )
    includeDocumentOffers = fields.Flag(
        default=False,
        since="1.3",
        help_text=(
            "Whether to include offers that require an identity document of every passenger. Otherwise they are left out and "
            "counted in `withheld.documentsRequired`."
        ),
    )

    @checks("slices")
    def have_one_form(self, given: dict[str, Any]) -> None:
        """Either the slices, or the fields of a journey there and back. Of the latter what is wrong was sent, too."""
        if "slices" in given:
            both = "must not be sent together with slices"
            faults = {name: both for name in (*ONE_WAY, "returnDate") if name in given}
        else:
            faults = {name: OF_ANY["required"] for name in ONE_WAY if name not in given}
        if faults:
            raise serializers.ValidationError(faults)

    @checks("slices")
    def have_slices_in_order(self, given: dict[str, Any]) -> None:
        slices = [_slice_of(one) for one in given.get("slices", ())]
        faults: list[dict[str, list[str]]] = [{} for _ in slices]
        for place, field, message in slice_objections(slices):
            faults[place][field] = [message]
        if any(faults):
            raise serializers.ValidationError({"slices": faults})

    @checks("privateFares")
    def have_one_agreement_with_each_airline(self, given: dict[str, Any]) -> None:
        named = [fare["airline"] for fare in given.get("privateFares", ())]
        faults = [
            {"airline": ["must not be named twice"]} if airline in named[:place] else {}
            for place, airline in enumerate(named)
        ]
        if any(faults):
            raise serializers.ValidationError({"privateFares": faults})

    @checks("origin", "destination")
    def lead_elsewhere(self, given: dict[str, Any]) -> None:
        if given.keys() >= {"origin", "destination"}:
            refuse_standing_still(given)

    @checks("departureDate", "returnDate")
    def return_later(self, given: dict[str, Any]) -> None:
        if given.keys() >= {"departureDate", "returnDate"} and given["returnDate"] < given["departureDate"]:
            raise serializers.ValidationError({"returnDate": "must not be before departureDate"})


def refuse_standing_still(given: dict[str, Any]) -> None:
    """Raises ValidationError for a place to itself, and for a city to an airport of its own."""
    origin, destination = (cities.airports_at(given[end]) for end in ("origin", "destination"))
    if not set(origin).isdisjoint(destination):
        raise serializers.ValidationError({"destination": "must differ from origin"})


def search_request(data: dict[str, Any], currency: str) -> FlightSearch:
    """A validated body as the question to a supplier."""
    airlines = data.get("airlines", {})
    return FlightSearch(
        slices=tuple(map(_slice_of, data["slices"])) if "slices" in data else _there_and_back(data),
        passengers=party(data.get("passengers", {})),
        cabin=data["cabin"],
        max_connections=data.get("maxConnections"),
        limit=data["limit"],
        currency=currency,
        airlines=tuple(airlines.get("include", ())),
        airlines_left_out=tuple(airlines.get("exclude", ())),
        sort=data["sort"],
        private_fares=tuple(
            PrivateFare(fare["airline"], fare.get("corporateCode"), fare.get("tourCode"))
            for fare in data.get("privateFares", ())
        ),
        include_document_offers=data["includeDocumentOffers"],
    )


def _slice_of(data: dict[str, Any]) -> SearchSlice:
    window = data.get("departBetween")
    names = {"from": "earliest", "to": "latest"}
    return SearchSlice(
        data["origin"],
        data["destination"],
        data["departureDate"],
        window and DepartureWindow(**{names[end]: time.fromisoformat(at) for end, at in window.items()}),
    )


def _there_and_back(data: dict[str, Any]) -> tuple[SearchSlice, ...]:
    origin, destination = data["origin"], data["destination"]
    out = SearchSlice(origin, destination, data["departureDate"])
    if "returnDate" not in data:
        return (out,)
    return out, SearchSlice(destination, origin, data["returnDate"])


def party(counts: dict[str, Any]) -> Passengers:
    ages = tuple(counts.get("childrenAges", ()))
    return Passengers(**{name: counts[name] for name in KINDS if name in counts}, children_ages=ages)


class TravellerNumber(fields.Text):
    """A number that is a traveller's own: never logged, and never in an error."""

    notation = "5 to 25 letters, digits and hyphens."
    pattern = f"^{TRAVELLER_NUMBER.pattern}$"
    default_error_messages = {"form": "must have 5 to 25 letters, digits and hyphens"}

    def to_internal_value(self, data: object) -> str:
        number = super().to_internal_value(data)
        if not TRAVELLER_NUMBER.fullmatch(number):
            self.fail("form")
        return number


class ExpiryDay(DayAhead):
    """The last day on which a document is valid: from yesterday (one day's grace for the time zones) to a century ahead."""

    furthest = FURTHEST_EXPIRY
    notation = f"`YYYY-MM-DD`, from yesterday to {FURTHEST_EXPIRY.days} days ahead, counted in UTC."


def refuse_twice(given: list[dict[str, Any]], list_name: str, member: str) -> None:
    """Raises ValidationError at each item whose `member` an earlier item has."""
    seen: set[str] = set()
    faults: list[dict[str, list[str]]] = []
    for item in given:
        faults.append({member: ["must not be given twice"]} if item[member] in seen else {})
        seen.add(item[member])
    if any(faults):
        raise serializers.ValidationError({list_name: faults})


@extend_schema_serializer(component_name="FlightIdentityDocumentInput")
class IdentityDocumentBody(Body):
    """A document of a passenger."""

    type = fields.Choice(
        DOCUMENT_TYPES,
        logged=True,
        since="1.3",
        help_text="What it is: one of the `documentTypes` of the offer's `requirements`, each at most once for a passenger.",
    )
    number = TravellerNumber(
        since="1.3",
        help_text="Its number. It is stored encrypted and read back as its last four characters.",
    )
    issuingCountry = fields.Country(since="1.3", help_text="The country that issued it.")
    expiresOn = ExpiryDay(
        required=False,
        since="1.3",
        help_text=(
            "The last day on which it is valid; not before the last day of the journey, at the place. Required for a `passport`."
        ),
    )

    @checks("type", "expiresOn")
    def have_an_end(self, given: dict[str, Any]) -> None:
        if given["type"] == PASSPORT and "expiresOn" not in given:
            raise serializers.ValidationError({"expiresOn": "is required for a passport"})


@extend_schema_serializer(component_name="FlightLoyaltyAccountInput")
class LoyaltyAccountBody(Body):
    """A passenger's account of an airline's loyalty programme."""

    airline = fields.Airline(
        since="1.3",
        help_text=(
            "Whose programme it is: one of the offer's `loyaltyProgrammes`, each at most once for a passenger. Any other is "
            "rejected, because suppliers would ignore it."
        ),
    )
    number = TravellerNumber(
        since="1.3",
        help_text=(
            "The number of the account. It is stored encrypted and read back as its last four characters. With a test key "
            f"`{UNKNOWN_ACCOUNT}` is one that no airline knows: 400, and nothing is booked."
        ),
    )


class PassengerBody(Body):
    """A person who flies."""

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
            "`m` or `f`, as in the passport. Left out: derived from the title. With a live key it is required together with "
            "the title `dr`."
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
    identityDocuments = fields.Many(
        child=IdentityDocumentBody(),
        max_length=len(DOCUMENT_TYPES),
        required=False,
        logged=True,
        since="1.3",
        help_text=(
            "Documents, one of each type at most. An offer whose `requirements.identityDocument` is `required` needs one of "
            "every passenger, infants included."
        ),
    )
    loyaltyAccounts = fields.Many(
        child=LoyaltyAccountBody(),
        max_length=MOST_ACCOUNTS,
        required=False,
        since="1.3",
        help_text="Accounts of loyalty programmes of the offer's `loyaltyProgrammes`, one of each airline at most.",
    )

    def validate_dateOfBirth(self, day: date) -> date:
        if not date(1900, 1, 1) <= day <= clock.today(clock.here()):
            raise serializers.ValidationError("must be a day from 1900 to today")
        return day

    @checks("title")
    def have_title_with_live_key(self, given: dict[str, Any]) -> None:
        place = clock.here()
        if place is not None and place.environment == "live" and "title" not in given:
            raise serializers.ValidationError({"title": "is required with a live key"})

    @checks("identityDocuments")
    def have_one_of_each_type(self, given: dict[str, Any]) -> None:
        refuse_twice(given.get("identityDocuments", []), "identityDocuments", "type")

    @checks("loyaltyAccounts")
    def have_one_account_of_each_airline(self, given: dict[str, Any]) -> None:
        refuse_twice(given.get("loyaltyAccounts", []), "loyaltyAccounts", "airline")


@extend_schema_serializer(component_name="FlightServiceInput")
class WantedServiceBody(Body):
    """A bag or a seat to buy."""

    serviceId = fields.Id(
        logged=True,
        help_text=(
            "The service's id, `service_…`, from the services or the seat maps of this offer or order."
        ),
    )
    quantity = fields.Whole(
        min_value=1,
        max_value=MOST_OF_ONE,
        default=1,
        logged=True,
        help_text="How many: `maxQuantity` of the service at most.",
    )


def wanted_services(**more: Any) -> Any:
    return fields.Many(child=WantedServiceBody(), max_length=MAX_SERVICES, logged=True, since="1.3", **more)


def services_wanted(data: dict[str, Any]) -> list[Wanted]:
    """A validated body's services."""
    return [Wanted(one["serviceId"], one["quantity"]) for one in data.get("services", ())]


class AddServicesBody(Body):
    """Bags to add to an order."""

    services = wanted_services(
        min_length=1, example=[{"serviceId": "service_…"}], help_text="What to buy, each service once."
    )
    maxTotalCents = fields.Cents(
        required=False,
        logged=True,
        since="1.3",
        help_text=(
            "The most that these services may cost together. Left out: what they were listed at. If the price is higher: 409 "
            "`price_changed`, and nothing is bought."
        ),
    )


class FlightOrderBody(Body):
    """The offer to order, and for whom. Funds are checked and held before the airline is called."""

    offerId = fields.Id(
        example="offer_…",
        logged=True,
        help_text="The offer to order, `offer_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`.",
    )
    passengers = fields.Many(
        child=PassengerBody(),
        min_length=1,
        max_length=2 * MAX_PASSENGERS,
        logged=True,
        help_text="All passengers: as many of each type as in the search.",
    )
    contact = ContactBody(logged=True, help_text="How the airline reaches the passengers.")
    externalReference = fields.ExternalReference()
    tripReference = fields.TripReference()
    soldForCents = sold_for()
    maxTotalCents = max_total("order")
    services = wanted_services(
        required=False,
        help_text=(
            "Bags and seats to buy with the fare, each service once. `maxTotalCents` then bounds fare and services together. "
            "Left out: none."
        ),
    )
    hold = fields.Flag(
        default=False,
        since="1.3",
        help_text=(
            "`true`: the seats are kept until `payBy`, and the order is paid later by `pay`. The balance must cover the "
            "total, but no funds are held. Only offers that are `holdable`, and without `services`; others: 400."
        ),
    )

    @checks("hold")
    def hold_the_fare_alone(self, given: dict[str, Any]) -> None:
        if given["hold"] and given.get("services"):
            raise serializers.ValidationError({"services": "must be left out of an order on hold"})


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
            identity_documents=tuple(
                IdentityDocument(one["type"], one["number"], one["issuingCountry"], one.get("expiresOn"))
                for one in passenger.get("identityDocuments", ())
            ),
            loyalty_accounts=tuple(
                LoyaltyAccount(one["airline"], one["number"]) for one in passenger.get("loyaltyAccounts", ())
            ),
        )
        for passenger in data["passengers"]
    )


@extend_schema_serializer(component_name="FlightSliceInput")
class AddedSliceBody(Body):
    """A leg that replaces another."""

    origin = Airport(example="LHR", logged=True, help_text="The airport that the new leg leaves from.")
    destination = Airport(
        example="JFK",
        logged=True,
        help_text="The airport that the new leg arrives at; must differ from `origin`.",
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
        help_text="The leg of the order to replace: a `sliceId` of its `slices`. One that is not on the order: 400.",
    )
    add = AddedSliceBody(logged=True, help_text="The leg to fly in its place.")


@extend_schema_serializer(component_name="FlightChangeRequest")
class ConfirmFlightChangeBody(Body):
    """The option to buy. The cost is held before the airline is called."""

    changeId = fields.Id(
        example="change_…",
        logged=True,
        help_text="The option to buy, `change_…`, 20 minutes old at most. An older or unknown one: 410 `offer_expired`.",
    )


class PayFlightOrderBody(Body):
    """Every field is optional; an empty object pays the order's `totalCents`."""

    maxTotalCents = max_total("payment", quoted="the order's `totalCents`", nothing="paid")


class AcceptScheduleChangeBody(Body):
    """Nothing: send `{}` or no body."""


class AirportTime(fields.Instant):
    """A date-time as the clocks at the airport show it."""

    notation = "RFC 3339, in the airport's own zone with its offset, such as `2027-02-03T14:30:00+01:00`."


class CarrierAnswer(AnswerBody):
    """An airline, by its code and its name."""

    code = serializers.CharField(
        help_text="The airline's IATA code, such as `TP`; `YY`, which means any airline, if it has none."
    )
    name = serializers.CharField(help_text="The airline's name for people to read.")


class SellingCarrierAnswer(CarrierAnswer):
    """The airline that sells the journey and issues its tickets."""

    conditionsOfCarriageUrl = fields.Text(
        allow_null=True,
        max_length=2_048,
        since="1.3",
        help_text="Where the airline publishes its conditions of carriage, an `https` address; `null` if unknown.",
    )


class OperatingCarrierAnswer(AnswerBody):
    """The airline whose plane and crew fly."""

    code = serializers.CharField(
        allow_blank=True, help_text="The airline's IATA code, such as `TP`; an empty text if it has none."
    )
    name = serializers.CharField(help_text="The airline's name for people to read.")


class BaggageAnswer(AnswerBody):
    """The baggage that each passenger of a type may take for the fare, on every flight of the journey."""

    passengerType = fields.Choice(
        ["adult", "child", "infant"], logged=True, since="1.2", help_text="Whose baggage it is."
    )
    cabin = fields.Whole(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text="Pieces of hand baggage; `null` if the airline does not provide it.",
    )
    checked = fields.Whole(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text="Pieces of checked baggage; `null` if the airline does not provide it.",
    )


class FareCents(fields.Cents):
    """An amount of a fare's terms, which name no currency of their own."""

    notation = "In minor units of the price's currency."


class ConditionsAnswer(AnswerBody):
    """What the fare allows."""

    refundable = serializers.BooleanField(help_text="Whether a cancellation gives money back.")
    changeable = serializers.BooleanField(
        help_text="Whether a leg can be replaced by another. Each change option has the cost."
    )
    penaltyCents = FareCents(
        allow_null=True,
        logged=True,
        help_text=(
            "The part of the total that cancelling costs: all of it if the fare is not refundable; `null` if the airline does "
            "not provide it."
        ),
    )


class StopAnswer(AnswerBody):
    """A landing on the way. The flight continues under the same number."""

    airport = fields.Airport(logged=True, since="1.3", help_text="Where the plane lands.")
    arrivalAt = AirportTime(
        allow_null=True, logged=True, since="1.3", help_text="When it lands; `null` if unknown."
    )
    departureAt = AirportTime(
        allow_null=True, logged=True, since="1.3", help_text="When it departs again; `null` if unknown."
    )
    durationMinutes = fields.Whole(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text="How long it stays there, in minutes; `null` if unknown.",
    )


class AmenitiesAnswer(AnswerBody):
    """What the cabin of a flight has."""

    wifi = fields.Choice(
        WIFI,
        allow_null=True,
        logged=True,
        since="1.3",
        help_text="`none`, or its price; `available` if the price is not known. `null` if unknown.",
    )
    power = fields.Flag(
        allow_null=True, since="1.3", help_text="Whether the seats have power; `null` if unknown."
    )
    seatPitch = fields.Text(
        allow_null=True,
        since="1.3",
        help_text=(
            "The distance between seat rows in the airline's words, mostly inches, such as `31`; `null` if unknown."
        ),
    )
    legroom = fields.Text(
        allow_null=True,
        since="1.3",
        help_text="In the airline's words, such as `less`, `standard` or `more`; `null` if unknown.",
    )


class SliceConditionsAnswer(AnswerBody):
    """What the fare includes on a leg; `null` if the airline does not provide it."""

    advanceSeatSelection = fields.Flag(
        allow_null=True, since="1.3", help_text="Whether seats can be chosen ahead without a charge."
    )
    priorityBoarding = fields.Flag(
        allow_null=True, since="1.3", help_text="Whether the travellers board first."
    )
    priorityCheckIn = fields.Flag(
        allow_null=True, since="1.3", help_text="Whether the travellers check in at a desk of their own."
    )


class SegmentAnswer(AnswerBody):
    """One flight of a leg, without a change of planes."""

    segmentId = fields.Id(
        logged=True,
        since="1.3",
        help_text="The flight's id, `segment_…`: bags and seats name their flights by it.",
    )
    origin = fields.Airport(logged=True, help_text="The airport that the plane leaves from.")
    destination = fields.Airport(logged=True, help_text="The airport that the plane arrives at.")
    departureAt = AirportTime(logged=True, help_text="When the plane leaves `origin`.")
    arrivalAt = AirportTime(logged=True, help_text="When the plane arrives at `destination`.")
    durationMinutes = fields.Whole(logged=True, help_text="From departure to arrival, in minutes.")
    carrier = CarrierAnswer(help_text="The airline that sells the flight.")
    flightNumber = serializers.CharField(
        help_text="The airline's code and the number together, such as `TP1363`."
    )
    operatingCarrier = OperatingCarrierAnswer(
        allow_null=True,
        since="1.2",
        help_text=(
            "The airline whose plane flies, which travellers must be informed of if it differs from `carrier`; `null` if "
            "unknown."
        ),
    )
    aircraft = fields.Text(
        allow_null=True,
        since="1.2",
        help_text="The aircraft type, such as `Airbus A320`; `null` if unknown.",
    )
    originTerminal = fields.Text(
        allow_null=True,
        since="1.2",
        help_text="The terminal that the plane leaves from; `null` if the airport has only one, or if it is unknown.",
    )
    destinationTerminal = fields.Text(
        allow_null=True,
        since="1.2",
        help_text="The terminal that the plane arrives at; `null` if the airport has only one, or if it is unknown.",
    )
    operatingFlightNumber = fields.Text(
        allow_null=True,
        since="1.3",
        help_text=(
            "The number under which `operatingCarrier` flies it, its code included where it has one, such as `LH1170`; "
            "`null` if unknown."
        ),
    )
    cabin = fields.Choice(
        CABINS,
        allow_null=True,
        logged=True,
        since="1.3",
        help_text=(
            "The cabin class on this flight, which may differ from the one searched for; the lowest where passengers have "
            "different ones; `null` if unknown."
        ),
    )
    distanceKm = fields.Whole(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text="The distance in kilometres; `null` if unknown.",
    )
    stops = StopAnswer(
        many=True,
        logged=True,
        since="1.3",
        help_text=(
            "Where the plane lands on the way, in order. Empty: non-stop, as far as the airline reports."
        ),
    )
    amenities = AmenitiesAnswer(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text="What the cabin has, the lowest where passengers have different ones; `null` if unknown.",
    )


class SliceAnswer(AnswerBody):
    """One leg of the journey, from where it begins to where it ends."""

    sliceId = fields.Id(
        logged=True,
        help_text="The leg's id, `slice_…`. Send it as `removeSliceId` to replace the leg of an order.",
    )
    origin = fields.Airport(logged=True, help_text="The airport that the leg begins at.")
    destination = fields.Airport(logged=True, help_text="The airport that the leg ends at.")
    departureAt = AirportTime(logged=True, help_text="When the leg's first plane leaves.")
    arrivalAt = AirportTime(logged=True, help_text="When the leg's last plane arrives.")
    durationMinutes = fields.Whole(
        logged=True, help_text="The whole leg in minutes, waits between planes included."
    )
    segments = SegmentAnswer(
        many=True,
        logged=True,
        help_text="The leg's flights in the order in which they are flown. One: no change of planes.",
    )
    conditions = SliceConditionsAnswer(
        logged=True, since="1.3", help_text="What the fare includes on this leg."
    )


def fare_brand() -> Any:
    return fields.Text(
        allow_null=True,
        since="1.2",
        help_text=(
            "The airline's name for the fare, such as `Economy Light`; for legs under two brands both, such as `Light / "
            "Flex`; `null` if it has no name."
        ),
    )


def included_baggage() -> Any:
    return BaggageAnswer(
        many=True,
        logged=True,
        since="1.2",
        help_text="What the fare includes, once for each type of passenger. Empty: unknown.",
    )


@extend_schema_serializer(component_name="FlightPrivateFare")
class AppliedFareAnswer(AnswerBody):
    """An agreement with an airline that an offer is priced by."""

    type = fields.Choice(
        ["corporate", "leisure", "negotiated"],
        logged=True,
        since="1.3",
        help_text="What kind of agreement it is.",
    )
    corporateCode = serializers.CharField(
        allow_null=True, help_text="The code that the airline knows; `null` if it names none."
    )


def price_guaranteed_until() -> Any:
    return fields.Instant(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text=(
            "Until when the price of an order on hold stays as it is; after that the price may change. `null` if the airline "
            "keeps the seats but not the price, or nothing is on hold."
        ),
    )


@extend_schema_serializer(component_name="FlightOfferRequirements")
class RequirementsAnswer(AnswerBody):
    """What an order of the offer needs for each passenger besides name and age."""

    identityDocument = fields.Choice(
        ["none", "required"],
        logged=True,
        since="1.3",
        help_text=(
            "`required`: every passenger, infants included, needs a document; only searched for with `includeDocumentOffers`. "
            "`none`: it can be ordered without."
        ),
    )
    documentTypes = serializers.ListField(
        child=fields.Choice(DOCUMENT_TYPES),
        help_text=(
            "The types of `identityDocuments` that an order may have; others are refused. Empty: none. Where one is required, a "
            "`passport` or `tax_id` is meant if either is listed."
        ),
    )


class FlightOfferAnswer(PriceAnswer):
    """A journey at a price for all passengers together."""

    offerId = fields.Id(
        logged=True,
        help_text=(
            "The offer's id, `offer_…`. Send it to order, or read the offer to check its price again. It is valid until "
            "`expiresAt`."
        ),
    )
    expiresAt = fields.Instant(
        logged=True,
        help_text="Until when the offer can be ordered: for 20 minutes at most. From then on 410 `offer_expired`.",
    )
    carrier = SellingCarrierAnswer(help_text="The airline that sells the offer and issues the tickets.")
    cabin = fields.Choice(
        CABINS, logged=True, help_text="The cabin class that was searched for. Each segment has its own."
    )
    conditions = ConditionsAnswer(logged=True, help_text="What can be done with the order afterwards.")
    cancellationSteps = cancellation_steps("the order", "conditions")
    fareBrand = fare_brand()
    baseCents = fields.Cents(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text="The part of `totalCents` that is fare. With `taxCents` it is the total; `null` if unknown.",
    )
    taxCents = fields.Cents(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text="The part of `totalCents` that is taxes and charges; `null` if unknown.",
    )
    co2Kg = fields.Whole(
        allow_null=True,
        logged=True,
        since="1.2",
        help_text=(
            "Estimated carbon dioxide emissions of all passengers' flights, in kilograms; `null` if unknown."
        ),
    )
    baggage = included_baggage()
    privateFares = AppliedFareAnswer(
        many=True,
        logged=True,
        since="1.3",
        help_text="The agreements that the price is by. Empty: none applies.",
    )
    holdable = fields.Flag(
        since="1.3",
        help_text="Whether it can be ordered with `hold`, and paid later. `false`: it has to be paid at once.",
    )
    priceGuaranteedUntil = price_guaranteed_until()
    payBy = fields.Instant(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text="Until when an order of it on hold can be paid; `null` if it cannot be held.",
    )
    requirements = RequirementsAnswer(
        logged=True, since="1.3", help_text="What an order needs for each passenger."
    )
    loyaltyProgrammes = fields.Many(
        child=serializers.CharField(),
        since="1.3",
        help_text="The IATA codes of the airlines of whose loyalty programmes an order may name accounts. Empty: none.",
    )
    slices = SliceAnswer(
        many=True, logged=True, help_text="The legs of the journey, one for each slice that was searched for."
    )


@extend_schema_serializer(component_name="RepricedFlightOffer")
class RepricedOfferAnswer(FlightOfferAnswer):
    """An offer at the airline's current price, which is the quoted price from now on."""

    previousTotalCents = fields.Cents(logged=True, help_text="What the whole offer cost before this call.")
    priceChanged = serializers.BooleanField(
        help_text=(
            "Whether `totalCents` differs from `previousTotalCents`. It is the price of the offer from now on."
        )
    )


@extend_schema_serializer(component_name="FlightSearchResponse")
class FlightSearchAnswer(AnswerBody):
    """The offers that a search found."""

    id = fields.Id(
        logged=True, help_text="The search's id, `fsr_…`. Use it to read the search again for 24 hours."
    )
    createdAt = fields.Instant(logged=True, help_text="When the search was first made.")
    offers = FlightOfferAnswer(
        many=True,
        help_text="What the airlines sell, in the order of `sort`, `limit` at most. Empty: nothing was found.",
    )
    withheld = withheld("offers")


@extend_schema_serializer(component_name="FlightIdentityDocument")
class IdentityDocumentAnswer(AnswerBody):
    """A document of a passenger. Its full number is never returned."""

    type = fields.Choice(DOCUMENT_TYPES, logged=True, since="1.3", help_text="What kind of document it is.")
    numberLastFour = serializers.CharField(help_text="The last four characters of its number.")
    issuingCountry = serializers.CharField(
        help_text="The ISO 3166-1 alpha-2 code of the country that issued it, such as `GB`."
    )
    expiresOn = serializers.DateField(
        allow_null=True, help_text="The last day on which it is valid; `null` if none was sent."
    )


@extend_schema_serializer(component_name="FlightLoyaltyAccount")
class LoyaltyAccountAnswer(AnswerBody):
    """An account of an airline's loyalty programme. Its full number is never returned."""

    airline = serializers.CharField(help_text="The IATA code of the airline whose programme it is.")
    numberLastFour = serializers.CharField(help_text="The last four characters of its number.")


@extend_schema_serializer(component_name="FlightPassenger")
class OrderPassengerAnswer(AnswerBody):
    """A person who flies."""

    title = serializers.CharField(allow_null=True, help_text="The form of address; `null` if none was sent.")
    gender = serializers.CharField(allow_null=True, help_text="`m` or `f`; `null` if none was sent.")
    firstName = serializers.CharField(help_text="Given names, as they were sent.")
    lastName = serializers.CharField(help_text="Family name, as it was sent.")
    dateOfBirth = serializers.DateField(help_text="The day of birth, `YYYY-MM-DD`.")
    type = fields.Choice(
        ["adult", "child", "infant"],
        logged=True,
        help_text="Whether the fare is an adult's, a child's or an infant's.",
    )
    identityDocuments = IdentityDocumentAnswer(
        many=True, since="1.3", help_text="The documents that were sent. Empty: none."
    )
    loyaltyAccounts = LoyaltyAccountAnswer(
        many=True, since="1.3", help_text="The accounts of loyalty programmes that were sent. Empty: none."
    )


class ContactAnswer(AnswerBody):
    """How the airline reaches the passengers."""

    email = serializers.CharField(help_text="The e-mail address that the airline was given.")
    phone = serializers.CharField(help_text="The phone number that the airline was given, in E.164.")


@extend_schema_serializer(component_name="FlightChange")
class FlightChangeRecord(AnswerBody):
    """A change of the order that was confirmed."""

    changeId = fields.Id(logged=True, help_text="The option that you confirmed, `change_…`.")
    differenceCents = fields.Cents(
        logged=True, help_text="What the change cost, penalty included; negative: it was refunded to you."
    )
    currency = fields.Currency(logged=True, help_text="ISO 4217 code of `differenceCents`, such as `EUR`.")
    settled = serializers.BooleanField(
        help_text="Whether its money has moved. `false`: it moves shortly, without a further call."
    )
    settledAt = fields.Instant(
        allow_null=True, logged=True, help_text="When its money moved; `null` until then."
    )
    createdAt = fields.Instant(logged=True, help_text="When the airline confirmed the change.")


@extend_schema_serializer(component_name="FlightScheduleChange")
class ScheduleChangeAnswer(AnswerBody):
    """A schedule change by the airline."""

    changeId = fields.Id(logged=True, help_text="The change's id, `schedule_…`. Use it to accept the change.")
    detectedAt = fields.Instant(logged=True, help_text="When we learned of it.")
    respondBy = fields.Instant(
        allow_null=True,
        logged=True,
        help_text="The airline's deadline for a response; `null`: it has named none.",
    )
    before = SliceAnswer(
        many=True, help_text="The affected legs as they were. Other legs of the order are left out."
    )
    after = SliceAnswer(
        many=True,
        help_text=(
            "The same legs as the airline flies them now, under the same `sliceId`. Empty: they are no longer flown."
        ),
    )
    status = fields.Choice(
        STATUSES,
        logged=True,
        help_text=(
            "`open`: not accepted yet. `accepted`: by you or at the airline. `superseded`: replaced by a later change of the "
            "same legs, by the airline or by you."
        ),
    )
    acceptedAt = fields.Instant(
        allow_null=True, logged=True, help_text="When it was accepted; `null` if it was not."
    )
    availableActions = serializers.ListField(
        child=fields.Choice(ACTIONS),
        help_text=(
            "What you can do now: `accept` it, `change` the order, `cancel` it, or `contact_us`. Empty if it is no longer "
            "open."
        ),
    )


@extend_schema_serializer(component_name="FlightOrderDocument")
class IssuedDocumentAnswer(AnswerBody):
    """A ticket, or the airline's receipt for an extra."""

    type = fields.Choice(
        DOCUMENTS,
        logged=True,
        since="1.3",
        help_text=(
            "`electronic_ticket`: a ticket. `emd_associated`: the receipt of a bag or a seat (electronic miscellaneous "
            "document) that belongs to a ticket. `emd_standalone`: one that belongs to no ticket."
        ),
    )
    number = serializers.CharField(
        help_text="The airline's number of it. It need not be unique, and differs after a change."
    )
    passenger = fields.Whole(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text=(
            "The passenger: an index into `passengers`, from 0; `null` if the airline names none, or several."
        ),
    )


SERVICE_KINDS = ["checked_bag", "carry_on_bag", "seat"]


class ServiceAnswer(AnswerBody):
    """A bag or a seat."""

    kind = fields.Word(
        SERVICE_KINDS,
        logged=True,
        help_text="What it is. New kinds may be added.",
    )
    sliceIds = serializers.ListField(
        child=fields.Id(), help_text="The slices that it is for, in the order in which they are flown."
    )
    segmentIds = serializers.ListField(child=fields.Id(), help_text="The flights that it is for.")
    totalCents = fields.Cents(logged=True, help_text="What it costs, for all its flights.")
    currency = fields.Currency(logged=True, help_text="ISO 4217 code of `totalCents`, such as `EUR`.")
    weightKg = fields.Whole(
        allow_null=True,
        logged=True,
        help_text=(
            "What a bag may weigh, in kilograms; `null` for a seat, and if the airline does not provide it."
        ),
    )
    designator = serializers.CharField(
        allow_null=True, help_text="The seat's row and letter, such as `12C`; `null` for a bag."
    )


@extend_schema_serializer(component_name="FlightService")
class OfferedServiceAnswer(ServiceAnswer):
    """A bag or a seat that can be bought. `totalCents` is the price of one."""

    serviceId = fields.Id(
        logged=True,
        help_text=(
            "The service's id, `service_…`. Send it with the order, or to add it to the order. It is valid as long as the offer; "
            "of an order for 20 minutes."
        ),
    )
    passenger = fields.Whole(
        logged=True,
        help_text=(
            "The passenger. Of an offer: the index, from 0, in the party of the search: adults first, then children, then "
            "infants. The order's adults take the adults' places in the order in which you send them; so do children and "
            "infants, and if the search had `childrenAges`, a child takes the first place of their age. Of an order: the "
            "index into its `passengers`."
        ),
    )
    maxQuantity = fields.Whole(logged=True, help_text="How many of it can be bought.")


@extend_schema_serializer(component_name="FlightServicesResponse")
class ServicesAnswer(AnswerBody):
    """What can be bought in addition to the fare."""

    services = OfferedServiceAnswer(
        many=True,
        help_text=(
            "Bags, and seats that the airline lists without a map; other seats are in the seat maps. Bags of several weights "
            "are alternatives: one for each passenger and flight. Empty: the airline sells none here."
        ),
    )


class SeatServiceAnswer(AnswerBody):
    """A seat for one passenger."""

    passenger = fields.Whole(help_text="The passenger, as in the services of the offer.")
    serviceId = fields.Id(help_text="The id to order it by, `service_…`.")
    totalCents = fields.Cents(help_text="What the seat costs; 0: it is free.")
    currency = fields.Currency(help_text="ISO 4217 code of `totalCents`, such as `EUR`.")


class SeatElementAnswer(AnswerBody):
    """A part of a row."""

    type = fields.Word(
        ["seat", "empty", "exit_row", "bassinet", "lavatory", "galley", "closet", "stairs"],
        help_text="What it is. New types may be added: draw them as `empty`.",
    )
    designator = serializers.CharField(
        allow_null=True, help_text="The seat's row and letter, such as `12C`; `null` for what is no seat."
    )
    disclosures = serializers.ListField(
        child=serializers.CharField(), help_text="What the traveller must be shown, in English."
    )
    services = SeatServiceAnswer(
        many=True,
        help_text=("The passengers it can be bought for. Empty: it is taken, not sold, or not a seat."),
    )


class SeatSectionAnswer(AnswerBody):
    """The part of a row between two aisles."""

    elements = SeatElementAnswer(many=True, help_text="From left to right. Empty: nothing is there.")


class SeatRowAnswer(AnswerBody):
    """A row of seats, or one of exits, galleys and lavatories."""

    sections = SeatSectionAnswer(many=True, help_text="From left to right, with an aisle between two.")


class SeatCabinAnswer(AnswerBody):
    """A cabin of a plane, row by row."""

    cabin = fields.Choice(CABINS, help_text="The class of its seats.")
    rows = SeatRowAnswer(many=True, help_text="From front to back; some have no seat.")


class SeatMapAnswer(AnswerBody):
    """The cabins of one flight."""

    segmentId = fields.Id(logged=True, help_text="The flight, as the offer's segments name it.")
    cabins = SeatCabinAnswer(many=True, help_text="From front to back.")


@extend_schema_serializer(component_name="FlightSeatMapsResponse")
class SeatMapsAnswer(AnswerBody):
    """The seats of an offer's flights."""

    seatMaps = SeatMapAnswer(
        many=True,
        help_text=(
            "One for each flight that has a seat map. Empty: the airline provides none, and seats are assigned at check-in."
        ),
    )


@extend_schema_serializer(component_name="FlightOrderService")
class OrderServiceAnswer(ServiceAnswer):
    """A bag or a seat of an order. `totalCents` is the price of all of `quantity`, and a part of the order's."""

    serviceId = fields.Id(
        allow_null=True,
        logged=True,
        help_text="The id that it was bought by, `service_…`; `null` if the airline added it.",
    )
    passenger = fields.Whole(
        allow_null=True,
        logged=True,
        help_text="The passenger: an index into `passengers`; `null` if the airline does not provide it.",
    )
    quantity = fields.Whole(logged=True, help_text="How many of it were bought.")


class FlightOrderAnswer(
    booking_answer("pending", "awaiting_approval", "on_hold", "ticketed", "cancelled", "failed")  # type: ignore[misc]
):
    """A journey that was ordered, as it stands now."""

    offerId = fields.Id(logged=True, help_text="The offer that was ordered, `offer_…`.")
    pnr = serializers.CharField(
        allow_null=True,
        help_text=(
            "The airline's booking code, which passengers check in with; `null` until the airline has made it."
        ),
    )
    ticketNumbers = serializers.ListField(
        child=serializers.CharField(),
        help_text="The numbers of the issued tickets. Empty until the airline has issued them.",
    )
    documents = IssuedDocumentAnswer(
        many=True,
        logged=True,
        since="1.3",
        help_text=(
            "What the airline has issued. Empty until it has, for an airline that issues no tickets, and once the travellers "
            "were erased."
        ),
    )
    carrier = SellingCarrierAnswer(help_text="The airline that issued the tickets.")
    cabin = fields.Choice(
        CABINS, logged=True, help_text="The cabin class that was ordered. Each segment has its own."
    )
    conditions = ConditionsAnswer(logged=True, help_text="What can be done with the order now.")
    cancellationSteps = cancellation_steps("the order", "conditions")
    payBy = fields.Instant(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text="Until when the order on hold can be paid; `null` if it was not on hold, or is paid.",
    )
    priceGuaranteedUntil = price_guaranteed_until()
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
    airlineCredits = AirlineCreditAnswer(
        many=True,
        logged=True,
        since="1.3",
        help_text=(
            "Credit that the airline issued to the travellers of a cancelled order in place of money. Empty: none, and once "
            "the travellers were erased."
        ),
    )
    changes = FlightChangeRecord(
        many=True, help_text="The changes that you confirmed, oldest first. Empty: none."
    )
    scheduleChanges = ScheduleChangeAnswer(
        many=True,
        since="1.2",
        help_text="Schedule changes by the airline, oldest first. `slices` already has them. Empty: none.",
    )
    services = OrderServiceAnswer(
        many=True,
        since="1.3",
        help_text="The bags and seats that were bought, as the airline has them now. Empty: none.",
    )
    servicesLost = OrderServiceAnswer(
        many=True,
        since="1.3",
        help_text=(
            "Bags and seats lost through a change of the order: the airline no longer has them. Empty: none."
        ),
    )


FlightOrderPage = page_of(FlightOrderAnswer)


class ChangeOptionAnswer(AnswerBody):
    """A leg that can replace another, and the cost."""

    changeId = fields.Id(
        logged=True,
        help_text="The option's id, `change_…`. Send it to confirm the change. It is valid until `expiresAt`.",
    )
    differenceCents = fields.Cents(
        help_text="What the change costs in all, penalty included; negative: it is refunded to you.",
        logged=True,
    )
    currency = fields.Currency(
        logged=True, help_text="ISO 4217 code of this option's amounts: that of the order."
    )
    newTotalCents = fields.Cents(logged=True, help_text="What the order costs in all after the change.")
    penaltyCents = fields.Cents(
        logged=True, help_text="The airline's fee for changing. It is part of `differenceCents`."
    )
    expiresAt = fields.Instant(
        logged=True,
        help_text="Until when the option can be confirmed: for 20 minutes at most. From then on 410 `offer_expired`.",
    )
    slice = SliceAnswer(help_text="The leg as it would be flown.")


@extend_schema_serializer(component_name="FlightChangeOptionsWithheld")
class OptionsWithheldAnswer(AnswerBody):
    """How many options the airline named that are not offered, and why."""

    outOfOrder = fields.Whole(logged=True, help_text="Their times overlap another slice of the order.")
    noLongerSold = fields.Whole(logged=True, help_text="They have departed.")
    unsupported = fields.Whole(
        logged=True,
        help_text="They have no price in the order's currency, or the airline would keep what they save.",
    )
    unreadable = fields.Whole(logged=True, help_text="The airline's data of them is malformed.")


@extend_schema_serializer(component_name="FlightChangeOptionsResponse")
class ChangeOptionsAnswer(AnswerBody):
    """What an order can be changed to."""

    orderId = fields.Id(logged=True, help_text="The order to change, `ford_…`.")
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

    orderId = fields.Id(logged=True, help_text="The order that was changed, `ford_…`.")
    changeId = fields.Id(logged=True, help_text="The option that was confirmed, `change_…`.")
    status = fields.Choice(
        ["ticketed"], logged=True, help_text="Always `ticketed`: the tickets are reissued."
    )
    differenceCents = fields.Cents(
        logged=True, help_text="What the change cost, penalty included; negative: it is refunded to you."
    )
    currency = fields.Currency(
        logged=True, help_text="ISO 4217 code of `differenceCents`: that of the order."
    )
    settled = serializers.BooleanField(
        help_text=(
            "`true`: the money has moved. `false`: the ticket is reissued and the money is refunded shortly; do not call "
            "again."
        )
    )
    order = FlightOrderAnswer(logged=True, help_text="The whole order as it stands after the change.")
