"""Hotel bodies and answers (contract §3, Hotels)."""

from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

import pycountry
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import ContactBody, PriceAnswer, booking_answer
from apps.common import clock
from apps.gateway import fields, outputs
from apps.gateway.declared import days_ahead
from apps.gateway.request_log import value_forms
from apps.gateway.serializers import AnswerBody, Body, checks
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


class CountryCode(fields.Text):
    """An ISO 3166 alpha-2 code in capitals, of a country that exists."""

    pattern = "^[A-Z]{2}$"
    form = value_forms.IS_TWO_CAPITALS

    default_error_messages = {"unknown": "is not an ISO 3166 alpha-2 country code, such as PT"}

    def to_internal_value(self, data: object) -> str:
        code = super().to_internal_value(data)
        if code not in _countries():
            self.fail("unknown")
        return code


@cache
def _countries() -> frozenset[str]:
    return frozenset(country.alpha_2 for country in pycountry.countries)


class HotelId(fields.Text):
    """A hotel's id, which may be a supplier's number."""

    form = value_forms.IS_HOTEL_ID


class StayDay(fields.Day):
    """A day from yesterday (one day's grace for the time zones) to a year and a half ahead."""

    default_error_messages = {
        "past": "must not be in the past",
        "far": "is further ahead than hotels sell (540 days)",
    }

    def to_internal_value(self, data: object) -> date:
        day = super().to_internal_value(data)
        today = clock.today(self.context.get("partner"))
        if day < today - ONE_NIGHT:
            self.fail("past")
        if day > today + FURTHEST:
            self.fail("far")
        return day


class DestinationBody(Body):
    city = fields.Text(required=False, example="Lisbon")
    countryCode = CountryCode(required=False, logged=True)


class LocationBody(Body):
    latitude = fields.Number(min_value=-90, max_value=90)
    longitude = fields.Number(min_value=-180, max_value=180)
    radiusKm = fields.Number(min_value=0.1, max_value=MAX_RADIUS_KM, default=DEFAULT_RADIUS_KM, logged=True)


class RoomBody(Body):
    adults = fields.Whole(min_value=1, max_value=MAX_ADULTS, default=2, example=2, logged=True)
    childrenAges = fields.Many(
        child=fields.Whole(min_value=0, max_value=OLDEST_CHILD), max_length=MAX_CHILDREN, default=list
    )


class HotelSearchBody(Body):
    """Every field is optional. Where several say where, a hotel must satisfy all of them."""

    destination = DestinationBody(required=False, logged=True)
    hotelIds = fields.Many(
        child=HotelId(), min_length=1, max_length=MAX_HOTEL_IDS, required=False, logged=True
    )
    location = LocationBody(required=False, logged=True)
    checkIn = StayDay(required=False, example=days_ahead(30), logged=True)
    checkOut = StayDay(required=False, example=days_ahead(32), logged=True)
    rooms = fields.Many(child=RoomBody(), min_length=1, max_length=MAX_ROOMS, required=False, logged=True)
    guestNationality = CountryCode(required=False)
    refundableOnly = fields.Flag(default=False)
    maxTotalCents = fields.Cents(required=False, logged=True)
    limit = fields.Whole(min_value=1, max_value=100, default=20, example=3, logged=True)

    @checks("checkIn", "checkOut")
    def stay_some_nights(self, given: dict[str, Any]) -> None:
        check_in, check_out = stay_of(given, clock.today(self.context.get("partner")))
        if check_out <= check_in:
            raise serializers.ValidationError({"checkOut": "must be after checkIn"})
        if (check_out - check_in).days > MAX_NIGHTS:
            raise serializers.ValidationError({"checkOut": f"{MAX_NIGHTS} nights at most"})
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
    firstName = fields.Text(printable=True, example="Ada")
    lastName = fields.Text(printable=True, example="Byron")
    type = fields.Choice(["adult", "child"], example="adult", logged=True)
    age = fields.Whole(min_value=0, max_value=OLDEST_CHILD, required=False, help_text="Of children only")

    @checks("type", "age")
    def have_an_age_as_child(self, given: dict[str, Any]) -> None:
        if given["type"] == "adult" and "age" in given:
            raise serializers.ValidationError({"age": "is given for children only"})


class HotelBookingBody(Body):
    rateId = fields.Id(example="rate_…", logged=True)
    guests = fields.Many(child=GuestBody(), min_length=1, max_length=MAX_GUESTS, logged=True)
    contact = ContactBody(logged=True)
    externalReference = fields.ExternalReference()
    specialRequests = fields.Text(max_length=1000, required=False)
    maxTotalCents = fields.Cents(required=False, logged=True)


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


