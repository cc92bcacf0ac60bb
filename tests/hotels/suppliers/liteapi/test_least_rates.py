"""Cheapest dates of LiteAPI: one call a day, some at once, within one bound; a day without an answer is counted."""

import threading
import time
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest

from apps.gateway.models import SearchUsage
from apps.hotels.services import least_rates
from apps.hotels.suppliers.base import StaySearch
from apps.hotels.suppliers.liteapi import mapping
from apps.hotels.suppliers.liteapi.adapter import LiteApiHotels
from apps.suppliers import side_by_side
from apps.suppliers.errors import Unavailable
from apps.suppliers.http import all_within
from apps.suppliers.models import SupplierAlert
from apps.suppliers.results import Withheld
from tests.gateway.searches import quota_of
from tests.hotels.front_desk import FrontDesk, faults, in_days
from tests.hotels.suppliers.liteapi.asked import Json
from tests.hotels.suppliers.liteapi.stub import LEAST, RATES, LiteApiStub, refused
from tests.hotels.suppliers.requests import CHECK_IN, a_search
from tests.support.api import Api, Reply
from tests.support.supplier_stub import Trouble

pytestmark = pytest.mark.django_db(transaction=True)

HOTELS = ("lpstub01", "lpstub02")


def asked(**changes: Any) -> StaySearch:
    return a_search(city=None, country=None, hotel_ids=HOTELS, **changes)


def least(api: Api, **changes: Any) -> Reply:
    body = {"hotelIds": list(HOTELS), "from": in_days(30), "to": in_days(39), "nights": 2, **changes}
    return api.post("/v1/hotels/min-rates", body)


def answers_only(stub: LiteApiStub, monkeypatch: pytest.MonkeyPatch, days: set[str]) -> None:
    """For the other check-ins it answers what nobody can read."""
    answer = stub.books.least
    monkeypatch.setattr(stub.books, "least", lambda body: answer(body) if body["checkin"] in days else [])


def test_one_call_a_day_is_sent_with_what_they_take(live: Api, stub: LiteApiStub) -> None:
    reply = least(live, rooms=[{"adults": 1, "childrenAges": [7]}], guestNationality="DE")
    assert (reply.status, len(reply.body["data"]), quota_of(reply)) == (200, 20, (5000, 4998, "true"))
    sent = sorted((heard.json for heard in stub.heard_by(*LEAST)), key=lambda body: str(body["checkin"]))
    assert [body["checkin"] for body in sent] == [in_days(n) for n in range(30, 40)]
    assert sent[0] == {
        "occupancies": [{"adults": 1, "children": [7]}],
        "checkin": in_days(30),
        "checkout": in_days(32),
        "currency": "EUR",
        "guestNationality": "DE",
        "hotelIds": list(HOTELS),
        "timeout": 6,
    }


