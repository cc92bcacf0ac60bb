from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.bookings.handlers import Accepted
from apps.bookings.models import Operation, OperationState
from apps.bookings.services.prune import prune_idempotency_records, prune_searches
from apps.common import clock
from apps.flights.models import FlightSearch
from apps.gateway.models import IdempotencyRecord
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.django_db(transaction=True)

SEARCH = {"origin": "LIS", "destination": "BER", "limit": 2}


@pytest.fixture
def search_body() -> dict[str, Any]:
    return {**SEARCH, "departureDate": (clock.today() + timedelta(days=30)).isoformat()}


def order_body(offer_id: str) -> dict[str, Any]:
    passenger = {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1990-12-10", "type": "adult"}
    contact = {"email": "ada@example.com", "phone": "+351210000000"}
    return {"offerId": offer_id, "passengers": [passenger], "contact": contact}


def test_search_records_go_once_no_replay_can_ask_for_them(
    api: Api, search_body: dict[str, Any], move_clock: Callable[..., None]
) -> None:
    api.post("/v1/flights/searches", search_body)
    move_clock(hours=24)
    assert prune_searches(FlightSearch) == 0
    move_clock(hours=1, seconds=1)
    assert prune_searches(FlightSearch) == 1
    assert not FlightSearch.objects.exists()


def test_answered_keys_go_after_24_hours(
    api: Api, search_body: dict[str, Any], move_clock: Callable[..., None]
) -> None:
    api.post("/v1/flights/searches", search_body)
    move_clock(hours=23, minutes=59)
    assert prune_idempotency_records() == 0
    move_clock(minutes=2)
    assert prune_idempotency_records() == 1


def test_keys_that_nobody_came_back_to_go_after_a_week(
    api: Api, search_body: dict[str, Any], move_clock: Callable[..., None]
) -> None:
    api.post("/v1/flights/searches", search_body, **{"X-Partner-Customer-Ref": "sbx_supplier_error"})
    assert IdempotencyRecord.objects.get().state == "released"
    move_clock(days=6)
    assert prune_idempotency_records() == 0
    move_clock(days=1, seconds=1)
    assert prune_idempotency_records() == 1


def test_a_key_is_kept_while_its_operation_is_open(
    api: Api, search_body: dict[str, Any], move_clock: Callable[..., None]
) -> None:
    offers = api.post("/v1/flights/searches", search_body).body["offers"]
    assert api.post("/v1/flights/orders", order_body(offers[0]["offerId"])).status == 201
    Operation.objects.update(state=OperationState.REVIEW)
    move_clock(days=30)
    assert prune_idempotency_records() == 1  # the search's
    Operation.objects.update(state=OperationState.CONFIRMED)
    assert prune_idempotency_records() == 1


def test_a_pending_booking_is_not_made_again_when_its_keys_day_is_over(
    shop: FlightShop, supplier: ScriptedFlights, move_clock: Callable[..., None]
) -> None:
    offer = shop.offer()
    supplier.spoil("book", Accepted("their-1"))
    pending = shop.order(offer, "pending-for-days")
    assert (pending.status, pending.body["status"]) == (201, "pending")
    move_clock(hours=25)
    again = shop.order(offer, "pending-for-days")
    assert (again.status, again.body, again.headers["Idempotent-Replayed"]) == (201, pending.body, "true")
    Operation.objects.update(state=OperationState.CONFIRMED)
    assert shop.order(offer, "pending-for-days").status == 410
    assert supplier.calls("book") == 1
