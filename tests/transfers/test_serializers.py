"""Bad input: a 400 that names the field, whatever is wrong with it."""

from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from tests.support.api import Api
from tests.transfers.agency import LEAD, SEARCH, search

AIRPORT = {"type": "IATA", "code": "PMI"}
POINT = {"type": "GEO", "latitude": 39.57, "longitude": 2.65}


def day(days: int) -> str:
    return (clock.today() + timedelta(days=days)).isoformat()


def refused_search(api: Api, **changes: Any) -> list[str]:
    """The fields that a search is refused for."""
    body = {name: value for name, value in {**SEARCH, **changes}.items() if value is not ...}
    reply = api.post("/v1/transfers/searches", body)
    assert (reply.status, reply.error_type) == (400, "invalid_request"), reply.body
    assert reply.headers["X-Search-Billable"] == "false"
    return [detail["field"] for detail in reply.error["details"]]


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"from": {}}, ["from.type"]),
        ({"from": "PMI"}, ["from"]),
        ({"from": {"type": "iata", "code": "PMI"}}, ["from.type"]),
        ({"from": {"type": "IATA", "code": "XXX"}}, ["from.code"]),
        ({"from": {"type": "IATA", "code": "pmi"}}, ["from.code"]),
        ({"from": {"type": "IATA"}}, ["from.code"]),
        ({"to": {"type": "HOTEL"}}, ["to.code"]),
        ({"to": {"type": "STATION", "code": " "}}, ["to.code"]),
        ({"to": {"type": "PORT", "name": "Pier 3"}}, ["to.code"]),
        ({"to": {"type": "GEO"}}, ["to.latitude", "to.longitude"]),
        ({"to": {"type": "GEO", "latitude": 1}}, ["to.longitude"]),
        ({"to": {"type": "HOTEL", "code": "1", "longitude": 1}}, ["to.latitude"]),
        ({"to": {**POINT, "latitude": 90.01}}, ["to.latitude"]),
        ({"to": {**POINT, "longitude": -180.5}}, ["to.longitude"]),
        ({"to": {**POINT, "country": "XX"}}, ["to.country"]),
        ({"to": {**POINT, "floor": 2}}, ["to.floor"]),
        ({"to": AIRPORT}, ["to"]),
        ({"from": POINT, "to": {**POINT, "address": "Passeig 1"}}, ["to"]),
        ({"outbound": "2027-02-03T14:30:00Z"}, ["outbound"]),
        ({"outbound": "2027-02-03T14:30:00+01:00"}, ["outbound"]),
        ({"outbound": "2027-02-03"}, ["outbound"]),
        ({"outbound": "2027-02-30T14:30"}, ["outbound"]),
        ({"outbound": "2027-02-03T24:30"}, ["outbound"]),
        ({"outbound": "2020-01-01T00:00"}, ["outbound"]),
        ({"outbound": "9999-12-31T23:59:59"}, ["outbound"]),
        ({"adults": 0}, ["adults"]),
        ({"adults": 49}, ["adults"]),
        ({"adults": 40, "children": 9}, ["adults"]),
        ({"vehicleClass": "limousine"}, ["vehicleClass"]),
        ({"limit": 0}, ["limit"]),
        ({"limit": 101}, ["limit"]),
        ({"backTo": "PMI", "from": {**AIRPORT, "gate": 1}}, ["from.gate", "backTo"]),
        ({"inbound": "2027-02-03T14:30:00"}, ["inbound"]),
        ({"inbound": "2027-02-02T14:30:00"}, ["inbound"]),
        ({"inbound": "2027-02-04T14:30:00Z"}, ["inbound"]),
        ({"inbound": "2027-02-04"}, ["inbound"]),
        ({"inbound": "9999-12-31T23:59:59"}, ["inbound"]),
        ({"outbound": "2027-03-27T12:00", "inbound": "2027-03-28T02:30"}, ["inbound"]),  # clocks go forward
        ({"outbound": "2027-03-28T02:30", "inbound": "2027-03-27T12:00"}, ["outbound"]),
    ],
)
def test_a_search_is_refused_by_the_fields_that_are_wrong(api, changes, fields):
    assert refused_search(api, **changes) == fields


