"""The stand-in refuses what theirs refuses: other parameters, other paths, other spellings."""

import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.hotels.suppliers.liteapi.stub import BOOKING, KEY, SEARCHING, LiteApiStub

SEARCH = {
    "hotelIds": ["lpstub01"],
    "occupancies": [{"adults": 2, "children": [7]}],
    "checkin": "2027-02-03",
    "checkout": "2027-02-04",
    "currency": "EUR",
    "guestNationality": "US",
}
DAYS = "bookingStartDate=2026-11-20&bookingEndDate=2026-11-23"


def answer(
    stub: LiteApiStub, method: str, path: str, body: Any = None, key: str = KEY
) -> tuple[int, int | None]:
    """The status, and the code of an error."""
    headers = {"X-API-Key": key, "Content-Type": "application/json"}
    content = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(stub.url + path, content, headers, method=method), timeout=10) as reply:
            return reply.status, None
    except HTTPError as refused:
        return refused.code, json.loads(refused.read())["error"].get("code") if refused.code != 404 else None


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("/bookings?clientReference=H-1&timeout=30", (200, None)),
        ("/bookings?guestId=7", (200, None)),
        ("/bookings", (400, 4002)),
        (f"/bookings?{DAYS}&status=confirmed", (400, 4002)),
        ("/bookings?clientreference=H-1", (400, 4002)),
        ("/bookings?clientReference=H-1&status=confirmed", (400, 4002)),
        (f"/bookings/?{DAYS}&status=confirmed", (200, None)),
        (f"/bookings/?{DAYS}&status=cancelled", (200, None)),
        (f"/bookings/?{DAYS}", (200, None)),
        (f"/bookings/?{DAYS}&status=CONFIRMED", (400, 4002)),
        (f"/bookings/?{DAYS}&status=confirmed&timeout=30", (400, 4002)),
        ("/bookings/?clientReference=H-1", (400, 4002)),
        ("/bookings/?bookingStartDate=2026-11-20", (400, 4002)),
        ("/bookings/?bookingStartDate=20.11.2026&bookingEndDate=2026-11-23", (400, 4002)),
        ("/bookings/BK1?timeout=30", (204, None)),
        ("/bookings/BK1?timeout=3000", (400, 4002)),
        ("/bookings/BK1/?timeout=30", (404, None)),
        ("/Bookings?clientReference=H-1", (404, None)),
    ],
)
def test_what_is_asked_of_the_lists(stub: LiteApiStub, query: str, told: tuple[int, int | None]) -> None:
    assert answer(stub, "GET", BOOKING + query) == told


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, (200, None)),
        ({"roomMapping": True, "limit": 3, "margin": 0, "timeout": 8}, (200, None)),
        ({"hotelIds": ["unknown"]}, (400, 4000)),
        ({"hotelIds": ["lpstub01"], "cityName": "Lisbon", "countryCode": "PT"}, (400, 4002)),
        ({"includeHoteldata": True}, (400, 4002)),
        ({"guestNationality": "us"}, (400, 4000)),
        ({"currency": None}, (400, 4000)),
        ({"checkin": "2027-02-05"}, (400, 4000)),
        ({"checkin": "2027-2-3"}, (400, 4000)),
        ({"timeout": 600}, (400, 4000)),
        ({"occupancies": []}, (400, 4002)),
        ({"occupancies": [{"adults": 2, "children": 1}]}, (400, 4002)),
        ({"occupancies": [{"adults": 0}]}, (400, 4000)),
        ({"occupancies": [{"adults": 1, "infants": 1}]}, (400, 4002)),
    ],
    ids=str,
)
def test_what_is_asked_of_a_search(
    stub: LiteApiStub, changes: dict[str, Any], told: tuple[int, int | None]
) -> None:
    assert answer(stub, "POST", f"{SEARCHING}/hotels/rates", {**SEARCH, **changes}) == told


def test_a_search_goes_to_the_host_that_searches(stub: LiteApiStub) -> None:
    assert answer(stub, "POST", f"{BOOKING}/hotels/rates", SEARCH) == (404, None)
    assert answer(stub, "POST", f"{SEARCHING}/rates/prebook", {}) == (404, None)


BOOK: dict[str, Any] = {
    "prebookId": "unknown",
    "clientReference": "H-1",
    "holder": {"firstName": "Ada", "lastName": "Byron", "email": "ada@example.com"},
    "guests": [{"occupancyNumber": 1, "firstName": "Ada", "lastName": "Byron", "email": "ada@example.com"}],
    "payment": {"method": "WALLET"},
}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "invalid prebookId"),
        ({"Payment": {}}, "request body validation: Payment is not allowed"),
        ({"payment": {"method": "wallet"}}, "request body validation: payment.method"),
        ({"guests": []}, "request body validation: guests is required"),
        ({"holder": {}}, "request body validation: email, firstName, lastName is required"),
    ],
    ids=str,
)
def test_what_is_asked_of_a_booking(stub: LiteApiStub, changes: dict[str, Any], told: str) -> None:
    status, body = stub.book(heard(BOOKING + "/rates/book", {**BOOK, **changes}))[:2]
    assert (status, body) == (400, {"error": {"code": 4002, "message": told}})


def heard(path: str, body: Any) -> Any:
    from tests.support.supplier_stub import Heard

    return Heard(
        "POST", path, {"timeout": "100"}, {"content-type": "application/json"}, json.dumps(body).encode()
    )


@pytest.mark.parametrize(
    ("method", "path", "told"),
    [
        ("GET", f"{SEARCHING}/data/hotel?hotelId=lpstub01", (200, None)),
        ("GET", f"{SEARCHING}/data/hotel?hotelid=lpstub01", (400, 4002)),
        ("GET", f"{SEARCHING}/data/hotel", (400, 4002)),
        ("GET", f"{SEARCHING}/data/hotel?hotelId=unknown", (404, None)),
        ("POST", f"{BOOKING}/bookings/BK1", (404, None)),
        ("PUT", f"{BOOKING}/bookings/BK1?timeout=30", (204, None)),
        ("DELETE", f"{BOOKING}/bookings/BK1", (404, None)),
    ],
)
def test_other_calls(stub: LiteApiStub, method: str, path: str, told: tuple[int, int | None]) -> None:
    assert answer(stub, method, path) == told


def test_another_key_is_refused_before_anything_else(stub: LiteApiStub) -> None:
    assert answer(stub, "GET", f"{BOOKING}/bookings", key=KEY.upper()) == (401, 401)
