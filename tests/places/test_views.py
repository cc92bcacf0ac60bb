"""GET /v1/places: what it answers, to whom, and what it rejects."""

from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.places.services import HotelPlace, place_id
from tests.factories.gateway import api_of_new_partner
from tests.places.some_places import FIJI, load_hotels, load_some
from tests.support.api import Api

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> Api:
    load_some()
    load_hotels("test")
    load_hotels("live", HotelPlace("lp1", "Aurora Palace", "Lisbon", "PT", 38.71, -9.13), supplier="liteapi")
    return api_of_new_partner()


def names(api: Api, **parameters: object) -> list[str]:
    reply = api.get(f"/v1/places?{urlencode(parameters)}")
    assert reply.status == 200, reply.body
    return [place["name"] for place in reply.body["data"]]


def test_a_place_is_answered_with_its_code_point_and_clock(api: Api) -> None:
    reply = api.get("/v1/places?query=lis&limit=1")
    assert reply.body == {
        "data": [
            {
                "placeId": place_id("airport", "LIS"),
                "type": "airport",
                "name": "Lisbon Portela Airport",
                "code": "LIS",
                "countryCode": "PT",
                "location": {"latitude": 38.7813, "longitude": -9.13592},
                "timeZone": "Europe/Lisbon",
            }
        ]
    }
    assert api.get("/v1/places?query=Eiffel").body["data"][0]["code"] is None


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Lisboa", "Lisbon"),
        ("ЛИССАБОН", "Lisbon"),
        ("Lsibon", "Lisbon"),
        ("巴黎", "Paris"),
        ("Parigi, Italia", "Paris"),
        ("lisbon airport", "Lisbon Portela Airport"),
        ("aurora", "Hotel Aurora"),
        ("Hotel Auorra Lisbon", "Hotel Aurora"),
        ("ROM", "Rome"),
    ],
)
def test_it_finds_what_is_meant(api: Api, query: str, first: str) -> None:
    assert names(api, query=query)[0] == first


def test_a_country_chooses_among_namesakes(api: Api) -> None:
    found = {
        query: api.get(f"/v1/places?query={query}").body["data"][0]["countryCode"]
        for query in ("Paris", "Paris,%20USA", "Paris%20Texas", "Paris%20us", "%E7%BE%8E%E5%9B%BD%20paris")
    }
    assert list(found.values()) == ["FR", "US", "US", "US", "US"]
    assert [
        place["countryCode"] for place in api.get("/v1/places?query=paris&countryCode=US").body["data"]
    ] == ["US"]


def test_only_the_types_asked_for_are_answered(api: Api) -> None:
    assert names(api, query="lisbon", types="airport") == ["Lisbon Portela Airport"]
    assert names(api, query="lisbon", types="city, landmark") == ["Lisbon"]
    assert names(api, query="lisbon", types="hotel") == []


def test_the_nearest_are_answered_without_a_query_and_rank_higher_with_one(api: Api) -> None:
    assert names(api, near="48.86,2.3", limit=2) == ["Eiffel Tower", "Paris"]
    assert names(api, near="48.86,2.3", types="airport,hotel") == ["Lisbon Portela Airport", "Hotel Aurora"]
    nearer = api.get("/v1/places?query=paris&near=33,-95").body["data"]
    assert [place["countryCode"] for place in nearer[:2]] == ["US", "FR"]
    assert names(api, query="aurora", near="38.7, -9.1")[0] == "Hotel Aurora"


def test_what_lies_beyond_the_180th_meridian_is_near(api: Api) -> None:
    load_hotels("test", FIJI)
    assert names(api, near="-16.7,179.9", types="hotel", limit=1) == ["Taveuni Palms"]
    assert names(api, query="Taveuni Palms", near="-16.7,179.9", types="hotel") == ["Taveuni Palms"]


