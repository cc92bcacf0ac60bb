"""A few places, for tests that need no others: loading all takes seconds."""

from apps.places.models import PlaceType
from apps.places.services import HotelPlace, keep_hotels, keep_places, place_id
from apps.places.sources import Known

CITY, AIRPORT, LANDMARK = PlaceType.CITY, PlaceType.AIRPORT, PlaceType.LANDMARK
LISBON, PARIS, ROME = "Europe/Lisbon", "Europe/Paris", "Europe/Rome"
SHARED = (
    Known(
        CITY,
        "2267057",
        "Lisbon",
        None,
        "PT",
        38.72509,
        -9.1498,
        LISBON,
        8682,
        ("lisbon", "lisboa", "лиссабон"),
    ),
    Known(CITY, "2988507", "Paris", "PAR", "FR", 48.85341, 2.3488, PARIS, 9392, ("paris", "parigi", "巴黎")),
    Known(
        CITY,
        "4717560",
        "Paris",
        None,
        "US",
        33.66094,
        -95.55551,
        "America/Chicago",
        6013,
        ("paris", "paris texas"),
    ),
    Known(CITY, "3169070", "Rome", "ROM", "IT", 41.89193, 12.51133, ROME, 9054, ("rome", "roma")),
    Known(
        AIRPORT,
        "LIS",
        "Lisbon Portela Airport",
        "LIS",
        "PT",
        38.7813,
        -9.13592,
        LISBON,
        8420,
        ("lisbon portela airport", "lisbon airport"),
        spelled=("lis",),
        around=("lisbon",),
    ),
    Known(
        LANDMARK, "eiffeltower", "Eiffel Tower", None, "FR", 48.8584, 2.2945, PARIS, 8000, ("eiffel tower",)
    ),
)
HOTEL = HotelPlace("htl_2267057_01", "Hotel Aurora", "Lisbon", "PT", 38.72, -9.14, stars=4)
FIJI = HotelPlace("fj1", "Taveuni Palms", "Taveuni", "FJ", -16.7, -179.9)


def load_some() -> None:
    keep_places({place_id(place.type, place.source_id): place for place in SHARED}, {"": "other places"})


def load_hotels(environment: str, *hotels: HotelPlace, supplier: str = "simulator") -> None:
    keep_hotels(environment, supplier, hotels or (HOTEL,))