def test_a_search_may_be_for_yesterday_and_no_earlier(api: Api) -> None:
    assert search(api, outbound=f"{day(-1)}T00:00")["id"]
    assert refused_search(api, outbound=f"{day(-2)}T23:59:59") == ["outbound"]


def test_a_search_may_be_two_years_ahead_and_no_later(api: Api) -> None:
    assert search(api, outbound=f"{day(730)}T23:59:59")["offers"]
    assert refused_search(api, outbound=f"{day(731)}T00:00") == ["outbound"]


@pytest.mark.parametrize(
    "place",
    [
        {"type": "GEO", "latitude": 39, "longitude": 2, "name": "Finca", "address": "Camí 1", "zip": "07009"},
        {"type": "GEO", "latitude": 0.0, "longitude": -0.0},
        {"type": "GEO", "latitude": 39.57, "longitude": 2.65, "code": "ours-7"},
        {"type": "HOTEL", "code": "265", "latitude": 39.5, "longitude": 2.6},
        {"type": "STATION", "code": "ES-PMI-1", "town": "Palma De Mallorca", "country": "ES"},
        {"type": "PORT", "code": "ESPMI"},
        {"type": "IATA", "code": "BCN", "name": "El Prat"},
    ],
)
def test_every_kind_of_place_can_be_searched(api: Api, place: dict[str, Any]) -> None:
    assert search(api, to=place)["createdAt"]
    assert search(api, **{"from": place}, to=AIRPORT)["createdAt"]


def refused_order(api: Api, **changes: Any) -> list[str]:
    """The fields that an order is refused for."""
    body = {"quoteId": "quote_x", "leadPassenger": LEAD, **changes}
    reply = api.post(
        "/v1/transfers/orders", {name: value for name, value in body.items() if value is not ...}
    )
    assert (reply.status, reply.error_type) == (400, "invalid_request"), reply.body
    return [detail["field"] for detail in reply.error["details"]]


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"quoteId": ""}, ["quoteId"]),
        ({"leadPassenger": {}}, [f"leadPassenger.{name}" for name in LEAD]),
        ({"leadPassenger": {**LEAD, "firstName": "  "}}, ["leadPassenger.firstName"]),
        ({"leadPassenger": {**LEAD, "lastName": "a\tb"}}, ["leadPassenger.lastName"]),
        ({"leadPassenger": {**LEAD, "email": "ada"}}, ["leadPassenger.email"]),
        ({"leadPassenger": {**LEAD, "phone": "0210000000"}}, ["leadPassenger.phone"]),
        ({"leadPassenger": {**LEAD, "age": 30}}, ["leadPassenger.age"]),
        ({"flightNumber": "T" * 161}, ["flightNumber"]),
        ({"inboundFlightNumber": "T" * 161}, ["inboundFlightNumber"]),
        ({"inboundFlightNumber": ""}, ["inboundFlightNumber"]),
        ({"extras": {"code": "CST"}}, ["extras"]),
        ({"extras": [{"quantity": 1}]}, ["extras.0.code"]),
        ({"extras": [{"code": "CST", "quantity": 0}]}, ["extras.0.quantity"]),
        ({"extras": [{"code": "CST", "quantity": 1.5}]}, ["extras.0.quantity"]),
        ({"extras": [{"code": "CST"}, {"code": "C" * 33}]}, ["extras.1.code"]),
        ({"extras": [{"code": "CST"}] * 21}, ["extras"]),
        ({"notes": "x" * 256}, ["notes"]),
        ({"externalReference": "x" * 65}, ["externalReference"]),
        ({"maxTotalCents": -1}, ["maxTotalCents"]),
        ({"rateId": "rate_x"}, ["rateId"]),
    ],
)
def test_an_order_is_refused_by_the_fields_that_are_wrong(api, changes, fields):
    assert refused_order(api, **changes) == fields
