"""Content of hotels on the wire (contract §7.4)."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.gateway import fields
from apps.gateway.serializers import AnswerBody, page_of
from apps.hotels.serializers import HotelId, ImageAnswer, LocationAnswer

LANGUAGE = "ISO 639-1 code of a language, such as `de`."


@extend_schema_serializer(component_name="HotelPropertyAddress")
class PropertyAddressAnswer(AnswerBody):
    """A postal address. An empty text is what the supplier does not say."""

    line = fields.Text(since="1.3", allow_blank=True, help_text="Street and number.")
    city = fields.Text(since="1.3", allow_blank=True, help_text="The city as the supplier names it.")
    zip = fields.Text(since="1.3", allow_blank=True, help_text="The postal code.")
    countryCode = fields.Country(since="1.3", help_text="The country that the hotel is in.")


@extend_schema_serializer(component_name="HotelFacility")
class FacilityAnswer(AnswerBody):
    """Something that the hotel has to offer."""

    code = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="The same for all hotels and languages, such as `wifi` or `indoor_pool`. `null` where none of ours fits.",
    )
    name = fields.Text(since="1.3", help_text="In the supplier's words, in `language`.")


@extend_schema_serializer(component_name="HotelPropertyRoom")
class PropertyRoomAnswer(AnswerBody):
    """A kind of room in the hotel. Which of them a rate is for is said by the rate's own `rooms`."""

    name = fields.Text(since="1.3", help_text="The kind of room, in the supplier's words.")
    description = fields.Text(
        since="1.3", allow_null=True, help_text="Plain text. `null` where the supplier does not say."
    )
    images = ImageAnswer(
        many=True, since="1.3", help_text="Pictures of the room, the first to be shown first."
    )
    beds = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="Its beds, in the supplier's words, such as `1 double bed`. `null` where it does not say.",
    )
    sizeM2 = fields.Whole(
        since="1.3", allow_null=True, help_text="In square metres. `null` where the supplier does not say."
    )
    maxOccupancy = fields.Whole(
        since="1.3",
        allow_null=True,
        help_text="How many people may sleep in it. `null` where the supplier does not say.",
    )
    amenities = serializers.ListField(
        child=serializers.CharField(), help_text="What the room has, in the supplier's words."
    )
    views = serializers.ListField(
        child=serializers.CharField(), help_text="What it looks out on, in the supplier's words."
    )


@extend_schema_serializer(component_name="HotelHouseRule")
class HouseRuleAnswer(AnswerBody):
    """One rule of the house."""

    kind = fields.Text(
        since="1.3",
        help_text="What it is about: `children`, `pets`, `parking`, `internet`, `groups` and others; `other` if it is not said.",
    )
    name = fields.Text(since="1.3", allow_blank=True, help_text="A title for people to read.")
    text = fields.Text(since="1.3", help_text="The rule, as plain text.")


@extend_schema_serializer(component_name="HotelPolicies")
class PoliciesAnswer(AnswerBody):
    """What guests must know before they arrive. Times are `HH:MM` by the hotel's clock, `null` where nothing is said."""

    checkInFrom = fields.Text(since="1.3", allow_null=True, help_text="From when on guests may arrive.")
    checkInUntil = fields.Text(since="1.3", allow_null=True, help_text="Until when guests may arrive.")
    checkOutUntil = fields.Text(since="1.3", allow_null=True, help_text="By when guests must leave.")
    importantInformation = fields.Text(
        since="1.3",
        allow_null=True,
        help_text=(
            "What the front desk will ask for, such as a deposit, an identity card or a resort fee, and how to get the keys. "
            "Plain text with line breaks. Show it before the booking."
        ),
    )
    items = HouseRuleAnswer(many=True, since="1.3", help_text="The rules of the house. Empty: none is known.")


class PropertyFacts(AnswerBody):
    """What is known of a hotel in every language."""

    hotelId = HotelId(since="1.3", logged=True, help_text="The hotel's id, as searches have it.")
    name = fields.Text(since="1.3", help_text="The hotel's name as travellers know it.")
    stars = fields.Number(
        since="1.3",
        allow_null=True,
        help_text="From 1 to 5, in halves. `null` where the supplier does not say.",
    )
    address = PropertyAddressAnswer(since="1.3", help_text="Where the hotel stands.")
    location = LocationAnswer(
        since="1.3",
        allow_null=True,
        help_text="The hotel's place on the map. `null` where it is not known: such a hotel is not sold.",
    )
    chain = fields.Text(
        since="1.3", allow_null=True, help_text="The chain that it belongs to; `null` for none."
    )
    reviewScore = fields.Number(
        since="1.3",
        allow_null=True,
        help_text="What guests think of the hotel, from 0 to 10. `null` where the supplier does not say.",
    )
    reviewCount = fields.Whole(
        since="1.3",
        allow_null=True,
        help_text="How many reviews `reviewScore` is of. `null` where the supplier does not say.",
    )
    updatedAt = fields.Instant(since="1.3", logged=True, help_text="When its content changed here.")


@extend_schema_serializer(component_name="HotelProperty")
class PropertyAnswer(PropertyFacts):
    """All that is known of a hotel, in one language."""

    description = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="The hotel in some paragraphs of plain text. `null` where the supplier does not say.",
    )
    images = ImageAnswer(
        many=True, since="1.3", help_text="Pictures of the hotel, the first to be shown first."
    )
    facilities = FacilityAnswer(many=True, since="1.3", help_text="What the hotel has to offer.")
    rooms = PropertyRoomAnswer(many=True, since="1.3", help_text="The kinds of rooms that it has.")
    policies = PoliciesAnswer(since="1.3", help_text="What guests must know before they arrive.")
    kind = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="What kind of house it is, in the supplier's words. `null` where it does not say.",
    )
    airport = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="IATA code of the nearest airport. `null` where none is named.",
    )
    phone = fields.Text(
        since="1.3",
        allow_null=True,
        help_text="The hotel's own number. `null` where the supplier does not say.",
    )
    languages = serializers.ListField(
        child=serializers.CharField(), help_text=f"The languages that can be asked for. {LANGUAGE}"
    )
    language = fields.Text(
        since="1.3",
        help_text=f"The language that all texts are in. {LANGUAGE} `en` where the hotel is not described in the one asked for.",
    )


class HotelPropertySummaryAnswer(PropertyFacts):
    """A hotel in a list. Read it by its `hotelId` for texts, rooms, facilities and policies."""

    image = ImageAnswer(
        since="1.3", allow_null=True, help_text="Its main picture. `null` where there is none yet."
    )
    deleted = fields.Flag(
        since="1.3",
        help_text="`true`: its supplier has taken it off, and reading it answers 404. Only with `updatedSince`.",
    )


PropertyPage = page_of(HotelPropertySummaryAnswer, order="the oldest change first")
