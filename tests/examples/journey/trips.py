"""All that belongs to one trip, who travels in the next days, and what changed of any product."""

from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    trip = stage.call(
        "listBookings",
        "of-a-trip",
        "The newest booking of a trip, and a cursor for the others",
        query={"tripReference": "ACME-TRIP-7", "limit": "1"},
    )
    stage.call(
        "listBookings",
        "rest-of-a-trip",
        "The rest of the trip: a ride, a flight and a stay",
        query={"tripReference": "ACME-TRIP-7", "limit": "3", "cursor": trip["nextCursor"]},
    )
    stage.call(
        "listBookings",
        "by-days",
        "Bookings that begin on these days",
        query={
            "product": "hotel",
            "status": "confirmed",
            "serviceFrom": "2026-12-01",
            "serviceTo": "2027-12-31",
            "limit": "1",
        },
    )
    stage.call(
        "listBookings",
        "changed-since",
        "Bookings that changed since an instant, oldest change first",
        query={"updatedSince": trip["data"][0]["updatedAt"], "limit": "1"},
    )
