"""The three calls that everything is measured by: the account, a hotel search, the booking of a rate."""

from datetime import UTC, datetime, timedelta

ACCOUNT, SEARCH, BOOKING = "GET account", "POST hotel search", "POST hotel booking"
CALLS = (ACCOUNT, SEARCH, BOOKING)
FLIGHTS = "POST flight search"
MEASURED = (ACCOUNT, SEARCH, FLIGHTS, BOOKING)
"""What `make bench ARGS=parts` takes apart."""
LARGE_CITIES = (
    "Paris",
    "Rome",
    "Madrid",
    "Berlin",
    "London",
    "Tokyo",
    "Bangkok",
    "Cairo",
)
"""Of twenty hotels each."""

Body = dict[str, object]


def search(city: str) -> Body:
    """Twenty hotels of a city, two nights, one room."""
    day = (datetime.now(UTC) + timedelta(days=60)).date()
    stay = {"checkIn": day.isoformat(), "checkOut": (day + timedelta(days=2)).isoformat()}
    return {**stay, "destination": {"city": city}, "limit": 20}


def booking(rate_id: str) -> Body:
    """For one of the two adults that a search is for by default."""
    return {
        "rateId": rate_id,
        "guests": [{"firstName": "Ada", "lastName": "Byron", "type": "adult"}],
        "contact": {"email": "ada@example.com", "phone": "+351210000000"},
    }


def flights() -> Body:
    """Twenty offers, there and back, for one adult."""
    day = (datetime.now(UTC) + timedelta(days=60)).date()
    back = day + timedelta(days=7)
    days = {"departureDate": day.isoformat(), "returnDate": back.isoformat()}
    return {"origin": "LIS", "destination": "BER", **days, "limit": 20}
