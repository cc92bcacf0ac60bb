"""Transfer bodies and answers (contract §3, Transfers)."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import (
    Phone,
    PriceAnswer,
    booking_answer,
    cancellation_steps,
    max_total,
    sold_for,
    withheld,
)
from apps.common import clock
from apps.common.zones import is_skipped
from apps.gateway import fields, value_forms
from apps.gateway.declared import days_ahead
from apps.gateway.serializers import AnswerBody, Body, checks, page_of
from apps.suppliers import airports
from apps.transfers.details import FUNDS
from apps.transfers.rules import clock_of_outbound, instant_of_outbound
from apps.transfers.suppliers.base import (
    DIRECTIONS,
    ChosenExtra,
    LeadPassenger,
    Passengers,
    Place,
    TransferSearch,
)

PLACE_TYPES = ["IATA", "HOTEL", "STATION", "PORT", "GEO"]
VEHICLE_CLASSES = ["economy", "comfort", "business", "minivan", "minibus", "shuttle"]
MAX_PARTY = 48
FURTHEST = timedelta(days=730)
LONGEST_RIDE_NUMBER = 160
MOST_OF_ONE = 48
MOST_EXTRAS = 20
LONGEST_CODE = 32
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
        today = clock.today(clock.here())
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
            "Street and number. With a live key required together with coordinates, so that the driver finds the place."
        ),
    )
    town = fields.Text(
        required=False, help_text="The town or city. With a live key required together with coordinates."
    )
    country = fields.Country(
        required=False,
        help_text="The country. With a live key required together with coordinates.",
        logged=True,
    )
    zip = fields.Text(
        required=False, help_text="The postal code. With a live key required together with coordinates."
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
        if given.get("code", "").startswith("plc_"):
            raise serializers.ValidationError({"code": fields.IS_A_PLACE_ID})
        if given["type"] == "IATA" and airports.open_to_passengers(given["code"]) is None:
            raise serializers.ValidationError(
                {"code": "is not the IATA code of an airport that is open to passengers"}
            )


class TransferSearchBody(Body):
    """One drive for one party, or the way there and the way back."""

    locals()["from"] = PlaceBody(  # `from` and `class` are words of Python
        example={"type": "IATA", "code": "LIS"},
        logged=True,
        help_text="Where the travellers are picked up.",
    )
    to = PlaceBody(
        example={"type": "GEO", "name": "Hotel", "latitude": 38.71, "longitude": -9.14},
        logged=True,
        help_text="Where they are driven; must differ from `from`.",
    )
    outbound = Outbound(
        help_text=(
            "When they arrive at the airport or station that the drive starts from; or, if it leads to one, when they depart "
            "from there. From a port, to a port from elsewhere, and between other places: when they wish to be picked up. In "
            "local time:"
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
    inbound = Outbound(
        required=False,
        logged=True,
        since="1.3",
        help_text=(
            "When they are driven back from `to` to `from`: what `outbound` is of the way there, and later. Offers then have "
            "two `legs` and one price. Left out: one way."
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

    @checks("from", "to", "outbound", "inbound")
    def come_back_later(self, given: dict[str, Any]) -> None:
        inbound = given.get("inbound")
        if inbound is None:
            return
        start, end = place_of(given["from"]), place_of(given["to"])
        zone = clock_of_outbound(end, start)
        if is_skipped(inbound, zone):
            raise serializers.ValidationError(
                {"inbound": f"does not exist in {zone}: the clocks go forward over it"}
            )
        there, back = TransferSearch(start, end, given["outbound"], "", inbound=inbound).legs
        if instant_of_outbound(back) <= instant_of_outbound(there):
            raise serializers.ValidationError({"inbound": "must be after `outbound`"})

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
        inbound=data.get("inbound"),
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
        example="ada@example.com", help_text="The address that the supplier writes to when plans change."
    )
    phone = Phone(
        example="+351210000000",
        help_text="The number that the driver calls; ideally a mobile that is switched on at the pick-up.",
    )


@extend_schema_serializer(component_name="TransferExtraInput")
class WantedExtraBody(Body):
    """An extra to order with the ride."""

    code = fields.Text(
        printable=True,
        max_length=LONGEST_CODE,
        help_text="The extra's `code`, from the `extras` of this quote.",
    )
    quantity = fields.Whole(
        min_value=1,
        max_value=MOST_OF_ONE,
        default=1,
        logged=True,
        help_text="How many: from `minQuantity` to `maxQuantity` of the extra.",
    )


class TransferOrderBody(Body):
    """The offer to order, and for whom. Funds are checked and held before the supplier is called."""

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
            "train, such as `AVE3082`; a port the ship and, after a comma, its company if you know it, such as `GRANDIOSA, "
            "MSC Cruises`. Between two of these places both, that of `from` first: `TP1363; AVE3082`. With a live key it is "
            "required if one of these places is involved, with seven characters at most besides spaces for each flight and "
            "train, 50 for a ship and 100 for its company. Without a station or a port: eight characters at most. Of a return "
            "trip: on the way there."
        ),
    )
    inboundFlightNumber = fields.Text(
        required=False,
        printable=True,
        max_length=LONGEST_RIDE_NUMBER,
        since="1.3",
        help_text=(
            "The same of a return trip's way back, where the drive starts from `to`: between two such places that of `to` "
            "comes first. For a quote of one way: 400."
        ),
    )
    extras = fields.Many(
        child=WantedExtraBody(),
        required=False,
        max_length=MOST_EXTRAS,
        logged=True,
        since="1.3",
        help_text=(
            "Extras to order with the ride, each code once. `maxTotalCents` then bounds ride and extras together. Left out: "
            "none."
        ),
    )
    notes = fields.Text(required=False, help_text="A note to the driver in plain words.")
    externalReference = fields.ExternalReference()
    tripReference = fields.TripReference()
    soldForCents = sold_for()
    maxTotalCents = max_total("order")


def lead_passenger(data: dict[str, Any]) -> LeadPassenger:
    """A validated body's lead passenger as a supplier takes it."""
    lead = data["leadPassenger"]
    return LeadPassenger(lead["firstName"], lead["lastName"], lead["email"], lead["phone"])


