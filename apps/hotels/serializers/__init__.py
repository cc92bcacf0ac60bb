"""Hotel bodies and answers (contract §3, Hotels)."""

from apps.hotels.serializers.answers import (
    HotelBookingAnswer,
    HotelBookingPage,
    HotelSearchAnswer,
    QuotedRateAnswer,
)
from apps.hotels.serializers.bodies import (
    FURTHEST,
    MAX_ADULTS,
    MAX_CHILDREN,
    MAX_HOTEL_IDS,
    MAX_NIGHTS,
    MAX_RADIUS_KM,
    MAX_ROOMS,
    OLDEST_CHILD,
    HotelBookingBody,
    HotelSearchBody,
    party_named,
    search_request,
)

__all__ = [
    "FURTHEST",
    "MAX_ADULTS",
    "MAX_CHILDREN",
    "MAX_HOTEL_IDS",
    "MAX_NIGHTS",
    "MAX_RADIUS_KM",
    "MAX_ROOMS",
    "OLDEST_CHILD",
    "HotelBookingAnswer",
    "HotelBookingBody",
    "HotelBookingPage",
    "HotelSearchAnswer",
    "HotelSearchBody",
    "QuotedRateAnswer",
    "party_named",
    "search_request",
]
