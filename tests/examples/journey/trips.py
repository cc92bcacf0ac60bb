"""All that belongs to one trip, and who travels in the next days."""

from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    stage.call(
        "listBookings",
        "of-a-trip",
        "All of one trip: the hotel, the flight and the ride",
        query={"tripReference": "ACME-TRIP-7"},
    )
    stage.call(
        "listBookings",
        "by-days",
        "Who travels in these days",
        query={"serviceFrom": "2026-12-01", "serviceTo": "2027-12-31", "limit": "1"},
    )
