"""A place of GET /v1/places as the destination of a search."""

from decimal import Decimal

from apps.common.errors import InvalidRequest
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import Area, StaySearch
from apps.keys.partner import Partner
from apps.places.models import Place, PlaceType
from apps.places.selectors import place_of
from apps.suppliers.values import replaced

FIELD = "destination.placeId"
RADIUS_KM = {PlaceType.CITY: 10, PlaceType.AIRPORT: 15, PlaceType.LANDMARK: 5}
"""Around a point. A city is searched for by its name, where that name means it."""


def at_place(request: StaySearch, place_id: str, partner: Partner) -> StaySearch:
    """The search at this place. Raises InvalidRequest for an unknown one, and for a city whose hotels are to be sorted by their
    distance, for it has no centre that they could be measured from.
    """
    place = place_of(partner.environment, place_id)
    if place is None:
        raise InvalidRequest.field(FIELD, "is not the id of a place; GET /v1/places finds it")
    if place.type == PlaceType.HOTEL:
        return replaced(request, hotel_ids=(place.source_id,))
    if place.type == PlaceType.CITY and is_meant_by_its_name(place):
        if request.sort == "distance":
            raise InvalidRequest.field("sort", "must not be distance in a city")
        return replaced(request, city=place.name, country=place.country_code)
    area = Area(
        latitude=Decimal(str(place.latitude)),
        longitude=Decimal(str(place.longitude)),
        radius_km=Decimal(RADIUS_KM[PlaceType(place.type)]),
    )
    return replaced(request, area=area)


def is_meant_by_its_name(place: Place) -> bool:
    """Not a small city, nor one with a larger namesake in its country: suppliers would look elsewhere."""
    city = cities.find(place.name, place.country_code)
    return city is not None and str(city.id) == place.source_id