def chosen_extras(data: dict[str, Any]) -> list[ChosenExtra]:
    """A validated body's extras."""
    return [ChosenExtra(one["code"], one["quantity"]) for one in data.get("extras", ())]


class VehicleAnswer(AnswerBody):
    """The vehicle that an offer is for."""

    locals()["class"] = fields.Choice(
        VEHICLE_CLASSES,
        logged=True,
        help_text="The class that the vehicle is sold as. `shuttle` is shared with other travellers.",
    )
    description = serializers.CharField(help_text="The vehicle in the supplier's words.")
    maxPassengers = fields.Whole(
        allow_null=True,
        logged=True,
        help_text="How many travellers it takes; `null` if the supplier does not provide it.",
    )
    maxBags = fields.Whole(
        allow_null=True,
        logged=True,
        help_text="How many suitcases it takes; `null` if the supplier does not provide it.",
    )


@extend_schema_serializer(component_name="TransferCancellationPolicyStep")
class PolicyStepAnswer(AnswerBody):
    """The cost of cancelling from one instant until the next step begins."""

    locals()["from"] = fields.Instant(
        allow_null=True, help_text="When the step begins; `null`: with the booking.", logged=True
    )
    amountCents = fields.Cents(
        help_text="The penalty from that instant until the next step begins.", logged=True
    )
    currency = fields.Currency(logged=True, help_text="ISO 4217 code of `amountCents`: that of the price.")


class WaitingTimeAnswer(AnswerBody):
    """How long one of the two waits at the pick-up before it counts as missed."""

    who = fields.Choice(
        ["driver", "customer"],
        help_text=(
            "`driver`: how long the driver waits for the travellers. `customer`: how long they "
            "wait for the driver before they call."
        ),
    )
    minutes = serializers.IntegerField(help_text="For how many minutes.")


