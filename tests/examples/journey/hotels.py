"""Hotels: search, look at a rate, book it, read it back, find it among others, cancel it."""

from datetime import date, timedelta
from typing import Any

from apps.gateway.declared import days_ahead
from apps.hotels.suppliers.simulator.adapter import HotelSimulator
from tests.examples.stage import Stage


def play(stage: Stage) -> None:
    flexible = find(stage)
    booking = stage.call(
        "createHotelBooking",
        "confirmed",
        "A refundable rate, confirmed",
        rateId=flexible["rateId"],
        externalReference="ACME-1001",
        tripReference="ACME-TRIP-7",
        specialRequests="A quiet room, please.",
        maxTotalCents=flexible["totalCents"],
    )
    stage.repeat(
        "createHotelBooking", "replayed", "Sent again, as after a lost response: nothing is booked twice"
    )
    stage.call("getHotelBooking", "confirmed", "A confirmed booking", id=booking["id"])
    book_another(stage)
    lose_one(stage, flexible)
    stage.call(
        "listHotelBookings",
        "newest",
        "The newest booking, and a cursor for the next ones",
        query={"limit": "1"},
    )
    stage.call(
        "listHotelBookings",
        "by-reference",
        "Found by your own reference",
        query={"externalReference": "ACME-1001", "tripReference": "ACME-TRIP-7", "status": "confirmed"},
    )
    stage.call(
        "listHotelBookings",
        "changed-since",
        "Bookings that changed since an instant, oldest change first",
        query={"updatedSince": booking["updatedAt"], "limit": "1"},
    )
    change(stage, booking)
    stage.call(
        "correctHotelGuest",
        "requested",
        "The supplier handles it: `guests` shows the name once it is done",
        id=booking["id"],
        guest=0,
        firstName="Ada",
        lastName="Lovelace",
    )
    quote = stage.call(
        "quoteHotelCancellation", "free-of-charge", "Cancelling now is free of charge", id=booking["id"]
    )
    stage.call(
        "cancelHotelBooking",
        "free-of-charge",
        "Cancelled free of charge",
        id=booking["id"],
        reason="The traveller fell ill.",
        cancellationQuoteId=quote["cancellationQuoteId"],
    )


def compare_dates(stage: Stage) -> None:
    stage.call(
        "searchHotelMinRates",
        "two-hotels",
        "The cheapest of three days of arrival in two hotels",
        hotelIds=["htl_2267057_00", "htl_2267057_03"],
        destination=...,
        **{"from": days_ahead(30)(), "to": days_ahead(32)()},
    )
    stage.call(
        "searchHotelMinRates",
        "destination",
        "A place instead of a list of hotels",
        to=days_ahead(30)(),
        rooms=[{"adults": 1}],
        hotelIds=...,
        destination={"city": "Andorra la Vella", "countryCode": "AD"},
    )


def change(stage: Stage, booking: dict[str, Any]) -> None:
    """One more night, and back."""
    arrival, departure = (date.fromisoformat(booking[name]) for name in ("checkIn", "checkOut"))
    later = (departure + timedelta(days=1)).isoformat()
    options = stage.call(
        "findHotelChangeOptions",
        "a-night-more",
        "One more night",
        id=booking["id"],
        checkIn=arrival.isoformat(),
        checkOut=later,
    )["options"]
    flexible = next(option for option in options if option["refundable"])
    stage.call(
        "changeHotelBooking",
        "longer",
        "One more night: the difference is captured immediately",
        id=booking["id"],
        changeId=flexible["changeId"],
        maxTotalCents=booking["totalCents"] + flexible["differenceCents"],
    )
    options = stage.call(
        "findHotelChangeOptions",
        "back-again",
        "Back to the earlier dates: a negative difference would be credited",
        id=booking["id"],
        checkIn=arrival.isoformat(),
        checkOut=departure.isoformat(),
    )["options"]
    stage.call(
        "changeHotelBooking",
        "shorter",
        "Fewer nights: the difference is credited shortly after, and `settled` becomes true",
        id=booking["id"],
        changeId=next(option["changeId"] for option in options if option["refundable"]),
    )


def find(stage: Stage) -> dict[str, Any]:
    """The cheapest refundable rate in Lisbon, re-priced."""
    found = stage.call("searchHotels", "lisbon", "Two nights in Lisbon for two", limit=2)
    stage.call(
        "getHotelSearch", "lisbon", "The same search, read again without using the quota", id=found["id"]
    )
    page_through(stage)
    compare_dates(stage)
    rates = [rate for hotel in found["hotels"] for rate in hotel["rates"] if rate["refundable"]]
    cheapest = min(rates, key=lambda rate: rate["totalCents"])
    rate: dict[str, Any] = stage.call(
        "getHotelRate", "refundable", "A refundable rate, priced again", id=cheapest["rateId"]
    )
    return rate


def page_through(stage: Stage) -> None:
    """The best hotels of a kind, two at a time."""
    found = stage.call(
        "searchHotels",
        "filtered-in-pages",
        "Hotels with a gym and breakfast, the best first, two at a time, in German",
        destination={"city": "Lisbon", "countryCode": "PT"},
        stars=[3, 4, 5],
        facilities=["gym"],
        boards=["BB", "HB"],
        minReviewScore=7.5,
        sort="review_score",
        language="de",
        limit=20,
        pageSize=2,
    )
    stage.call(
        "getHotelSearch",
        "next-page",
        "The next hotels, from the stored response",
        id=found["id"],
        query={"cursor": found["nextCursor"], "limit": "1"},
    )


def lose_one(stage: Stage, rate: dict[str, Any]) -> None:
    """The hotel was never reached: an event says that there is no booking, and its hold is released."""
    stage.lose("createHotelBooking", HotelSimulator, rateId=rate["rateId"], externalReference="ACME-1003")


def book_another(stage: Stage) -> None:
    hotels = stage.prepare("searchHotels")["hotels"]
    rate = hotels[0]["rates"][0]
    stage.prepare("createHotelBooking", rateId=rate["rateId"], externalReference="ACME-1002")
