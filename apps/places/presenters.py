"""Places as the wire has them."""

from apps.places.ranking import Candidate


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
