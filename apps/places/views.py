"""GET /v1/places."""

import re

from apps.common.errors import InvalidRequest
from apps.common.validators import COUNTRIES
from apps.gateway.operations import QueryParameter, RateClass, operation
from apps.gateway.pagination import read_number
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet
from apps.places import serializers
from apps.places.models import PlaceType
from apps.places.names import fold
from apps.places.queries import Sought
from apps.places.selectors import Candidate, find_places

LONGEST_QUERY = 100
DEFAULT_LIMIT, MAX_LIMIT = 10, 50
DEGREES = r"-?[0-9]{1,3}(?:\.[0-9]{1,12})?"
POINT = re.compile(f"({DEGREES}), ?({DEGREES})")
PARAMETERS = (
    QueryParameter(
        "query",
        {"type": "string", "minLength": 1, "maxLength": LONGEST_QUERY},
        "What your user typed, in any language and alphabet: a name or the beginning of one, `Paris, France`, or an IATA code. "
        "At least one letter or digit. Required unless `near` is sent.",
        since="1.3",
    ),
    QueryParameter(
        "types",
        {"type": "string", "minLength": 1},
        f"Only places of these types, separated by commas: {', '.join(f'`{type}`' for type in PlaceType.values)}. Left out: all.",
        since="1.3",
    ),
    QueryParameter(
        "countryCode",
        {"type": "string", "pattern": "^[A-Z]{2}$"},
        "Only places in this country. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo.",
        since="1.3",
    ),
    QueryParameter(
        "near",
        {"type": "string", "pattern": f"^{DEGREES}, ?{DEGREES}$"},
        "Latitude and longitude in degrees, separated by a comma. With `query`: nearer places rank higher. Without: the "
        "nearest places.",
        since="1.3",
    ),
    QueryParameter(
        "limit",
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT},
        "How many places the answer may have.",
        since="1.3",
    ),
)


class PlaceViewSet(GatewayViewSet):
    @operation(
        "searchPlaces",
        scope="hotels:search",
        other_scopes=("flights:search", "transfers:search"),
        rate_class=RateClass.READ,
        answer=serializers.PlacesAnswer,
        query=PARAMETERS,
        errors=(InvalidRequest,),
        since="1.3",
    )
    def list(self, request: PartnerRequest) -> Answer:
        """Search places as a user types.

        Finds cities, airports, hotels and landmarks by name in any language, with or without accents, from a prefix, and with
        one typing mistake. Free of charge and fast enough to call on each keystroke. Hotel searches take a `placeId` as their
        destination; flights and transfers take the `code`.
        """
        return Answer({"data": [place_json(place) for place in find_places(read_sought(request))]})


def place_json(place: Candidate) -> dict[str, object]:
    return {
        "placeId": place.id,
        "type": place.type,
        "name": place.name,
        "code": place.code,
        "countryCode": place.country_code,
        "location": {"latitude": place.latitude, "longitude": place.longitude},
        "timeZone": place.time_zone,
    }


def read_sought(request: PartnerRequest) -> Sought:
    """Raises InvalidRequest."""
    parameters = request.query_params
    near = read_near(parameters.get("near"))
    return Sought(
        query=read_query(parameters.get("query"), required=near is None),
        types=read_types(parameters.get("types")),
        environment=request.partner.environment,
        limit=read_number(request, "limit", default=DEFAULT_LIMIT, maximum=MAX_LIMIT),
        country=read_country(parameters.get("countryCode")),
        near=near,
    )


def read_query(text: str | None, *, required: bool) -> str:
    if text is None:
        if required:
            raise InvalidRequest.field("query", "is required unless `near` is sent")
        return ""
    if not 1 <= len(text.strip()) <= LONGEST_QUERY:
        raise InvalidRequest.field("query", f"must have 1 to {LONGEST_QUERY} characters")
    if not any(letter.isalnum() for letter in fold(text)):
        raise InvalidRequest.field("query", "must have at least one letter or digit")
    return text.strip()


def read_types(text: str | None) -> tuple[str, ...]:
    if text is None:
        return tuple(PlaceType.values)
    asked = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    if not set(asked) <= set(PlaceType.values):
        raise InvalidRequest.field("types", f"must be some of {', '.join(PlaceType.values)}, with commas")
    return asked


def read_country(code: str | None) -> str | None:
    if code is not None and code not in COUNTRIES:
        raise InvalidRequest.field("countryCode", "is not an ISO 3166-1 alpha-2 code")
    return code


def read_near(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    if not (match := POINT.fullmatch(text)):
        raise InvalidRequest.field("near", "must be latitude and longitude in degrees, such as 38.72,-9.14")
    latitude, longitude = float(match[1]), float(match[2])
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise InvalidRequest.field(
            "near", "must be a latitude from -90 to 90 and a longitude from -180 to 180"
        )
    return latitude, longitude
