"""The answer of a search for places (contract §3, Places)."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from apps.gateway import fields
from apps.gateway.serializers import AnswerBody
from apps.places.models import PlaceType


@extend_schema_serializer(component_name="PlacePoint")
class PointAnswer(AnswerBody):
    """A point on the map."""

    latitude = fields.Number(since="1.3", help_text="In degrees; south is negative.")
    longitude = fields.Number(since="1.3", help_text="In degrees; west is negative.")


@extend_schema_serializer(component_name="Place")
class PlaceAnswer(AnswerBody):
    """A city, an airport, a hotel or a landmark."""

    placeId = fields.Id(
        since="1.3",
        logged=True,
        help_text="The place's id, `plc_…`. Hotel searches take it as their destination. It stays the same.",
    )
    type = fields.Choice(PlaceType.values, since="1.3", logged=True, help_text="What kind of place it is.")
    name = serializers.CharField(help_text="The name to show, in English or in the local language.")
    code = fields.Airport(
        since="1.3",
        allow_null=True,
        logged=True,
        help_text="The IATA code of an airport, or of a city that has its own. Flight and transfer searches take it.",
    )
    countryCode = fields.Country(since="1.3", logged=True, help_text="The country that it is in.")
    location = PointAnswer(since="1.3", help_text="Its location; of a city, the centre.")
    timeZone = serializers.CharField(help_text="The IANA name of its local time, such as `Europe/Lisbon`.")


class PlacesAnswer(AnswerBody):
    """The places that a query may mean."""

    data = PlaceAnswer(  # type: ignore[assignment]
        many=True,
        since="1.3",
        help_text="The likeliest first; without a `query`, the nearest. Empty: nothing was found.",
    )