# --- Fields of an offer that its order repeats.
def duration() -> fields.Whole:
    return fields.Whole(
        allow_null=True,
        logged=True,
        help_text="How long the drive takes, in minutes; `null` if the supplier does not provide it.",
    )


def policy() -> PolicyStepAnswer:
    return PolicyStepAnswer(
        many=True,
        logged=True,
        help_text=(
            "What cancelling costs and from when on, earliest step first. Before the first step it is free."
        ),
    )


def remarks() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(),
        help_text="Terms that travellers must be informed of, in the supplier's words. Empty: none.",
    )


def waiting_times() -> WaitingTimeAnswer:
    return WaitingTimeAnswer(
        many=True,
        help_text=(
            "How long driver and travellers wait for each other at the pick-up. Empty if the supplier does not provide it."
        ),
    )


class PlaceAnswer(AnswerBody):
    """One end of the drive, as in the search."""

    type = fields.Choice(PLACE_TYPES, logged=True, help_text="The kind of place, as in the search.")
    code = serializers.CharField(
        allow_null=True,
        help_text="The code that was searched for; `null` for a place named by its coordinates.",
    )
    name = serializers.CharField(
        allow_null=True, help_text="The name that was sent, or the airport's; `null` if neither is known."
    )
    address = serializers.CharField(
        allow_null=True, help_text="Street and number, as they were sent; `null` if they were not."
    )
    town = serializers.CharField(
        allow_null=True, help_text="The town that was sent, or the airport's; `null` if neither is known."
    )
    country = fields.Country(
        allow_null=True,
        logged=True,
        help_text="The country that was sent, or the airport's; `null` if neither is known.",
    )
    zip = serializers.CharField(
        allow_null=True, help_text="The postal code that was sent; `null` if there was none."
    )
    latitude = serializers.FloatField(
        allow_null=True, help_text="In degrees, as it was sent, south negative; `null` if it was not."
    )
    longitude = serializers.FloatField(
        allow_null=True, help_text="In degrees, as it was sent, west negative; `null` if it was not."
    )


class LegAnswer(AnswerBody):
    """One drive of the journey: the way there, or the way back."""

    direction = fields.Choice(DIRECTIONS, logged=True, help_text="`outbound`: the way there.")
    to = PlaceAnswer(logged=True, help_text="Where this leg leads.")
    at = fields.LocalDateTime(
        logged=True,
        help_text="The `outbound` or `inbound` that was searched for, in local time:",
    )
    pickupAt = serializers.CharField(
        allow_null=True,
        help_text=(
            "When the driver is there, in local time: `YYYY-MM-DDTHH:MM:SS`, without offset. `null`: the supplier names it "
            "later."
        ),
    )
    vehicle = VehicleAnswer(logged=True, help_text="What drives this leg.")
    durationMinutes = duration()
    remarks = remarks()
    waitingTimes = waiting_times()
    locals()["from"] = PlaceAnswer(logged=True, help_text="Where this leg starts.")


@extend_schema_serializer(component_name="TransferOfferLeg")
class OfferLegAnswer(LegAnswer):
    """One drive of an offer: the way there, or the way back."""


@extend_schema_serializer(component_name="TransferExtra")
class ExtraAnswer(AnswerBody):
    """What can be ordered with the drive, such as a child seat. No price includes it yet."""

    code = serializers.CharField(help_text="The extra's code. Send it to order, with this quote alone.")
    name = serializers.CharField(help_text="The extra in the supplier's words.")
    totalCents = fields.Cents(
        logged=True,
        help_text="What one of it costs, on all legs that `directions` names together.",
    )
    currency = fields.Currency(logged=True)
    minQuantity = fields.Whole(logged=True, help_text="How many of it must be ordered at least, if any.")
    maxQuantity = fields.Whole(logged=True, help_text="How many of it can be ordered.")
    directions = serializers.ListField(
        child=serializers.ChoiceField(DIRECTIONS),
        help_text="The legs that it is on. An extra that both legs offer is ordered for both.",
    )


