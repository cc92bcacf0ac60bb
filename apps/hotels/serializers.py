"""Hotel bodies and answers (contract §3, Hotels)."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.bookings.serializers import (
    ContactBody,
    DayAhead,
    PriceAnswer,
    booking_answer,
    cancellation_steps,
    max_total,
    sold_for,
    withheld,
)
from apps.common import clock
from apps.gateway import fields, value_forms
from apps.gateway.declared import days_ahead
from apps.gateway.operations import QueryParameter
from apps.gateway.pagination import MAX_LIMIT
from apps.gateway.serializers import AnswerBody, Body, checks, page_of
from apps.hotels.facilities import FACILITIES
from apps.hotels.models import CorrectionStatus
from apps.hotels.rules import MAX_NIGHTS
from apps.hotels.services.book import Party
from apps.hotels.services.least_rates import MOST_DAYS, searches_of
from apps.hotels.services.least_rates import MOST_HOTELS as MOST_COMPARED
from apps.hotels.suppliers.base import MOST_HOTELS, REMARK_KINDS, SORTS, Area, Guest, Room, StaySearch
from apps.hotels.suppliers.cities import fold
from apps.keys.partner import Partner

MAX_ROOMS = 8
MAX_ADULTS = 6  # in one room
MAX_CHILDREN = 4  # in one room
OLDEST_CHILD = 17
MAX_GUESTS = MAX_ROOMS * (MAX_ADULTS + MAX_CHILDREN)
MAX_HOTEL_IDS = 100
MAX_FACILITIES = 20
BOARDS = ("RO", "BB", "HB", "FB", "AI")
FURTHEST = timedelta(days=540)
DEFAULT_LEAD = timedelta(days=30)
ONE_NIGHT = timedelta(days=1)
MAX_RADIUS_KM = 100
DEFAULT_RADIUS_KM = 10


PAGE_OF_SEARCH = (
    QueryParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT},
        "How many hotels the page may have. Left out: the search's `pageSize`, or all if it had none.",
        since="1.3",
    ),
    QueryParameter(
        "cursor",
        {"type": "string", "minLength": 1},
        "`nextCursor` of the page before. Left out: the first page. A cursor of another search gets 400.",
        since="1.3",
    ),
)


class HotelId(fields.Text):
    """A hotel's id, which may be a supplier's number."""

    form = value_forms.IS_HOTEL_ID


class StayDay(DayAhead):
    """A day from yesterday (one day's grace for the time zones) to a year and a half ahead."""

    furthest = FURTHEST
    notation = f"`YYYY-MM-DD`, from yesterday to {FURTHEST.days} days ahead, counted in UTC."


class DestinationBody(Body):
    """Where to search: a city, a country or both by name; or a place from the place search."""

    city = fields.PlaceName(
        required=False,
        logged=True,
        example="Lisbon",
        help_text=(
            "The city's name, such as `Lisbon`. Send `countryCode` as well if there are several of that name, or if the city "
            "is small."
        ),
    )
    countryCode = fields.Country(
        required=False,
        logged=True,
        help_text="The country to look in. Without `city`: hotels anywhere in it.",
    )

    placeId = fields.Id(
        required=False,
        since="1.3",
        logged=True,
        help_text=(
            "A place's `placeId`, `plc_…`, alone. A city: that city; an airport: 15 km around it; a landmark: 5 km around it; a "
            "hotel: that hotel. Cities that share their name with a larger one, or are small: 10 km around the centre."
        ),
    )

    @checks("placeId", "city", "countryCode")
    def name_it_one_way(self, given: dict[str, Any]) -> None:
        if "placeId" in given and len(given) > 1:
            raise serializers.ValidationError(
                {"placeId": "must not be sent together with city or countryCode"}
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
        help_text="The age in whole years of each child in this room, one entry a child. Empty: no children.",
    )


class HotelSearchBody(Body):
    """Every field is optional. If several limit the location, a hotel must satisfy all of them."""

    destination = DestinationBody(
        required=False,
        logged=True,
        example={"city": "Lisbon"},
        help_text="A city, a country or a place to search in.",
    )
    hotelIds = fields.Many(
        child=HotelId(),
        min_length=1,
        max_length=MAX_HOTEL_IDS,
        required=False,
        logged=True,
        help_text="Hotels to search, by the `hotelId` of an earlier response.",
    )
    location = LocationBody(required=False, logged=True, help_text="A circle on the map to search in.")
    checkIn = StayDay(
        required=False,
        example=days_ahead(30),
        logged=True,
        help_text=(
            "The day of arrival. Left out: the day before `checkOut`, or 30 days ahead if that is left out too."
        ),
    )
    checkOut = StayDay(
        required=False,
        example=days_ahead(32),
        logged=True,
        help_text="The day of departure, after `checkIn`, 30 nights later at most. Left out: the day after `checkIn`.",
    )
    rooms = fields.Many(
        child=RoomBody(),
        min_length=1,
        max_length=MAX_ROOMS,
        required=False,
        logged=True,
        help_text="One entry for each room that is needed. Left out: one room for two adults. A rate covers all of them.",
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
    stars = fields.Many(
        child=fields.Whole(min_value=1, max_value=5),
        min_length=1,
        max_length=5,
        required=False,
        logged=True,
        since="1.3",
        help_text="Only hotels with one of these numbers of stars. A half star counts as none: 4.5 is 4.",
    )
    boards = fields.Many(
        child=fields.Choice(BOARDS),
        min_length=1,
        max_length=len(BOARDS),
        required=False,
        logged=True,
        since="1.3",
        help_text="Only rates with one of these boards, by `board.code`.",
    )
    facilities = fields.Many(
        child=fields.Choice(list(FACILITIES)),
        min_length=1,
        max_length=MAX_FACILITIES,
        required=False,
        logged=True,
        since="1.3",
        help_text=(
            "Only hotels with all of these facilities. A hotel whose facilities are not known has none."
        ),
    )
    minReviewScore = fields.Number(
        min_value=0,
        max_value=10,
        required=False,
        logged=True,
        since="1.3",
        help_text="Only hotels with this `reviewScore` or a better one. One without a score has none.",
    )
    name = fields.Text(
        max_length=100,
        required=False,
        since="1.3",
        help_text="Only hotels with this in their name. Capitals, accents and punctuation are ignored.",
    )
    sort = fields.Choice(
        SORTS,
        required=False,
        logged=True,
        since="1.3",
        help_text=(
            "The order of the hotels, and which of them `limit` keeps: the cheapest first (by the cheapest rate), the best "
            "`reviewScore`, the most `stars`, or the nearest to the centre of `location`, which is then required. Left out: "
            "the supplier's order."
        ),
    )
    language = fields.Text(
        max_length=35,
        required=False,
        since="1.3",
        help_text=(
            "The language of descriptions, amenities and names of rooms, such as `de` or `pt-BR`, of which the first part "
            "counts. A hotel that is not described in it yet has them in English. If no hotel has a description in it: "
            "English, and `language` in the response is `en`."
        ),
    )
    limit = fields.Whole(
        min_value=1,
        max_value=MOST_HOTELS,
        default=20,
        example=3,
        logged=True,
        help_text="How many hotels the search may find.",
    )
    pageSize = fields.Whole(
        min_value=1,
        max_value=100,
        required=False,
        logged=True,
        since="1.3",
        help_text=(
            "How many of them this response may have. Read the others by `nextCursor`, free. Left out: all."
        ),
    )

    @staticmethod
    def validate_name(name: str) -> str:
        if not fold(name):
            raise serializers.ValidationError("must have at least one letter or digit")
        return name

    @checks("destination", "hotelIds", "location")
    def look_at_one_place(self, given: dict[str, Any]) -> None:
        for name in ("hotelIds", "location"):
            if name in given and "placeId" in given.get("destination", {}):
                raise serializers.ValidationError(
                    {name: "must not be sent together with destination.placeId"}
                )

    @checks("sort", "location", "destination")
    def have_a_centre_to_sort_by(self, given: dict[str, Any]) -> None:
        centred = "location" in given or "placeId" in given.get("destination", {})
        if given.get("sort") == "distance" and not centred:
            raise serializers.ValidationError({"sort": "must not be distance without location"})

    @checks("checkIn", "checkOut")
    def stay_some_nights(self, given: dict[str, Any]) -> None:
        check_in, check_out = stay_of(given, clock.today(clock.here()))
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
        rooms=rooms_of(data),
        city=destination.get("city"),
        country=destination.get("countryCode"),
        hotel_ids=tuple(hotel_ids) if hotel_ids is not None else None,
        area=area_of(data["location"]) if "location" in data else None,
        guest_nationality=data.get("guestNationality"),
        refundable_only=data["refundableOnly"],
        max_total_cents=data.get("maxTotalCents"),
        limit=data["limit"],
        stars=tuple(data.get("stars", ())),
        boards=tuple(data.get("boards", ())),
        facilities=tuple(data.get("facilities", ())),
        min_review_score=Decimal(str(data["minReviewScore"])) if "minReviewScore" in data else None,
        name=data.get("name"),
        sort=data.get("sort"),
    )


def rooms_of(data: dict[str, Any]) -> tuple[Room, ...]:
    rooms = tuple(Room(room["adults"], tuple(room["childrenAges"])) for room in data.get("rooms", []))
    return rooms or (Room(),)


def area_of(location: dict[str, float]) -> Area:
    return Area(
        latitude=Decimal(str(location["latitude"])),
        longitude=Decimal(str(location["longitude"])),
        radius_km=Decimal(str(location["radiusKm"])),
    )


class GuestBody(Body):
    """A person who stays."""

    firstName = fields.PersonName(example="Ada", help_text="The given name, as in the guest's passport.")
    lastName = fields.PersonName(example="Byron", help_text="The family name, as in the guest's passport.")
    type = fields.Choice(
        ["adult", "child"],
        example="adult",
        logged=True,
        help_text="`child` for guests of up to 17 years, as in the search.",
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
    """The rate to book, and for whom. Funds are checked and held before the supplier is called."""

    rateId = fields.Id(
        example="rate_…",
        logged=True,
        help_text="The rate to book, `rate_…`, from a search of the last 20 minutes. Later: 410 `offer_expired`.",
    )
    guests = fields.Many(
        child=GuestBody(),
        min_length=1,
        max_length=MAX_GUESTS,
        logged=True,
        help_text=(
            "All guests. At least one adult per room, and no more adults or children than in the search."
        ),
    )
    contact = ContactBody(logged=True, help_text="How the hotel reaches the guests.")
    externalReference = fields.ExternalReference()
    tripReference = fields.TripReference()
    soldForCents = sold_for()
    specialRequests = fields.Text(
        max_length=1000,
        required=False,
        help_text=(
            "A request to the hotel in plain words, such as a quiet room. It is passed on; the hotel may not fulfil it."
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


class CorrectGuestBody(Body):
    """A corrected name of the lead guest, whose name the hotel has for the booking."""

    guest = fields.Whole(
        min_value=0,
        max_value=MAX_GUESTS - 1,
        example=0,
        logged=True,
        since="1.3",
        help_text=(
            "The guest: an index into the booking's `guests`, from 0. Suppliers correct the lead guest only, the first adult; "
            "any other: 409 `conflict`."
        ),
    )
    firstName = fields.PersonName(
        example="Ada", since="1.3", help_text="The given name, as in the guest's passport."
    )
    lastName = fields.PersonName(
        example="Lovelace", since="1.3", help_text="The family name, as in the guest's passport."
    )


class AddressAnswer(AnswerBody):
    """A hotel's postal address."""

    street = serializers.CharField(
        help_text="Street and number; the city's name if the supplier does not provide it."
    )
    city = serializers.CharField(help_text="The city as the supplier names it.")
    countryCode = fields.Country(logged=True, help_text="The country that the hotel is in.")


class LocationAnswer(AnswerBody):
    """A point on the map, in WGS 84."""

    latitude = serializers.FloatField(help_text="In degrees; south is negative.")
    longitude = serializers.FloatField(help_text="In degrees; west is negative.")


@extend_schema_serializer(component_name="HotelImage")
class ImageAnswer(AnswerBody):
    """A picture of a hotel."""

    url = serializers.CharField(help_text="Where the picture is: an address that needs no key.")
    caption = serializers.CharField(
        allow_blank=True, help_text="What it shows; an empty text if not provided."
    )


class HotelAnswer(AnswerBody):
    """A hotel as its supplier describes it."""

    hotelId = HotelId(
        logged=True,
        help_text="The hotel's id. It stays the same from search to search; a search takes it in `hotelIds`.",
    )
    name = serializers.CharField(help_text="The hotel's name as travellers know it.")
    stars = fields.Whole(help_text="From 1 to 5; 0 if the supplier does not provide it.", logged=True)
    address = AddressAnswer(help_text="The hotel's location.")
    location = LocationAnswer(logged=True, help_text="The hotel's coordinates.")
    amenities = serializers.ListField(
        child=serializers.CharField(),
        help_text="What the hotel offers, in the supplier's words. Empty if not provided yet.",
    )
    description = fields.Text(
        since="1.2",
        allow_null=True,
        help_text=(
            "A short description of the hotel, as plain text in the supplier's words. `null` if not provided yet."
        ),
    )
    images = ImageAnswer(
        many=True,
        since="1.2",
        help_text="Pictures of the hotel, the first to be shown first. Empty if none are provided yet.",
    )
    reviewScore = fields.Number(
        since="1.2",
        allow_null=True,
        help_text="The guests' average rating, from 0 to 10. `null` if the supplier does not provide it.",
    )
    checkInFrom = fields.Text(
        since="1.2",
        allow_null=True,
        help_text="The earliest check-in time, `HH:MM` in the hotel's local time. `null` if not provided.",
    )
    checkOutUntil = fields.Text(
        since="1.2",
        allow_null=True,
        help_text="The latest check-out time, `HH:MM` in the hotel's local time. `null` if not provided.",
    )


class BoardAnswer(AnswerBody):
    """The meals that come with a room."""

    code = serializers.CharField(
        help_text="`RO` room only, `BB` bed and breakfast, `HB` half board, `FB` full board, `AI` all inclusive."
    )
    name = serializers.CharField(help_text="The same for people to read.")


class LocalChargeAnswer(AnswerBody):
    """A charge that the guest pays at the hotel, such as a city tax."""

    description = serializers.CharField(help_text="What it is for, such as a city tax.")
    amountCents = fields.Cents(logged=True, help_text="What the guest pays at the hotel.")
    currency = fields.Currency(
        help_text="ISO 4217 code of `amountCents`. Often not the booking's currency.", logged=True
    )


class RoomKindAnswer(AnswerBody):
    """What a room is."""

    name = fields.Text(since="1.2", allow_null=True, help_text="The kind of room, in the supplier's words.")
    beds = fields.Text(
        since="1.2",
        allow_null=True,
        help_text=(
            "Its beds, in the supplier's words, such as `1 double bed`. `null` if it does not provide it."
        ),
    )
    maxOccupancy = fields.Whole(
        since="1.2",
        allow_null=True,
        help_text="How many people may sleep in it. `null` if the supplier does not provide it.",
    )
    sizeM2 = fields.Whole(
        since="1.2",
        allow_null=True,
        help_text="Its size in square metres. `null` if the supplier does not provide it.",
    )


@extend_schema_serializer(component_name="HotelTax")
class TaxAnswer(AnswerBody):
    """A tax or fee of a stay."""

    description = serializers.CharField(help_text="What it is, such as VAT or a city tax.")
    amountCents = fields.Cents(help_text="How much it is for the whole stay and all its rooms.")
    currency = fields.Currency(help_text="ISO 4217 code of `amountCents`. Often not that of `totalCents`.")
    included = serializers.BooleanField(
        help_text="`true`: part of `totalCents`. `false`: paid at the hotel, and also in `payAtHotel`."
    )


@extend_schema_serializer(component_name="HotelRemark")
class RemarkAnswer(AnswerBody):
    """Something that the guest should know."""

    kind = fields.Choice(
        REMARK_KINDS,
        help_text=(
            "What it is about: a `deposit`, a `resort_fee`, how to get the `keys`, or `information` of any kind, also if the "
            "supplier does not specify it. Of bookings alone: `know_before_you_go`, `mandatory_fees` and `optional_fees` at "
            "the hotel, `check_in_instructions`."
        ),
    )
    text = serializers.CharField(
        help_text=(
            "For people to read, as plain text. Amounts in it appear in no other field unless that field states so."
        )
    )


@extend_schema_serializer(component_name="HotelPromotion")
class PromotionAnswer(AnswerBody):
    """A discount. It is already included in `totalCents`: do not subtract it."""

    name = serializers.CharField(help_text="The supplier's name for it.")
    locals()["from"] = fields.Day(  # a word of Python
        allow_null=True, help_text="The first day it applies; `null` if the supplier does not provide it."
    )
    to = fields.Day(
        allow_null=True, help_text=("The last day it applies; `null` if the supplier does not provide it.")
    )
    percent = fields.Number(
        allow_null=True, help_text="Its size if it is a percentage; otherwise `null`. For display only."
    )


@extend_schema_serializer(component_name="HotelPerk")
class PerkAnswer(AnswerBody):
    """Something that comes free."""

    name = serializers.CharField(help_text="What it is, in the supplier's words.")


def remarks() -> RemarkAnswer:
    return RemarkAnswer(
        many=True,
        since="1.3",
        help_text=(
            "What the guest should know, such as a deposit at the desk. Empty: nothing provided by the supplier."
        ),
    )


def promotions() -> PromotionAnswer:
    return PromotionAnswer(
        many=True,
        since="1.3",
        help_text="Why it costs less than usual. `totalCents` has it already. Empty: no discount is named.",
    )


def perks() -> PerkAnswer:
    return PerkAnswer(
        many=True,
        since="1.3",
        help_text="What comes free, such as a late check-out. Never money off. Empty: nothing is named.",
    )


class HotelRateAnswer(PriceAnswer):
    """A price for the whole stay and all its rooms."""

    rateId = fields.Id(
        logged=True, help_text=("The rate's id, `rate_…`. Send it to book. It is valid until `expiresAt`.")
    )
    suggestedRetailCents = fields.Cents(
        logged=True,
        help_text=(
            "What the traveller might pay: `totalCents` with your account's markup. If the supplier sets a minimum price for "
            "public display, it is never below that."
        ),
    )
    roomName = serializers.CharField(help_text="The kind of room, in the supplier's words.")
    board = BoardAnswer(help_text="Which meals the price covers.")
    refundable = serializers.BooleanField(
        help_text=(
            "Whether a cancellation can cost less than the whole price. `cancellationPolicy` states until when."
        )
    )
    cancellationPolicy = serializers.JSONField(
        help_text=("The supplier's own terms, word for word. Their form differs from supplier to supplier.")
    )
    cancellationSteps = cancellation_steps("the stay", "cancellationPolicy")
    payAtHotel = LocalChargeAnswer(
        many=True,
        help_text="What the guest pays at the hotel as well; not part of `totalCents`. Empty: none known.",
    )
    expiresAt = fields.Instant(
        logged=True,
        help_text="Until when the rate can be booked: for 20 minutes at most. From then on 410 `offer_expired`.",
    )
    rooms = RoomKindAnswer(
        many=True,
        since="1.2",
        help_text=(
            "What each room of the stay is, in the order of the search's `rooms`. Empty if the supplier does not provide it."
        ),
    )
    taxes = TaxAnswer(
        many=True,
        since="1.2",
        help_text=(
            "The taxes and fees that the supplier itemises, those included in `totalCents` first. Empty: none known."
        ),
    )
    totalWithLocalChargesCents = fields.Cents(
        since="1.2",
        allow_null=True,
        help_text=(
            "`totalCents` plus all of `payAtHotel`. `null` if a part of that is in another currency and cannot be added."
        ),
    )
    remarks = remarks()
    promotions = promotions()
    perks = perks()


class FoundHotelAnswer(HotelAnswer):
    """A hotel with its prices."""

    rates = HotelRateAnswer(
        many=True,
        help_text="The hotel's prices for the stay that was searched for, the 10 cheapest at most. Never empty.",
    )


class HotelSearchAnswer(AnswerBody):
    """The hotels that a search found, each with its rates."""

    id = fields.Id(
        logged=True,
        help_text=(
            "The search's id, `hsr_…`. Use it to read this response again for 24 hours, without using the quota."
        ),
    )
    status = fields.Choice(
        ["completed"], help_text="Always `completed`: prices have settled before the response is sent."
    )
    checkIn = fields.Day(logged=True, help_text="The day of arrival that the prices are for.")
    checkOut = fields.Day(logged=True, help_text="The day of departure that the prices are for.")
    createdAt = fields.Instant(logged=True, help_text="When the search was first made.")
    expiresAt = fields.Instant(
        help_text="When the last of its rates can no longer be booked: 20 minutes after `createdAt`.",
        logged=True,
    )
    hotels = FoundHotelAnswer(
        many=True,
        help_text="The hotels that have a price, `limit` at most, or a page of them. Empty: nothing was found.",
    )
    withheld = withheld("rates")
    language = fields.Text(
        since="1.3",
        help_text=(
            "ISO 639-1 code of the language of texts, for hotels that have a description in it; `en` unless another was "
            "requested."
        ),
    )
    nextCursor = fields.Text(
        since="1.3",
        allow_null=True,
        help_text=(
            "Send it as `cursor` to `GET /v1/hotels/searches/{id}` to read the hotels that follow; `null` if there are none, "
            "and always without `pageSize`."
        ),
    )


class MinRatesBody(Body):
    """Which hotels, which days of arrival, and who stays."""

    hotelIds = fields.Many(
        child=HotelId(),
        min_length=1,
        max_length=MOST_COMPARED,
        required=False,
        logged=True,
        help_text="The hotels to compare, by the `hotelId` of a search. Send either these or `destination`.",
    )
    destination = DestinationBody(
        required=False,
        logged=True,
        example={"city": "Lisbon", "countryCode": "PT"},
        help_text=f"A place to compare hotels in: its {MOST_COMPARED} best known ones.",
    )
    locals()["from"] = StayDay(  # a word of Python
        example=days_ahead(30), logged=True, help_text="The first day of arrival."
    )
    to = StayDay(
        example=days_ahead(36),
        logged=True,
        help_text=(
            f"The last day of arrival; {MOST_DAYS} days at most with the first. Every seven days or part of them count as one "
            "search."
        ),
    )
    nights = fields.Whole(
        min_value=1,
        max_value=MAX_NIGHTS,
        default=1,
        example=2,
        logged=True,
        help_text="How long each stay is.",
    )
    rooms = fields.Many(
        child=RoomBody(),
        min_length=1,
        max_length=MAX_ROOMS,
        required=False,
        logged=True,
        help_text="One entry for each room that is needed. Left out: one room for two adults. A price covers all of them.",
    )
    guestNationality = fields.Country(
        required=False, help_text="The guests' nationality: some hotels sell at another price to residents."
    )

    @checks("hotelIds", "destination")
    def say_which_hotels(self, given: dict[str, Any]) -> None:
        if "hotelIds" in given and "destination" in given:
            raise serializers.ValidationError({"destination": "must not be sent together with hotelIds"})
        if "hotelIds" not in given and "destination" not in given:
            raise serializers.ValidationError({"hotelIds": "is required, or destination"})
        if "destination" in given and not given["destination"]:
            raise serializers.ValidationError({"destination": "must not be empty"})

    @checks("from", "to")
    def span_some_days(self, given: dict[str, Any]) -> None:
        if given["to"] < given["from"]:
            raise serializers.ValidationError({"to": "must not be before `from`"})
        if (given["to"] - given["from"]).days >= MOST_DAYS:
            raise serializers.ValidationError({"to": f"must be at most {MOST_DAYS - 1} days after `from`"})


def min_rates_request(data: dict[str, Any], partner: Partner) -> StaySearch:
    """A validated body as the question to a supplier, of its first day."""
    destination = data.get("destination", {})
    return StaySearch(
        check_in=data["from"],
        check_out=data["from"] + timedelta(days=data["nights"]),
        currency=partner.currency,
        rooms=rooms_of(data),
        city=destination.get("city"),
        country=destination.get("countryCode"),
        hotel_ids=tuple(dict.fromkeys(data["hotelIds"])) if "hotelIds" in data else None,
        guest_nationality=data.get("guestNationality"),
    )


def searches_in(data: Mapping[str, Any]) -> int:
    return searches_of(data["from"], data["to"])


@extend_schema_serializer(component_name="HotelMinRate")
class MinRateAnswer(AnswerBody):
    """The lowest price of a hotel for a day of arrival."""

    checkIn = fields.Day(logged=True, help_text="The day of arrival.")
    hotelId = HotelId(logged=True, help_text="Which hotel it is.")
    totalCents = fields.Cents(
        logged=True,
        help_text=(
            "The lowest price that the supplier gives for the whole stay and all its rooms. For lists and calendars only: it "
            "includes no information on meals, terms and local charges, and a search quotes the price to book, which may "
            "differ."
        ),
    )
    currency = fields.Currency(logged=True)


@extend_schema_serializer(component_name="WithheldMinRates")
class WithheldMinRatesAnswer(AnswerBody):
    """What a response leaves out."""

    unreadable = fields.Whole(
        logged=True,
        help_text=(
            "Days that the supplier did not respond for, and malformed prices. Request such days again."
        ),
    )


@extend_schema_serializer(component_name="HotelMinRates")
class MinRatesAnswer(AnswerBody):
    """The lowest prices of some hotels for some days."""

    locals()["data"] = MinRateAnswer(  # another `data` of DRF's
        many=True,
        help_text=(
            "One entry for each hotel and day that has a price, by day and then by price. Empty: nothing is available."
        ),
    )
    withheld = WithheldMinRatesAnswer(
        logged=True, help_text="How much is left out of this response; 0 if nothing is."
    )


class RoomAnswer(RoomKindAnswer):
    """One room, whom it is for, and what it is. Its details are `null` if the supplier does not provide them."""

    adults = fields.Whole(logged=True, help_text="How many adults the price covers in this room.")
    childrenAges = serializers.ListField(
        child=serializers.IntegerField(),
        help_text="The ages in years of the children whom the price covers in this room.",
    )


@extend_schema_serializer(component_name="QuotedHotelRate")
class QuotedRateAnswer(HotelRateAnswer):
    """A rate as it was quoted, with the hotel and the stay that it is for."""

    hotel = HotelAnswer(logged=True, help_text="The hotel that the rate belongs to.")
    checkIn = fields.Day(logged=True, help_text="The day of arrival that was searched for.")
    checkOut = fields.Day(logged=True, help_text="The day of departure that was searched for.")
    rooms = RoomAnswer(many=True, logged=True, help_text="The rooms that the price covers, as in the search.")


@extend_schema_serializer(component_name="BookedHotelRoom")
class BookedRoomAnswer(AnswerBody):
    """The room, meals and terms that were booked."""

    roomName = serializers.CharField(help_text="The kind of room that was booked, in the supplier's words.")
    board = BoardAnswer(help_text="The meals that were booked.")
    refundable = serializers.BooleanField(
        help_text="Whether the rate was sold as refundable. `cancellationPolicy` states until when."
    )


class GuestAnswer(AnswerBody):
    """A person who stays."""

    firstName = serializers.CharField(help_text="The given name, as it was sent.")
    lastName = serializers.CharField(help_text="The family name, as it was sent.")
    type = fields.Choice(
        ["adult", "child"], logged=True, help_text="Whether the guest was booked as an adult or as a child."
    )
    age = serializers.IntegerField(
        allow_null=True,
        help_text="In whole years; `null` for adults, and for children whose age was not sent.",
    )


class HotelContactAnswer(AnswerBody):
    """How the hotel reaches the guests."""

    email = serializers.CharField(help_text="The e-mail address that the hotel was given.")
    phone = serializers.CharField(help_text="The phone number that the hotel was given, in E.164.")


@extend_schema_serializer(component_name="GuestCorrection")
class GuestCorrectionAnswer(AnswerBody):
    """A requested correction of the lead guest's name, handled by the supplier's staff."""

    status = fields.Choice(
        CorrectionStatus.values,
        logged=True,
        since="1.3",
        help_text=(
            "`requested`: it is with the supplier. `done`: the hotel has the new name, and `guests` shows it. `not_done`: the "
            "supplier did not correct it, or the booking was cancelled before; `guests` shows the name as it was."
        ),
    )
    guest = fields.Whole(logged=True, since="1.3", help_text="The guest: an index into `guests`, from 0.")
    firstName = fields.Text(since="1.3", help_text="The requested given name.")
    lastName = fields.Text(since="1.3", help_text="The requested family name.")
    requestedAt = fields.Instant(logged=True, since="1.3", help_text="When it was requested.")
    decidedAt = fields.Instant(
        allow_null=True, logged=True, since="1.3", help_text="When it ended; `null` while it is `requested`."
    )


@extend_schema_serializer(component_name="HotelChange")
class ChangeRecord(AnswerBody):
    """A change of the booking that was confirmed."""

    changeId = fields.Id(logged=True, since="1.3", help_text="The option that was taken, `change_…`.")
    differenceCents = fields.Cents(
        logged=True,
        since="1.3",
        help_text="What the change added to the total, penalty included; negative: it was refunded to you.",
    )
    penaltyCents = fields.Cents(
        logged=True,
        since="1.3",
        help_text="The penalty for giving up the earlier stay. It is part of the booking's `totalCents`.",
    )
    currency = fields.Currency(
        logged=True, since="1.3", help_text="ISO 4217 code of both amounts: that of the booking."
    )
    settled = fields.Flag(
        since="1.3",
        help_text="Whether its money has moved. `false`: it moves shortly, without a further call.",
    )
    settledAt = fields.Instant(
        allow_null=True, logged=True, since="1.3", help_text="When its money moved; `null` until then."
    )
    createdAt = fields.Instant(logged=True, since="1.3", help_text="When the change was confirmed.")


@extend_schema_serializer(component_name="HotelChangeUnderWay")
class ChangeUnderWayAnswer(AnswerBody):
    """A change in progress whose outcome is not known yet."""

    changeId = fields.Id(logged=True, since="1.3", help_text="The option that was to be taken, `change_…`.")
    startedAt = fields.Instant(logged=True, since="1.3", help_text="When the change began.")


class HotelBookingAnswer(booking_answer("pending", "awaiting_approval", "confirmed", "cancelled", "failed")):  # type: ignore[misc]
    """A stay that was booked, as it stands now."""

    rateId = fields.Id(logged=True, help_text="The rate that was booked, `rate_…`.")
    hotel = HotelAnswer(logged=True, help_text="The hotel as it was described when it was searched for.")
    room = BookedRoomAnswer(logged=True, help_text="What was booked for each of `rooms`.")
    checkIn = fields.Day(logged=True, help_text="The day of arrival at the hotel.")
    checkOut = fields.Day(logged=True, help_text="The day of departure from the hotel.")
    rooms = RoomAnswer(many=True, logged=True, help_text="How many people each room was booked for.")
    guests = GuestAnswer(many=True, logged=True, help_text="Who stays, in the order in which they were sent.")
    contact = HotelContactAnswer(logged=True, help_text="How the hotel reaches the guests.")
    specialRequests = serializers.CharField(
        allow_null=True, help_text="The request that was sent to the hotel; `null` for none."
    )
    confirmationCode = serializers.CharField(
        allow_null=True,
        help_text=("The hotel's own number for the booking, to show at its desk; `null` if it gave none."),
    )
    cancellationPolicy = serializers.JSONField(
        help_text=(
            "The supplier's terms as given at the booking, word for word. Until the booking is "
            "confirmed: those of the rate."
        )
    )
    cancellationSteps = cancellation_steps("the booking", "cancellationPolicy")
    payAtHotel = LocalChargeAnswer(
        many=True, help_text="What the guest pays at the hotel as well; not part of `totalCents`."
    )
    remarks = remarks()
    promotions = promotions()
    perks = perks()
    hotelPhone = fields.Text(
        allow_null=True,
        since="1.3",
        help_text="How to reach the hotel, as its supplier writes it; `null` if it does not provide it.",
    )
    hotelEmail = fields.Text(
        allow_null=True,
        since="1.3",
        help_text="The hotel's own address; `null` if the supplier names none.",
    )
    correction = GuestCorrectionAnswer(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text=(
            "The newest correction of the lead guest's name; `null` before the first, and once the travellers are erased."
        ),
    )
    changes = ChangeRecord(
        many=True,
        logged=True,
        since="1.3",
        help_text="Changes of the stay that were confirmed, oldest first. Empty: none.",
    )
    changeUnderWay = ChangeUnderWayAnswer(
        allow_null=True,
        logged=True,
        since="1.3",
        help_text=(
            "A change whose outcome is not known yet: the booking is either as before or as requested, and the service finds "
            "out which. Until then it can be neither changed nor cancelled. `null` without one."
        ),
    )


@extend_schema_serializer(component_name="ChangedHotelBooking")
class ChangedBookingAnswer(HotelBookingAnswer):
    """The booking after a confirmed change."""

    settled = fields.Flag(
        since="1.3",
        help_text=(
            "`true`: the money of the change has moved. `false`: the stay is changed and the money is refunded shortly; do "
            "not call again."
        ),
    )


class HotelChangeOptionsBody(Body):
    """What to change: at least one of the three. What you leave out stays as it is. Nothing is changed yet."""

    checkIn = StayDay(
        since="1.3",
        required=False,
        example=days_ahead(31),
        logged=True,
        help_text="The new day of arrival, not in the past by the hotel's local date.",
    )
    checkOut = StayDay(
        since="1.3",
        required=False,
        example=days_ahead(33),
        logged=True,
        help_text=f"The new day of departure, after `checkIn`, {MAX_NIGHTS} nights later at most.",
    )
    rooms = fields.Many(
        since="1.3",
        child=RoomBody(),
        min_length=1,
        max_length=MAX_ROOMS,
        required=False,
        logged=True,
        help_text=(
            "The new rooms. Each needs an adult of the booking, and every guest of the booking a place: children by their ages."
        ),
    )

    @checks("checkIn", "checkOut", "rooms")
    def change_something(self, given: dict[str, Any]) -> None:
        if not given:
            raise serializers.ValidationError({"checkIn": "is required, unless checkOut or rooms is given"})


@extend_schema_serializer(component_name="HotelChangeRequest")
class ConfirmHotelChangeBody(Body):
    """The option to take. The cost is held before the supplier is called."""

    changeId = fields.Id(
        since="1.3",
        example="change_…",
        logged=True,
        help_text="The option, `change_…`, 20 minutes old at most. An older or unknown one: 410 `offer_expired`.",
    )
    maxTotalCents = fields.Cents(
        since="1.3",
        required=False,
        logged=True,
        help_text=(
            "The most that the booking may cost after the change: its `totalCents` with the option's `differenceCents`. Left "
            "out: as quoted. If the price is higher: 409 `price_changed`, and nothing is changed."
        ),
    )


@extend_schema_serializer(component_name="HotelChangeOption")
class ChangeOptionAnswer(AnswerBody):
    """Another stay at the same hotel, and what changing to it costs."""

    changeId = fields.Id(
        since="1.3",
        logged=True,
        help_text="The option's id, `change_…`. Send it to confirm the change. It is valid until `expiresAt`.",
    )
    checkIn = fields.Day(since="1.3", logged=True, help_text="The day of arrival.")
    checkOut = fields.Day(since="1.3", logged=True, help_text="The day of departure.")
    rooms = RoomAnswer(
        since="1.3", many=True, logged=True, help_text="The rooms that the price covers, and what they are."
    )
    roomName = fields.Text(since="1.3", help_text="The kind of room, in the supplier's words.")
    board = BoardAnswer(since="1.3", help_text="Which meals the price covers.")
    refundable = fields.Flag(
        since="1.3",
        help_text="Whether cancelling the new stay can cost less than its whole price, and whether it can be changed again.",
    )
    totalCents = fields.Cents(since="1.3", logged=True, help_text="What the new stay costs.")
    currency = fields.Currency(
        since="1.3", logged=True, help_text="ISO 4217 code of this option's amounts: that of the booking."
    )
    differenceCents = fields.Cents(
        since="1.3",
        logged=True,
        help_text=(
            "What the change adds to what you have paid: `totalCents` and `penaltyCents`, less what was paid for the current "
            "stay. Negative: it is refunded to you."
        ),
    )
    penaltyCents = fields.Cents(
        since="1.3",
        logged=True,
        help_text=(
            "The penalty for giving up the current stay by its cancellation terms. It is part of `differenceCents` and is not "
            "refunded if the new stay is cancelled."
        ),
    )
    cancellationPolicy = serializers.JSONField(
        help_text="The supplier's own terms of the new stay, word for word."
    )
    cancellationSteps = cancellation_steps("the new stay", "cancellationPolicy")
    payAtHotel = LocalChargeAnswer(
        since="1.3",
        many=True,
        help_text=("What the guest pays at the hotel as well; not part of `totalCents`."),
    )
    expiresAt = fields.Instant(
        since="1.3",
        logged=True,
        help_text=(
            "Until when the option can be confirmed: for 20 minutes at most, and not beyond the next of the booking's "
            "`cancellationSteps`. From then on 410 `offer_expired`."
        ),
    )


@extend_schema_serializer(component_name="HotelChangeOptions")
class ChangeOptionsAnswer(AnswerBody):
    """What a booking can be changed to."""

    bookingId = fields.Id(since="1.3", logged=True, help_text="The booking to change, `hbk_…`.")
    options = ChangeOptionAnswer(
        since="1.3",
        many=True,
        help_text="What the hotel has for that stay, the cheapest first. Empty: nothing.",
    )
    withheld = withheld("options")


HotelBookingPage = page_of(HotelBookingAnswer)
