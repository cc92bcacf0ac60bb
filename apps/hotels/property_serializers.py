"""Content of hotels on the wire (contract §7.4)."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.gateway import fields
from apps.gateway.serializers import AnswerBody, page_of
from apps.hotels.serializers import HotelId, ImageAnswer, LocationAnswer

LANGUAGE = "ISO 639-1 code of a language, such as `de`."


@extend_schema_serializer(component_name="HotelPropertyAddress")
class PropertyAddressAnswer(AnswerBody):
    """A postal address. Parts that the supplier does not provide are empty."""

    line = fields.Text(since="1.3", allow_blank=True, help_text="Street and number.")
    city = fields.Text(since="1.3", allow_blank=True, help_text="The city as the supplier names it.")
    zip = fields.Text(since="1.3", allow_blank=True, help_text="The postal code.")
    countryCode = fields.Country(since="1.3", help_text="The country that the hotel is in.")


@extend_schema_serializer(component_name="HotelFacility")
class FacilityAnswer(AnswerBody):
    """A facility or service that a hotel offers."""

    code = fields.Text(
        since="1.3",
        allow_null=True,
        help_text=(
            "The same for all hotels and languages, such as `wifi` or `indoor_pool`. `null` if none of ours matches."
        ),
    )
    name = fields.Text(since="1.3", help_text="In the supplier's words, in `language`.")


@extend_schema_serializer(component_name="HotelPropertyRoom")
class PropertyRoomAnswer(AnswerBody):
    """A kind of room in the hotel. A rate's own `rooms` show which of them it is for."""

    name = fields.Text(since="1.3", help_text="The kind of room, in the supplier's words.")
    description = fields.Text(
        since="1.3", allow_null=True, help_text="Plain text. `null` if the supplier does not provide it."
    )
    images = ImageAnswer(
        many=True, since="1.3", help_text="Pictures of the room, the first to be shown first."
    )
    beds = fields.Text(
        since="1.3",
        allow_null=True,
        help_text=(
            "Its beds, in the supplier's words, such as `1 double bed`. `null` if it does not provide it."
        ),
    )
    sizeM2 = fields.Whole(
        since="1.3",
        allow_null=True,
        help_text=("In square metres. `null` if the supplier does not provide it."),
    )
    maxOccupancy = fields.Whole(
        since="1.3",
        allow_null=True,
        help_text="How many people may sleep in it. `null` if the supplier does not provide it.",
    )
    amenities = serializers.ListField(
        child=serializers.CharField(), help_text="What the room has, in the supplier's words."
    )
    views = serializers.ListField(
        child=serializers.CharField(), help_text="Its views, in the supplier's words."
    )


@extend_schema_serializer(component_name="HotelHouseRule")
class HouseRuleAnswer(AnswerBody):
    """One of the hotel's rules."""

    kind = fields.Text(
        since="1.3",
        help_text=(
            "What it is about: `children`, `pets`, `parking`, `internet`, `groups` and others; `other` if not specified."
        ),
    )
    name = fields.Text(since="1.3", allow_blank=True, help_text="A title for people to read.")
    text = fields.Text(since="1.3", help_text="The rule, as plain text.")


@extend_schema_serializer(component_name="HotelPolicies")
class PoliciesAnswer(AnswerBody):
    """What guests must know before they arrive. Times are `HH:MM` in the hotel's local time, `null` if not provided."""

    checkInFrom = fields.Text(since="1.3", allow_null=True, help_text="The earliest check-in time.")
    checkInUntil = fields.Text(since="1.3", allow_null=True, help_text="The latest check-in time.")
    checkOutUntil = fields.Text(since="1.3", allow_null=True, help_text="The latest check-out time.")
    importantInformation = fields.Text(
        since="1.3",
        allow_null=True,
        help_text=(
            "What the front desk will ask for, such as a deposit, an identity card or a resort fee, and how to get the keys. "
            "Plain text with line breaks. Show it before the booking."
        ),
    )
    items = HouseRuleAnswer(many=True, since="1.3", help_text="The hotel's rules. Empty: none are known.")


class PropertyFacts(AnswerBody):
    """What is known of a hotel in every language."""

    hotelId = HotelId(since="1.3", logged=True, help_text="The hotel's id, as searches have it.")
    name = fields.Text(since="1.3", help_text="The hotel's name as travellers know it.")
    stars = fields.Number(
        since="1.3",
        allow_null=True,
        help_text="From 1 to 5, in halves. `null` if the supplier does not provide it.",
    )
    address = PropertyAddressAnswer(since="1.3", help_text="The hotel's location.")
    location = LocationAnswer(
        since="1.3",
        allow_null=True,
        help_text="The hotel's coordinates. `null` if unknown: such a hotel is not sold.",
    )
    chain = fields.Text(
        since="1.3", allow_null=True, help_text="The chain that it belongs to; `null` for none."
    )
    reviewScore = fields.Number(
        since="1.3",
        allow_null=True,
        help_text="The guests' average rating, from 0 to 10. `null` if the supplier does not provide it.",
    )
    reviewCount = fields.Whole(
        since="1.3",
        allow_null=True,
        help_text="The number of reviews behind `reviewScore`. `null` if the supplier does not provide it.",
    )
    updatedAt = fields.Instant(since="1.3", logged=True, help_text="When its content changed here.")


@extend_schema_serializer(component_name="HotelProperty")
class PropertyAnswer(PropertyFacts):
    """All that is known of a hotel, in one language."""

    description = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="A description of the hotel in several paragraphs of plain text. `null` if not provided.",
    )
    images = ImageAnswer(
        many=True, since="1.3", help_text="Pictures of the hotel, the first to be shown first."
    )
    facilities = FacilityAnswer(many=True, since="1.3", help_text="What the hotel offers.")
    rooms = PropertyRoomAnswer(many=True, since="1.3", help_text="The kinds of rooms that it has.")
    policies = PoliciesAnswer(since="1.3", help_text="What guests must know before they arrive.")
    kind = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="The kind of property, in the supplier's words. `null` if not provided.",
    )
    airport = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="IATA code of the nearest airport. `null` if none is named.",
    )
    phone = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="The hotel's own number. `null` if the supplier does not provide it.",
    )
    languages = serializers.ListField(
        child=serializers.CharField(), help_text=f"The available languages. {LANGUAGE}"
    )
    language = fields.Text(
        since="1.3",
        help_text=f"The language of all texts. {LANGUAGE} `en` if the hotel has no description in the requested one.",
    )


class HotelPropertySummaryAnswer(PropertyFacts):
    """A hotel in a list. Read it by its `hotelId` for texts, rooms, facilities and policies."""

    image = ImageAnswer(since="1.3", allow_null=True, help_text="Its main picture. `null` without one.")
    deleted = fields.Flag(
        since="1.3",
        help_text=(
            "`true`: its supplier has withdrawn it, and reading it gets 404. Only with `updatedSince`."
        ),
    )


PropertyPage = page_of(HotelPropertySummaryAnswer, order="the oldest change first")
