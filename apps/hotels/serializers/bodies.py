"""Hotel bodies (contract §3, Hotels)."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from rest_framework import serializers

from apps.accounts import clocks
from apps.bookings.serializers import ContactBody, max_total
from apps.common import clock
from apps.gateway import fields, value_forms
from apps.gateway.declared import days_ahead
from apps.gateway.serializers import Body, checks
from apps.hotels.services.book import Party
from apps.hotels.suppliers.base import Area, Guest, Room, StaySearch
from apps.keys.partner import Partner

MAX_ROOMS = 8
MAX_ADULTS = 6  # in one room
MAX_CHILDREN = 4  # in one room
OLDEST_CHILD = 17
MAX_NIGHTS = 30
MAX_GUESTS = MAX_ROOMS * (MAX_ADULTS + MAX_CHILDREN)
MAX_HOTEL_IDS = 100
FURTHEST = timedelta(days=540)
DEFAULT_LEAD = timedelta(days=30)
ONE_NIGHT = timedelta(days=1)
MAX_RADIUS_KM = 100
DEFAULT_RADIUS_KM = 10


class HotelId(fields.Text):
    """A hotel's id, which may be a supplier's number."""

    form = value_forms.IS_HOTEL_ID


class StayDay(fields.Day):
    """A day from yesterday (one day's grace for the time zones) to a year and a half ahead."""

    notation = f"`YYYY-MM-DD`, from yesterday to {FURTHEST.days} days ahead, counted in UTC."
    default_error_messages = {
        "past": "must not be in the past",
        "far": f"must be at most {FURTHEST.days} days ahead",
    }

    def to_internal_value(self, data: object) -> date:
        day = super().to_internal_value(data)
        today = clock.today(clocks.here())
        if day < today - ONE_NIGHT:
            self.fail("past")
        if day > today + FURTHEST:
            self.fail("far")
        return day


class DestinationBody(Body):
    """Where to look by name. Give a city, a country or both."""

    city = fields.PlaceName(
        required=False,
        logged=True,
        example="Lisbon",
        help_text=(
            "The city's name, such as `Lisbon`. Send `countryCode` as well where there are "
            "several of that name, or where the city is small."
        ),
    )
    countryCode = fields.Country(
        required=False,
        logged=True,
        help_text="The country to look in. Without `city`: hotels anywhere in it.",
    )


class LocationBody(Body):
    """A circle on the map."""

    latitude = fields.Number(
        min_value=-90, max_value=90, help_text="Of the circle's centre, in degrees; south is negative."
    )
    longitude = fields.Number(
        min_value=-180, max_value=180, help_text="Of the circle's centre, in degrees; west is negative."
    )
    radiusKm = fields.Number(
        min_value=0.1,
        max_value=MAX_RADIUS_KM,
        default=DEFAULT_RADIUS_KM,
        logged=True,
        help_text="How far from the centre a hotel may lie, in kilometres.",
    )


class RoomBody(Body):
    """Who sleeps in one room. An empty object: two adults."""

    adults = fields.Whole(
        min_value=1,
        max_value=MAX_ADULTS,
        default=2,
        example=2,
        logged=True,
        help_text="How many adults sleep in this room.",
    )
    childrenAges = fields.Many(
        child=fields.Whole(min_value=0, max_value=OLDEST_CHILD),
        max_length=MAX_CHILDREN,
        default=list,
        help_text=(
            "The age in whole years of each child in this room, one entry a child. Empty: no children."
        ),
    )


class HotelSearchBody(Body):
    """Every field is optional. Where several say where, a hotel must satisfy all of them."""

    destination = DestinationBody(required=False, logged=True, help_text="A city or a country to look in.")
    hotelIds = fields.Many(
        child=HotelId(),
        min_length=1,
        max_length=MAX_HOTEL_IDS,
        required=False,
        logged=True,
        help_text="Hotels to look at, by the `hotelId` of an earlier answer.",
    )
    location = LocationBody(required=False, logged=True, help_text="A circle on the map to look in.")
    checkIn = StayDay(
        required=False,
        example=days_ahead(30),
        logged=True,
        help_text=(
            "The day of arrival. Left out: the day before `checkOut`, or 30 days ahead where that"
            " is left out too."
        ),
    )
    checkOut = StayDay(
        required=False,
        example=days_ahead(32),
        logged=True,
        help_text=(
            "The day of departure, after `checkIn`, 30 nights later at most. Left out: the day "
            "after `checkIn`."
        ),
    )
    rooms = fields.Many(
        child=RoomBody(),
        min_length=1,
        max_length=MAX_ROOMS,
        required=False,
        logged=True,
        help_text=(
            "One entry for each room that is needed. Left out: one room for two adults. A rate "
            "covers all of them."
        ),
    )
    guestNationality = fields.Country(
        required=False, help_text="The guests' nationality: some hotels sell at another price to residents."
    )
    refundableOnly = fields.Flag(
        default=False,
        help_text="`true`: only rates with a cancellation that costs less than the whole price.",
    )
    maxTotalCents = fields.Cents(
        required=False, logged=True, help_text="Leave out rates whose `totalCents` is above this."
    )
    limit = fields.Whole(
        min_value=1,
        max_value=100,
        default=20,
        example=3,
        logged=True,
        help_text="How many hotels the answer may have.",
    )

    @checks("checkIn", "checkOut")
    def stay_some_nights(self, given: dict[str, Any]) -> None:
        check_in, check_out = stay_of(given, clock.today(clocks.here()))
        if check_out <= check_in:
            raise serializers.ValidationError({"checkOut": "must be after checkIn"})
        if (check_out - check_in).days > MAX_NIGHTS:
            raise serializers.ValidationError(
                {"checkOut": f"must be at most {MAX_NIGHTS} nights after checkIn"}
            )
        given["checkIn"], given["checkOut"] = check_in, check_out


def stay_of(data: dict[str, Any], today: date) -> tuple[date, date]:
    """Check-in and check-out: one night where only one of them is given, 30 days ahead where neither is."""
    if "checkIn" in data:
        return data["checkIn"], data.get("checkOut", data["checkIn"] + ONE_NIGHT)
    if "checkOut" in data:
        return max(data["checkOut"] - ONE_NIGHT, today - ONE_NIGHT), data["checkOut"]
    return today + DEFAULT_LEAD, today + DEFAULT_LEAD + ONE_NIGHT


def search_request(data: dict[str, Any], partner: Partner) -> StaySearch:
    """A validated body as the question to a supplier."""
    destination = data.get("destination", {})
    hotel_ids = data.get("hotelIds")
    return StaySearch(
        check_in=data["checkIn"],
        check_out=data["checkOut"],
        currency=partner.currency,
        rooms=tuple(Room(room["adults"], tuple(room["childrenAges"])) for room in data.get("rooms", []))
        or (Room(),),
        city=destination.get("city"),
        country=destination.get("countryCode"),
        hotel_ids=tuple(hotel_ids) if hotel_ids is not None else None,
        area=area_of(data["location"]) if "location" in data else None,
        guest_nationality=data.get("guestNationality"),
        refundable_only=data["refundableOnly"],
        max_total_cents=data.get("maxTotalCents"),
        limit=data["limit"],
    )


def area_of(location: dict[str, float]) -> Area:
    return Area(
        latitude=Decimal(str(location["latitude"])),
        longitude=Decimal(str(location["longitude"])),
        radius_km=Decimal(str(location["radiusKm"])),
    )


class GuestBody(Body):
    """Somebody who stays."""

    firstName = fields.PersonName(example="Ada", help_text="The given name, as in the guest's passport.")
    lastName = fields.PersonName(example="Byron", help_text="The family name, as in the guest's passport.")
    type = fields.Choice(
        ["adult", "child"],
        example="adult",
        logged=True,
        help_text="`child` for guests of up to 17 years, as they were searched for.",
    )
    age = fields.Whole(
        min_value=0,
        max_value=OLDEST_CHILD,
        required=False,
        help_text=(
            "In whole years at check-in; of children only. Children have the `childrenAges` that were searched for, in any "
            "order. Left out: one of those that no other child has."
        ),
    )

    @checks("type", "age")
    def have_an_age_as_child(self, given: dict[str, Any]) -> None:
        if given["type"] == "adult" and "age" in given:
            raise serializers.ValidationError({"age": "must be left out of adults"})


class HotelBookingBody(Body):
    """The rate to book, and for whom. Funds are checked and set aside before the supplier is asked."""

    rateId = fields.Id(
        example="rate_…",
        logged=True,
        help_text=(
            "The rate to book, `rate_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`."
        ),
    )
    guests = fields.Many(
        child=GuestBody(),
        min_length=1,
        max_length=MAX_GUESTS,
        logged=True,
        help_text=(
            "Everybody who stays. At least one adult a room, and no more adults or children than "
            "were searched for."
        ),
    )
    contact = ContactBody(logged=True, help_text="How the hotel reaches the guests.")
    externalReference = fields.ExternalReference()
    specialRequests = fields.Text(
        max_length=1000,
        required=False,
        help_text=(
            "A wish to the hotel in plain words, such as a quiet room. It is passed on; the hotel"
            " need not grant it."
        ),
    )
    maxTotalCents = max_total("booking")


def party_named(data: dict[str, Any]) -> Party:
    """A validated body's guests and contact."""
    return Party(
        guests=tuple(
            Guest(guest["firstName"], guest["lastName"], guest["type"], guest.get("age"))
            for guest in data["guests"]
        ),
        email=data["contact"]["email"],
        phone=data["contact"]["phone"],
        special_requests=data.get("specialRequests"),
    )
