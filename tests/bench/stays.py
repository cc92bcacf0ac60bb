"""The three calls that everything is measured by: the account, a hotel search, the booking of a rate."""

from datetime import UTC, datetime, timedelta

ACCOUNT, SEARCH, BOOKING = "GET account", "POST hotel search", "POST hotel booking"
CALLS = (ACCOUNT, SEARCH, BOOKING)
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