def test_three_days_of_ten_are_answered_seven_counted_and_it_is_billed_once(
    live: Api, stub: LiteApiStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = {in_days(n) for n in (30, 34, 39)}
    answers_only(stub, monkeypatch, days)
    reply = least(live)
    assert {rate["checkIn"] for rate in reply.body["data"]} == days
    assert (reply.status, reply.body["withheld"]) == (200, {"unreadable": 7})
    assert quota_of(reply) == (5000, 4998, "true")
    assert [usage.billable for usage in SearchUsage.objects.all()] == [2]


@pytest.mark.usefixtures("no_pauses")
@pytest.mark.parametrize(
    ("trouble", "status"),
    [
        (refused(5000, 500, times=-1), 503),
        (refused(429, 429, times=-1), 503),
        (Trouble(status=200, body=b'{"data": 7}', times=-1), 503),
        (refused(4000, times=-1), 502),
        (refused(401, 401, times=-1), 503),
    ],
)
def test_where_no_day_is_answered_nothing_is_billed(
    live: Api, stub: LiteApiStub, trouble: Trouble, status: int
) -> None:
    stub.trouble(*LEAST, trouble)
    reply = least(live)
    assert (reply.status, quota_of(reply)) == (status, (5000, 5000, "false"))
    assert not SearchUsage.objects.exists()
    assert SupplierAlert.objects.count() == (trouble.status == 401)


def test_a_field_that_they_do_not_take_has_the_name_that_it_has_here(live: Api, stub: LiteApiStub) -> None:
    stub.trouble(*LEAST, refused(4000, told="invalid checkin", times=-1))
    assert faults(least(live)) == ["from"]


def test_nothing_to_be_had_is_an_answer(live: Api, stub: LiteApiStub) -> None:
    stub.books.sold_out = True
    reply = least(live)
    assert (reply.status, reply.body) == (200, {"data": [], "withheld": {"unreadable": 0}})
    assert quota_of(reply) == (5000, 4998, "true")


def test_a_destination_is_searched_once_for_its_hotels(live: Api, stub: LiteApiStub) -> None:
    reply = live.post(
        "/v1/hotels/min-rates",
        {"destination": {"city": "Lisbon", "countryCode": "PT"}, "from": in_days(30), "to": in_days(31)},
    )
    assert {rate["hotelId"] for rate in reply.body["data"]} == {"lpstub01", "lpstub02", "lpstub03"}
    assert [heard.json["limit"] for heard in stub.heard_by(*RATES)] == [50]


def test_the_price_is_no_less_than_that_of_a_search(desk: FrontDesk, live: Api) -> None:
    found = least(live, to=in_days(30)).body["data"]
    stay = {"hotelIds": list(HOTELS), "checkIn": in_days(30), "checkOut": in_days(32)}
    searched = {h["hotelId"]: min(r["totalCents"] for r in h["rates"]) for h in desk.hotels(stay)}
    assert {rate["hotelId"]: rate["totalCents"] for rate in found} == searched


def counting(answer: Callable[[Json], Json], under_way: list[int]) -> Callable[[Json], Json]:
    lock, running = threading.Lock(), [0]

    def counted(body: Json) -> Json:
        with lock:
            running[0] += 1
            under_way.append(running[0])
        time.sleep(0.05)
        with lock:
            running[0] -= 1
        return answer(body)

    return counted


def test_at_most_eight_are_under_way_and_the_request_waits_for_no_more_than_its_bound(
    hotels: LiteApiHotels, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way: list[int] = []

    def answer(question: Json) -> list[Json]:
        return [{"hotelId": HOTELS[0], "price": 100}]

    monkeypatch.setattr(hotels.client, "least_rates", counting(answer, under_way))  # type: ignore[arg-type]
    found = hotels.least_rates(asked(), CHECK_IN + timedelta(days=30))
    assert len(found) == 31
    assert 1 < max(under_way) <= side_by_side.AT_ONCE


def test_all_days_have_one_bound(live: Api, stub: LiteApiStub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three days are never answered, and cost the others nothing."""
    monkeypatch.setattr(least_rates, "WITHIN_SECONDS", 1.5)
    stub.trouble(*LEAST, Trouble(end="hang", times=3))
    began = time.monotonic()
    reply = least(live)
    assert time.monotonic() - began < 10
    assert (reply.status, reply.body["withheld"]) == (200, {"unreadable": 3})


def test_a_bound_that_is_over_asks_nobody(hotels: LiteApiHotels, stub: LiteApiStub) -> None:
    with all_within(0), pytest.raises(Unavailable):
        hotels.least_rates(asked(), CHECK_IN)
    assert stub.heard_by(*LEAST) == []


DAY = date(2027, 2, 3)


@pytest.mark.parametrize(
    ("told", "prices", "unreadable"),
    [
        (None, {}, 0),
        ([], {}, 0),
        (
            [{"hotelId": "lpstub01", "price": "99.5"}, {"hotelId": "lpstub01", "price": 90}],
            {"lpstub01": 9000},
            0,
        ),
        ([{"hotelId": "other", "price": 90}], {}, 0),
        ([None, {}, {"hotelId": "lpstub01"}, {"hotelId": "lpstub02", "price": 1}], {"lpstub02": 100}, 3),
        ([{"hotelId": "lpstub01", "price": price} for price in (0, -5, "much", 10**20, True)], {}, 5),
    ],
)
def test_what_cannot_be_read_is_counted(told: Any, prices: dict[str, int], unreadable: int) -> None:
    found = mapping.least_rates(told, asked())
    assert {rate.hotel_id: rate.total_cents for rate in found} == prices
    assert found.withheld == Withheld(unreadable=unreadable)
    assert {rate.check_in for rate in found} <= {DAY}