def test_a_hotel_is_found_in_its_own_environment_alone() -> None:
    load_hotels("test")
    load_hotels("live", HotelPlace("lp1", "Aurora Palace", "Lisbon", "PT", 38.71, -9.13), supplier="liteapi")
    test, live = api_of_new_partner(), api_of_new_partner(environment="live")
    assert [names(api, query="aurora") for api in (test, live)] == [["Hotel Aurora"], ["Aurora Palace"]]
    assert [names(api, near="38.7,-9.1") for api in (test, live)] == [["Hotel Aurora"], ["Aurora Palace"]]


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": " "}, "query"),
        ({"query": "…!"}, "query"),
        ({"query": "🏨"}, "query"),
        ({"query": "x" * 101}, "query"),
        ({"query": "", "near": "1,1"}, "query"),
        ({"query": "x", "types": ""}, "types"),
        ({"query": "x", "types": "city,town"}, "types"),
        ({"query": "x", "countryCode": "pt"}, "countryCode"),
        ({"query": "x", "countryCode": "ZZ"}, "countryCode"),
        ({"near": "1"}, "near"),
        ({"near": "1,2,3"}, "near"),
        ({"near": "nan,1"}, "near"),
        ({"near": "90.1,1"}, "near"),
        ({"near": "1,-180.5"}, "near"),
        ({"query": "x", "limit": 0}, "limit"),
        ({"query": "x", "limit": 51}, "limit"),
        ({"query": "x", "limit": "ten"}, "limit"),
    ],
)
def test_a_bad_parameter_is_rejected_by_its_name(api: Api, parameters: dict[str, object], field: str) -> None:
    reply = api.get(f"/v1/places?{urlencode(parameters)}")
    assert (reply.status, reply.error_type) == (400, "invalid_request")
    assert [detail["field"] for detail in reply.error["details"]] == [field]


@pytest.mark.parametrize(
    "query", ["x\x00y", "%", "'; DROP TABLE", "{a,b}", '"', "\\", "%(p0)s", "null", "a " * 50, "é" * 100]
)
def test_any_text_is_a_query(api: Api, query: str) -> None:
    assert api.get(f"/v1/places?{urlencode({'query': query})}").status in {200, 400}
    assert names(api, query="null 1 " + query[:90], near="0,0") == names(
        api, query="null 1 " + query[:90], near="0,0"
    )


@pytest.mark.parametrize("scope", ["hotels:search", "flights:search", "transfers:search"])
def test_any_scope_of_searches_opens_it(scope: str) -> None:
    assert api_of_new_partner(scopes=[scope]).get("/v1/places?query=x").status == 200


def test_other_scopes_do_not() -> None:
    reply = api_of_new_partner(scopes=["esim:read", "hotels:book"]).get("/v1/places?query=x")
    assert (reply.status, reply.error["missingScope"]) == (403, "hotels:search")


def test_it_is_open_while_hotels_are_not_sold(api: Api, settings) -> None:
    settings.SUPPLIERS = {**settings.SUPPLIERS, "hotels": {"live": "off"}}
    assert names(api, query="lisbon")[0] == "Lisbon"


@pytest.mark.parametrize(
    "parameters", ["query=lisbon", "near=38.7,-9.1", "query=hotel%20aurora%20lisbon&near=38.7,-9.1"]
)
def test_a_call_reads_places_in_one_statement(api: Api, parameters: str) -> None:
    api.get(f"/v1/places?{parameters}")
    with CaptureQueriesContext(connection) as queries:
        api.get(f"/v1/places?{parameters}")
    assert sum("places_place" in query["sql"] for query in queries.captured_queries) == 1


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("flights", {"origin": "plc_x", "destination": "LHR", "departureDate": "2026-12-24"}, "origin"),
        (
            "flights",
            {"slices": [{"origin": "LIS", "destination": "plc_x", "departureDate": "2026-12-24"}]},
            "slices.0.destination",
        ),
        ("transfers", {"from": {"type": "IATA", "code": "plc_x"}}, "from.code"),
        ("transfers", {"from": {"type": "PORT", "code": "plc_x"}}, "from.code"),
    ],
)
def test_flights_and_transfers_say_that_they_take_the_code(
    path: str, body: dict[str, object], field: str
) -> None:
    reply = api_of_new_partner().post(f"/v1/{path}/searches", body)
    assert reply.status == 400
    assert {"field": field, "message": "is a placeId; send the `code` of the place"} in reply.error["details"]
