"""The day's quota: once it is used up nobody is asked until the next UTC day."""

from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import uuid4

import pytest

from apps.bookings.models import Operation
from apps.common import clock
from apps.common.redis import RedisUnavailable
from apps.suppliers.errors import Unavailable
from apps.suppliers.models import SupplierAlert
from apps.transfers.suppliers.hotelbeds import client
from apps.transfers.suppliers.hotelbeds.adapter import HotelbedsTransfers
from apps.transfers.suppliers.hotelbeds.client import HotelbedsClient
from tests.support.api import Api
from tests.support.supplier_stub import refusal
from tests.transfers.agency import SEARCH, cancel, order, search
from tests.transfers.suppliers.hotelbeds.gate import EVALUATION_CALLS
from tests.transfers.suppliers.hotelbeds.stub import AVAILABILITY, KEY, SECRET, HotelbedsStub
from tests.transfers.suppliers.requests import a_search

pytestmark = pytest.mark.django_db


def seconds_to_midnight() -> float:
    now = clock.now()
    return (datetime.combine(now.date() + timedelta(days=1), time(), UTC) - now).total_seconds()


def refused(hotelbeds: HotelbedsTransfers) -> None:
    with pytest.raises(Unavailable):
        hotelbeds.search(a_search())


@pytest.mark.parametrize("text", ["Developer Over Rate", "403 ERR: DEVELOPER_OVER_RATE", "Quota exceeded"])
def test_a_used_up_quota_pauses_every_process_until_the_next_utc_day(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, later: Callable[[float], None], text: str
) -> None:
    stub.over_rate(text)
    refused(hotelbeds)
    alert = SupplierAlert.objects.get()
    assert (alert.supplier, alert.kind) == ("hotelbeds", "quota_used_up")
    stub.calm()
    another_process = HotelbedsTransfers(HotelbedsClient(key=KEY, secret=SECRET, base_url=stub.host))
    refused(another_process)
    later(seconds_to_midnight() - 60)
    refused(hotelbeds)
    assert len(stub.heard) == 1
    later(61)
    assert hotelbeds.search(a_search()) != []
    assert SupplierAlert.objects.get().count == 1


def test_without_redis_the_process_remembers(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: Any, **kwargs: Any) -> None:
        raise RedisUnavailable

    monkeypatch.setattr(client, "run", away)
    assert hotelbeds.search(a_search()) != []
    stub.over_rate()
    refused(hotelbeds)
    refused(hotelbeds)
    assert len(stub.heard) == 2


def test_another_key_has_a_quota_of_its_own(hotelbeds: HotelbedsTransfers, stub: HotelbedsStub) -> None:
    stub.over_rate()
    refused(hotelbeds)
    other = HotelbedsTransfers(HotelbedsClient(key=uuid4().hex, secret=SECRET, base_url=stub.host))
    refused(other)
    assert len(stub.heard) == 2


@pytest.mark.parametrize("status", [403, 429])
def test_too_many_calls_in_one_second_pause_nothing(
    hotelbeds: HotelbedsTransfers, stub: HotelbedsStub, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr("apps.suppliers.http.BACKOFF_SECONDS", (0.0, 0.0))
    stub.trouble("GET", AVAILABILITY, refusal(status, {"error": "Developer Over Qps"}, times=3))
    for _ in range(3 if status == 403 else 1):  # a 429 is sent again, twice
        refused(hotelbeds)
    assert hotelbeds.search(a_search()) != []
    assert SupplierAlert.objects.count() == 0


@pytest.mark.django_db(transaction=True)  # staff are told from the thread of the call
def test_fifty_calls_a_day_are_seven_bookings_and_seven_cancellations(
    api: Api, stub: HotelbedsStub, later: Callable[[float], None]
) -> None:
    """A booking costs three calls (search, availability again, order), a cancellation four."""
    stub.gate.calls_a_day = EVALUATION_CALLS
    later(seconds_to_midnight() + 1)
    for number in range(1, 8):
        calls = stub.gate.calls
        (offer,) = search(api, vehicleClass="economy")["offers"]
        booking = order(api, offer["quoteId"], flightNumber="TP1234").body
        assert stub.gate.calls - calls == 3
        assert cancel(api, booking["id"]).status == 200
        assert stub.gate.calls == 7 * number
    assert stub.gate.calls == 49
    assert len(search(api)["offers"]) > 0
    reply = api.post("/v1/transfers/searches", SEARCH)
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert SupplierAlert.objects.get().kind == "quota_used_up"
    assert api.post("/v1/transfers/searches", SEARCH).status == 503
    assert stub.gate.calls == EVALUATION_CALLS + 1
    later(seconds_to_midnight() + 1)
    assert len(search(api)["offers"]) > 0


@pytest.mark.django_db(transaction=True)
def test_the_quota_may_be_used_up_between_the_quote_and_the_cancellation(
    api: Api, stub: HotelbedsStub
) -> None:
    (offer,) = search(api, vehicleClass="economy")["offers"]
    booking = order(api, offer["quoteId"], flightNumber="TP1234").body
    stub.gate.calls_a_day = stub.gate.calls + 3  # the cancellation itself is one too many
    reply = cancel(api, booking["id"])
    assert (reply.status, reply.error_type) == (503, "upstream_unavailable")
    assert Operation.objects.get(kind="cancel").state == "failed"  # for certain: nobody heard it
    assert [one["status"] for one in stub.bookings.values()] == ["CONFIRMED"]
