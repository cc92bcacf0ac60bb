"""Flight bodies and answers (contract §3, Flights)."""

from apps.flights.serializers.answers import FlightSearchAnswer, RepricedOfferAnswer
from apps.flights.serializers.bodies import (
    FURTHEST,
    MAX_PASSENGERS,
    AcceptScheduleChangeBody,
    ConfirmFlightChangeBody,
    FlightChangeOptionsBody,
    FlightOrderBody,
    FlightSearchBody,
    passengers_named,
    search_request,
)
from apps.flights.serializers.orders import (
    ChangeOptionsAnswer,
    FlightChangeAnswer,
    FlightOrderAnswer,
    FlightOrderPage,
)

__all__ = [
    "FURTHEST",
    "MAX_PASSENGERS",
    "AcceptScheduleChangeBody",
    "ChangeOptionsAnswer",
    "ConfirmFlightChangeBody",
    "FlightChangeAnswer",
    "FlightChangeOptionsBody",
    "FlightOrderAnswer",
    "FlightOrderBody",
    "FlightOrderPage",
    "FlightSearchAnswer",
    "FlightSearchBody",
    "RepricedOfferAnswer",
    "passengers_named",
    "search_request",
]
