"""What the guide on test data promises to work. A test books every row (tests/docs/test_test_data.py)."""

from dataclasses import dataclass

DESTINATIONS = (
    '{"city": "Lisbon"}',
    '{"city": "London", "countryCode": "GB"}',
    '{"city": "New York City"}',
    '{"city": "Tokyo"}',
    '{"city": "Dubai"}',
    '{"countryCode": "ES"}',
)

ROUTES = (
    ("LHR", "JFK"),
    ("LIS", "LHR"),
    ("MAD", "BCN"),
    ("FRA", "SIN"),
    ("DXB", "BKK"),
    ("SYD", "MEL"),
)


@dataclass(frozen=True, slots=True)
class Ride:
    """Two places as a search takes them, in JSON, and the class of the cheapest offer for two adults."""

    start: str
    end: str
    vehicle: str


RIDES = (
    Ride(
        '{"type": "IATA", "code": "LIS"}', '{"type": "GEO", "latitude": 38.71, "longitude": -9.14}', "shuttle"
    ),
    Ride('{"type": "IATA", "code": "JFK"}', '{"type": "HOTEL", "code": "H1"}', "shuttle"),
    Ride('{"type": "HOTEL", "code": "H1", "town": "Paris"}', '{"type": "IATA", "code": "CDG"}', "shuttle"),
    Ride('{"type": "STATION", "code": "S1", "town": "Rome"}', '{"type": "PORT", "code": "P1"}', "shuttle"),
    Ride('{"type": "IATA", "code": "MAD"}', '{"type": "IATA", "code": "LIS"}', "economy"),
)

POLICIES = (
    ("shuttle", "free until 24 hours before, then all of it"),
    ("economy", "free until 24 hours before, then all of it"),
    ("comfort", "20 % from the booking on, all of it from 24 hours before"),
    ("minivan", "20 % from the booking on, all of it from 24 hours before"),
    ("minibus", "30 % from 7 days before, 60 % from 3 days before, all of it from 24 hours before"),
    ("business", "nothing back, from the booking on"),
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A query of the catalogue, and the name of a plan that it finds."""

    query: str
    name: str


PLANS = (
    Kind("country=PT&planType=data", "Portugal 1 GB, 7 days"),
    Kind("country=ES&planType=unlimited", "Spain Unlimited, 3 days"),
    Kind("country=PT&planType=voice_sms", "Portugal 5 GB + 60 minutes + 20 SMS, 30 days"),
    Kind("region=europe&planType=data", "Europe 10 GB, 30 days"),
)