# --- Answers, as `presenters` builds them ---------------------------------------------------------------------------
class AddressAnswer(AnswerBody):
    street = serializers.CharField()
    city = serializers.CharField()
    countryCode = outputs.Country(logged=True)


class LocationAnswer(AnswerBody):
    latitude = serializers.FloatField()
    longitude = serializers.FloatField()


class HotelAnswer(AnswerBody):
    hotelId = outputs.HotelId(logged=True)
    name = serializers.CharField()
    stars = outputs.Whole(help_text="0 where it is not known", logged=True)
    address = AddressAnswer()
    location = LocationAnswer(logged=True)
    amenities = serializers.ListField(child=serializers.CharField())


class BoardAnswer(AnswerBody):
    code = serializers.CharField(help_text="RO, BB, HB, FB or AI")
    name = serializers.CharField()


class LocalChargeAnswer(AnswerBody):
    description = serializers.CharField()
    amountCents = outputs.Cents(logged=True)
    currency = outputs.Currency(help_text="Often not the booking's", logged=True)


class HotelRateAnswer(PriceAnswer):
    """A price for the whole stay and all its rooms."""

    rateId = outputs.Id(logged=True)
    roomName = serializers.CharField()
    board = BoardAnswer()
    refundable = serializers.BooleanField()
    cancellationPolicy = serializers.JSONField(
        help_text="The supplier's own terms, verbatim: its form differs from supplier to supplier"
    )
    payAtHotel = LocalChargeAnswer(
        many=True, help_text="Paid by the guest at the hotel, no part of the total"
    )
    expiresAt = outputs.Instant(logged=True)


class FoundHotelAnswer(HotelAnswer):
    rates = HotelRateAnswer(many=True)


class HotelSearchAnswer(AnswerBody):
    id = outputs.Id(logged=True)
    status = outputs.OneOf(["completed"])
    checkIn = outputs.Day(logged=True)
    checkOut = outputs.Day(logged=True)
    createdAt = outputs.Instant(logged=True)
    expiresAt = outputs.Instant(help_text="When the last of its rates can no longer be booked", logged=True)
    hotels = FoundHotelAnswer(many=True)


class RoomAnswer(AnswerBody):
    adults = outputs.Whole(logged=True)
    childrenAges = serializers.ListField(child=serializers.IntegerField())


@extend_schema_serializer(component_name="QuotedHotelRate")
class QuotedRateAnswer(HotelRateAnswer):
    hotel = HotelAnswer(logged=True)
    checkIn = outputs.Day(logged=True)
    checkOut = outputs.Day(logged=True)
    rooms = RoomAnswer(many=True, logged=True)


@extend_schema_serializer(component_name="BookedHotelRoom")
class BookedRoomAnswer(AnswerBody):
    roomName = serializers.CharField()
    board = BoardAnswer()
    refundable = serializers.BooleanField()


class GuestAnswer(AnswerBody):
    firstName = serializers.CharField()
    lastName = serializers.CharField()
    type = outputs.OneOf(["adult", "child"], logged=True)
    age = serializers.IntegerField(allow_null=True)


class HotelContactAnswer(AnswerBody):
    email = serializers.CharField()
    phone = serializers.CharField()


class HotelBookingAnswer(booking_answer("pending", "confirmed", "cancelled", "failed")):  # type: ignore[misc]
    rateId = outputs.Id(logged=True)
    hotel = HotelAnswer(logged=True)
    room = BookedRoomAnswer(logged=True)
    checkIn = outputs.Day(logged=True)
    checkOut = outputs.Day(logged=True)
    rooms = RoomAnswer(many=True, logged=True)
    guests = GuestAnswer(many=True, logged=True)
    contact = HotelContactAnswer(logged=True)
    specialRequests = serializers.CharField(allow_null=True)
    confirmationCode = serializers.CharField(allow_null=True, help_text="The hotel's own, where it gives one")
    cancellationPolicy = serializers.JSONField(help_text="The supplier's terms as given at booking, verbatim")
    payAtHotel = LocalChargeAnswer(many=True)


class HotelBookingPage(AnswerBody):
    data = HotelBookingAnswer(many=True)
    hasMore = serializers.BooleanField()
    nextCursor = serializers.CharField(allow_null=True)
