"""Duffel's test routes: what happens on each, whatever else is searched for."""

from tests.flights.suppliers.duffel.wire import Data

NO_OFFERS = ("PVD", "RAI")
GONE_ON_ORDER = ("LGW", "LHR")
DEARER_ON_EACH_READ = ("LHR", "STN")
AIRLINE_FAILS = ("LHR", "LGW")
BALANCE_EMPTY = ("LGW", "STN")
SEARCH_TIMES_OUT = ("STN", "LHR")
CONNECTIONS_ONLY = ("LHR", "DXB")
HELD_WITHOUT_PAYMENT = ("JFK", "EWR")
DETAILS_LATER = ("LTN", "STN")
ACCEPTED = ("SEN", "STN")
ACCEPTED_AND_FAILED = ("LCY", "STN")

ORDER_REFUSALS = {
    GONE_ON_ORDER: "offer_no_longer_available",
    AIRLINE_FAILS: "airline_unknown",
    BALANCE_EMPTY: "insufficient_balance",
}
ORDER_STATUSES = {DETAILS_LATER: 200, ACCEPTED: 202, ACCEPTED_AND_FAILED: 202}


def route_of(data: Data) -> tuple[str, str]:
    """Of a search's first leg, or of an offer's."""
    first = data["slices"][0]
    return code(first["origin"]), code(first["destination"])


def code(place: str | Data) -> str:
    return place if isinstance(place, str) else str(place["iata_code"])