class TransferOfferAnswer(PriceAnswer):
    """A drive at a price for the whole party."""

    quoteId = fields.Id(
        logged=True, help_text="The offer's id, `quote_…`. Send it to order. It is valid until `expiresAt`."
    )
    vehicle = VehicleAnswer(logged=True, help_text="What drives.")
    durationMinutes = duration()
    cancellationPolicy = policy()
    cancellationSteps = cancellation_steps("the order", "cancellationPolicy")
    remarks = remarks()
    waitingTimes = waiting_times()
    expiresAt = fields.Instant(
        logged=True,
        help_text=(
            "Until when the offer can be ordered: for 20 minutes at most. From then on 410 `offer_expired`."
        ),
    )
    legs = OfferLegAnswer(
        many=True,
        since="1.3",
        help_text=(
            "The way there and, of a return trip, the way back. Price and terms cover both together; `vehicle`, "
            "`durationMinutes`, `remarks` and `waitingTimes` next to them are those of the way there."
        ),
    )
    extras = ExtraAnswer(
        many=True, since="1.3", help_text="What can be ordered with it. Empty: the supplier offers nothing."
    )


@extend_schema_serializer(component_name="TransferSearchResponse")
class TransferSearchAnswer(AnswerBody):
    """The offers that a search found."""

    id = fields.Id(logged=True, help_text="The search's id, `tsr_…`, for your records and for support.")
    createdAt = fields.Instant(logged=True, help_text="When the search was first made.")
    offers = TransferOfferAnswer(
        many=True, help_text="What is sold for this drive, `limit` at most. Empty: nothing was found."
    )
    withheld = withheld("offers")


class TransferPassengersAnswer(AnswerBody):
    """The number of passengers by type."""

    adults = fields.Whole(logged=True, help_text="How many grown-up travellers the price covers.")
    children = fields.Whole(logged=True, help_text="How many children the price covers.")
    infants = fields.Whole(logged=True, help_text="How many infants the price covers.")


class LeadPassengerAnswer(AnswerBody):
    """The traveller whom the driver meets."""

    firstName = serializers.CharField(help_text="Given name, as it was sent.")
    lastName = serializers.CharField(help_text="Family name, as it was sent.")
    email = serializers.CharField(help_text="The address that the supplier writes to.")
    phone = serializers.CharField(help_text="The number that the driver calls, in E.164.")


class SettlementAnswer(AnswerBody):
    """The order's money. Read the order again while `funds` is `still_held`: that takes less than a minute."""

    funds = fields.Choice(
        FUNDS,
        help_text=(
            "`still_held`: will be captured. `captured`: paid. `released`: no longer held, because the order was cancelled "
            "before its capture or failed. `refunded`: refunded after the capture."
        ),
    )
    amountCents = fields.Cents(
        help_text="The amount held, paid, released or refunded, according to `funds`.", logged=True
    )
    currency = fields.Currency(logged=True, help_text="ISO 4217 code of `amountCents`: that of the order.")
    resolvedAt = fields.Instant(
        allow_null=True,
        logged=True,
        help_text="When the funds left the hold; `null` while they are `still_held`.",
    )


class PickupAnswer(AnswerBody):
    """Where and when the driver waits."""

    at = serializers.CharField(
        allow_null=True,
        help_text=(
            "When the driver is there, in local time: `YYYY-MM-DDTHH:MM:SS`, without offset. `null`: the supplier names it "
            "later."
        ),
    )
    instructions = serializers.CharField(
        help_text="Where the driver waits, in the supplier's words; empty until it is known."
    )
    emergencyPhone = serializers.CharField(
        allow_null=True,
        help_text="The number to call when the driver cannot be found; `null` without one.",
    )


class OperatorAnswer(AnswerBody):
    """Who drives and who invoices. It belongs on the traveller's voucher."""

    name = serializers.CharField(help_text="The company that drives.")
    vatNumber = serializers.CharField(allow_null=True, help_text="Its VAT number; `null` if not provided.")
    invoiceCompany = serializers.CharField(
        allow_null=True, help_text="The supplier's company that issues the invoice; `null` if not provided."
    )


