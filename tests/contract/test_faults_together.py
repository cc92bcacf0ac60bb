"""One refusal tells every fault that a body alone shows: a table of bodies with two faults and more (contract §1)."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.common.errors import MAX_DETAILS, InvalidRequest
from apps.esim.suppliers.base import REFUND_REASONS
from apps.gateway.serializers import UNKNOWN, validate
from apps.keys.scopes import GRANTABLE
from tests.factories.gateway import api_of_new_partner
from tests.support.operations import operation_of, operations

Fault = tuple[str, str]
Body = dict[str, Any]

REQUIRED = "is required"
WHOLE = "must be a whole number"
STRING = "must be a string"
DATE = "must be a date in the form YYYY-MM-DD"
BLANK = "must not be empty"
PHONE = "must be a phone number in E.164, such as +351210000000"
ELSEWHERE = "must differ from origin"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def with_a_live_key() -> Iterator[None]:
    clock.enter(clock.Place("acc_a", "live"))
    yield
    clock.enter(None)


def dated(body: Body) -> Body:
    """The body with `day+9` as the day in nine days."""
    text = re.sub(
        r"day([+-]\d+)",
        lambda days: (clock.today() + timedelta(days=int(days[1]))).isoformat(),
        json.dumps(body),
    )
    found: Body = json.loads(text)
    return found


def lone(maximum: str, body: Body) -> tuple[Body, list[Fault]]:
    """Bodies that have little in them: a wrong amount, and a name that is not known."""
    return {maximum: "1", **body, "zz": 1, "also": 2}, [(maximum, WHOLE), ("also", UNKNOWN), ("zz", UNKNOWN)]


CASES: list[tuple[str, Body, list[Fault]]] = [
    ("searchHotels", {"checkIn": "day+9", "checkOut": "day+9", "limit": 0, "where": "Rome"}, [
        ("checkOut", "must be after checkIn"),
        ("limit", "must be at least 1"),
        ("where", UNKNOWN),
    ]),
    ("searchHotels", {"rooms": [{"adults": 2}, {"adults": 0, "pets": 1}], "checkIn": "day+1", "checkOut": "day+40"}, [
        ("checkOut", "must be at most 30 nights after checkIn"),
        ("rooms.1.adults", "must be at least 1"),
        ("rooms.1.pets", UNKNOWN),
    ]),
    ("searchHotels", {"checkIn": "soon", "checkOut": "day-9", "location": {"latitude": 91}}, [
        ("location.latitude", "must be at most 90"),
        ("location.longitude", REQUIRED),
        ("checkIn", DATE),
        ("checkOut", "must not be in the past"),
    ]),
    ("searchHotels", {"sort": "distance", "stars": [6], "boards": ["BB", "XX"], "name": "!", "pageSize": 0, "limit": 201}, [
        ("stars.0", "must be at most 5"),
        ("boards.1", "must be one of RO, BB, HB, FB, AI"),
        ("name", "must have at least one letter or digit"),
        ("sort", "must not be distance without location"),
        ("limit", "must be at most 200"),
        ("pageSize", "must be at least 1"),
    ]),
    ("searchHotelMinRates", {"from": "day+9", "to": "day+40", "nights": 31, "destination": {}, "hotelIds": ["a"], "day": 1}, [
        ("destination", "must not be sent together with hotelIds"),
        ("to", "must be at most 30 days after `from`"),
        ("nights", "must be at most 30"),
        ("day", UNKNOWN),
    ]),
    ("createHotelBooking", {
        "rateId": 1,
        "guests": [
            {"firstName": "Ada", "lastName": "Byron", "type": "adult", "age": 7, "seat": 1},
            {"firstName": "", "type": "adult", "age": 7},
        ],
        "contact": {"email": "ada", "phone": "1"},
        "more": None,
    }, [
        ("rateId", STRING),
        ("guests.0.age", "must be left out of adults"),
        ("guests.0.seat", UNKNOWN),
        ("guests.1.firstName", BLANK),
        ("guests.1.lastName", REQUIRED),
        ("guests.1.age", "must be left out of adults"),
        ("contact.email", "must be an e-mail address"),
        ("contact.phone", PHONE),
        ("more", UNKNOWN),
    ]),
    ("searchFlights", {
        "origin": "LHR", "destination": "LHR", "departureDate": "day+9", "returnDate": "day+8",
        "passengers": {"adults": 6, "children": 5, "infants": 7, "dogs": 1}, "cabin": "roof",
    }, [
        ("destination", ELSEWHERE),
        ("returnDate", "must not be before departureDate"),
        ("passengers", "must have at most 9 adults and children"),
        ("passengers.infants", "must be at most 1 for each adult"),
        ("passengers.dogs", UNKNOWN),
        ("cabin", "must be one of economy, premium_economy, business, first"),
    ]),
    ("searchFlights", {
        "origin": "LHR", "destination": "LHR", "departureDate": "x", "returnDate": "day+8",
        "passengers": {"children": "5", "infants": 2},
    }, [
        ("destination", ELSEWHERE),
        ("departureDate", DATE),
        ("passengers.children", WHOLE),
        ("passengers.infants", "must be at most 1 for each adult"),
    ]),
    ("createFlightOrder", {
        "offerId": "offer_1",
        "passengers": [
            {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "2999-01-01", "type": "adult"},
            {"title": "sir", "firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1990-12-10", "type": "baby"},
        ],
        "contact": {"phone": "+351210000000", "fax": 1},
        "services": [{"serviceId": "service_1", "quantity": 0}, {"id": 1}],
    }, [
        ("passengers.0.title", "is required with a live key"),
        ("passengers.0.dateOfBirth", "must be a day from 1900 to today"),
        ("passengers.1.title", "must be one of mr, ms, mrs, miss, dr"),
        ("passengers.1.type", "must be one of adult, child, infant"),
        ("contact.email", REQUIRED),
        ("contact.fax", UNKNOWN),
        ("services.0.quantity", "must be at least 1"),
        ("services.1.serviceId", REQUIRED),
        ("services.1.id", UNKNOWN),
    ]),
    ("addFlightOrderServices", {"maxTotalCents": -1}, [
        ("services", REQUIRED),
        ("maxTotalCents", "must be at least 0"),
    ]),
    ("listFlightChangeOptions", {"add": {"origin": "JFK", "destination": "JFK", "departureDate": 1, "cabin": "x"}}, [
        ("removeSliceId", REQUIRED),
        ("add.destination", ELSEWHERE),
        ("add.departureDate", DATE),
        ("add.cabin", UNKNOWN),
    ]),
    ("changeFlightOrder", {"changeId": 1, "price": 2}, [("changeId", STRING), ("price", UNKNOWN)]),
    ("searchTransfers", {
        "from": {"type": "IATA", "latitude": 1},
        "to": {"type": "GEO", "latitude": 91, "where": 1},
        "outbound": "2020-01-01T10:00:00", "adults": 40, "children": 8, "infants": 1,
    }, [
        ("from.code", "is required for IATA"),
        ("from.longitude", "must come with the other coordinate"),
        ("to.latitude", "must be at most 90"),
        ("to.longitude", "is required for GEO"),
        ("to.where", UNKNOWN),
        ("outbound", "must not be in the past"),
        ("adults", "must be at most 48 together with children and infants"),
    ]),
    ("searchTransfers", {
        "from": {"type": "HOTEL", "code": "1"}, "to": {"type": "HOTEL", "code": "1"}, "adults": 0, "outbound": 1,
    }, [
        ("to", "must differ from `from`"),
        ("outbound", "must be a local date-time without offset, such as 2027-02-03T14:30:00"),
        ("adults", "must be at least 1"),
    ]),
    ("searchTransfers", {
        "from": {"type": "IATA", "code": "QQQ"}, "to": {"type": "CASTLE", "longitude": 7}, "adults": 1,
        "outbound": "day+9T10:00",
    }, [
        ("from.code", "is not the IATA code of an airport that is open to passengers"),
        ("to.type", "must be one of IATA, HOTEL, STATION, PORT, GEO"),
        ("to.latitude", "must come with the other coordinate"),
    ]),
    ("createTransferOrder", {"leadPassenger": {"firstName": 1, "email": "x", "phone": "1"}, "notes": "", "x": 1}, [
        ("quoteId", REQUIRED),
        ("leadPassenger.firstName", STRING),
        ("leadPassenger.lastName", REQUIRED),
        ("leadPassenger.email", "must be an e-mail address"),
        ("leadPassenger.phone", PHONE),
        ("notes", BLANK),
        ("x", UNKNOWN),
    ]),
    ("createEsimOrder", *lone("maxTotalCents", {"planId": "plan_1"})),
    ("createEsimTopUp", *lone("maxTotalCents", {"planId": "plan_1"})),
    ("cancelHotelBooking", *lone("maxPenaltyCents", {})),
    ("cancelFlightOrder", {"acceptAirlineCredit": 1, "cancellationQuoteId": 7, "x": 1}, [
        ("cancellationQuoteId", STRING), ("acceptAirlineCredit", "must be true or false"), ("x", UNKNOWN),
    ]),
    ("findHotelChangeOptions", {"checkIn": 1, "rooms": [{"adults": 7}], "x": 1}, [
        ("checkIn", DATE), ("rooms.0.adults", "must be at most 6"), ("x", UNKNOWN),
    ]),
    ("changeHotelBooking", {"changeId": 1, "maxTotalCents": -1, "x": 2}, [
        ("changeId", STRING), ("maxTotalCents", "must be at least 0"), ("x", UNKNOWN),
    ]),
    ("quoteHotelCancellation", {"b": 1, "a": 2}, [("a", UNKNOWN), ("b", UNKNOWN)]),
    ("correctHotelGuest", {"guest": -1, "firstName": 1, "x": 1}, [
        ("guest", "must be at least 0"), ("firstName", STRING), ("lastName", REQUIRED), ("x", UNKNOWN),
    ]),
    ("requestEsimRefund", {"reason": "rain", "notes": 1, "x": 1}, [
        ("reason", "must be one of " + ", ".join(REFUND_REASONS)), ("notes", STRING), ("x", UNKNOWN),
    ]),
    ("createWebhookEndpoint", {"url": "ftp://x", "events": ["booking.confirmed", "nothing", 1], "secret": "x"}, [
        ("url", "must be an https URL"),
        ("events.1", "is not an event type that can be subscribed to"),
        ("events.2", STRING),
        ("secret", UNKNOWN),
    ]),
    ("updateWebhookEndpoint", {"url": "https://u:p@example.com", "events": ["checkout.created"], "status": "on"}, [
        ("url", "must not have a user name or password"),
        ("events.0", "is not an event type that can be subscribed to"),
        ("status", "must be one of enabled, disabled"),
    ]),
    ("rotateWebhookSecret", {"immediate": 1, "now": True}, [
        ("immediate", "must be true or false"), ("now", UNKNOWN),
    ]),
    ("payFlightOrder", *lone("maxTotalCents", {})),
    ("acceptFlightScheduleChange", {"b": 1, "a": 2}, [("a", UNKNOWN), ("b", UNKNOWN)]),
    ("testWebhookEndpoint", {"b": 1, "a": 2}, [("a", UNKNOWN), ("b", UNKNOWN)]),
]  # fmt: skip


def told(operation: str, body: Body) -> list[Fault]:
    route = operation_of(operation).route
    assert route.body is not None
    with pytest.raises(InvalidRequest) as refusal:
        validate(route.body, body)
    details: Any = refusal.value.extras["details"]
    return [(detail["field"], detail["message"]) for detail in details]


@pytest.mark.parametrize(
    ("operation", "body", "expected"), [pytest.param(*case, id=case[0]) for case in CASES]
)
def test_all_faults_are_told_in_the_order_in_which_fields_are_declared(
    operation: str, body: Body, expected: list[Fault]
):
    assert len(expected) > 1
    assert told(operation, dated(body)) == expected
    assert told(operation, dict(reversed(dated(body).items()))) == expected


def test_every_body_is_in_the_table():
    bodies = {operation.route.body for operation in operations() if operation.route.body}
    assert bodies == {operation_of(operation).route.body for operation, _, _ in CASES}


def test_they_come_in_one_answer_and_its_replay():
    api = api_of_new_partner(scopes=GRANTABLE)
    [(_, body, expected)] = [case for case in CASES if case[0] == "createWebhookEndpoint"]

    first, second = (api.post("/v1/webhooks/endpoints", body, key="one-and-the-same") for _ in range(2))

    assert (first.status, first.error_type) == (400, "invalid_request")
    assert [(detail["field"], detail["message"]) for detail in first.error["details"]] == expected
    assert second.error["details"] == first.error["details"]


def test_fifty_are_told_and_the_rest_is_counted():
    guest = {"firstName": "", "type": "adult", "age": 7}
    route = operation_of("createHotelBooking").route
    with pytest.raises(InvalidRequest) as refusal:
        validate(route.body or object, {"guests": [guest] * 20, "x" * 200: 1})

    faults = 20 * 3 + 2 + 1  # of each guest three; rateId and contact; the unknown name
    details: Any = refusal.value.extras["details"]
    assert (len(details), refusal.value.extras["detailsOmitted"]) == (MAX_DETAILS, faults - MAX_DETAILS)
    assert [detail["field"] for detail in details[:4]] == [
        "rateId",
        "guests.0.firstName",
        "guests.0.lastName",
        "guests.0.age",
    ]