@extend_schema_serializer(component_name="TransferOrderLeg")
class OrderLegAnswer(LegAnswer):
    """One drive of an order: the way there, or the way back."""

    flightNumber = serializers.CharField(
        allow_null=True,
        help_text="The flight, train or ship that was sent for this leg; `null` if there was none.",
    )
    pickup = PickupAnswer(
        allow_null=True,
        help_text="Where and when the driver waits; `null` until the order is confirmed.",
    )
    operator = OperatorAnswer(
        allow_null=True,
        help_text="Who drives; `null` if the supplier does not name it, and until the order is confirmed.",
    )


@extend_schema_serializer(component_name="TransferOrderExtra")
class OrderExtraAnswer(AnswerBody):
    """What was ordered with the drive."""

    code = serializers.CharField(help_text="The extra's code, as it was quoted.")
    name = serializers.CharField(help_text="The extra in the supplier's words.")
    quantity = fields.Whole(logged=True, help_text="How many of it were ordered.")
    totalCents = fields.Cents(
        logged=True, help_text="What all of `quantity` cost, a part of the order's `totalCents`."
    )
    currency = fields.Currency(logged=True)
    directions = serializers.ListField(
        child=serializers.ChoiceField(DIRECTIONS), help_text="The legs that it is on."
    )


class TransferOrderAnswer(booking_answer("pending", "awaiting_approval", "confirmed", "cancelled", "failed")):  # type: ignore[misc]
    """A drive that was ordered, with its money and its driver."""

    orderId = fields.Id(help_text="The same as `id`.", logged=True)
    quoteId = fields.Id(logged=True, help_text="The offer that was ordered, `quote_…`.")
    settlement = SettlementAnswer(logged=True, help_text="What happened to the held funds.")
    to = PlaceAnswer(logged=True, help_text="Where they are driven, as in the search.")
    outbound = fields.LocalDateTime(help_text="The time that was searched for, in local time:", logged=True)
    passengers = TransferPassengersAnswer(logged=True, help_text="How many people the order is for.")
    vehicle = VehicleAnswer(logged=True, help_text="The vehicle that was ordered.")
    durationMinutes = duration()
    leadPassenger = LeadPassengerAnswer(logged=True, help_text="The traveller whom the driver meets.")
    flightNumber = serializers.CharField(
        allow_null=True, help_text="The flight, train or ship that was sent; `null` if there was none."
    )
    notes = serializers.CharField(allow_null=True, help_text="The note to the driver; `null` for none.")
    cancellationPolicy = policy()
    cancellationSteps = cancellation_steps("the order", "cancellationPolicy")
    remarks = remarks()
    waitingTimes = waiting_times()
    pickup = PickupAnswer(
        allow_null=True, help_text="Where and when the driver waits; `null` until the order is confirmed."
    )
    operator = OperatorAnswer(
        allow_null=True,
        help_text=(
            "Who drives, for the voucher; `null` if the supplier does not name it, and until the order is confirmed."
        ),
    )
    inbound = fields.LocalDateTime(
        allow_null=True,
        since="1.3",
        logged=True,
        help_text="The time of the way back that was searched for, in local time; `null`: one way.",
    )
    inboundFlightNumber = fields.Text(
        allow_null=True,
        since="1.3",
        help_text="The flight, train or ship of the way back that was sent; `null` if there was none.",
    )
    legs = OrderLegAnswer(
        many=True,
        since="1.3",
        help_text=(
            "The way there and, of a return trip, the way back. `vehicle`, `durationMinutes`, `remarks`, `waitingTimes` and "
            "`pickup` next to them are those of the way there."
        ),
    )
    extras = OrderExtraAnswer(
        many=True,
        since="1.3",
        help_text="What was ordered with the drive; `totalCents` includes it. Empty: nothing.",
    )
    locals()["from"] = PlaceAnswer(
        logged=True, help_text="Where the travellers are picked up, as in the search."
    )


TransferOrderPage = page_of(TransferOrderAnswer)
