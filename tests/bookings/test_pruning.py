"""What is deleted once nobody can ask for it, and what is kept however old it is."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.bookings.handlers import Accepted
from apps.bookings.models import Operation, OperationState, PastKey
from apps.bookings.pruning import prune_idempotency_records, prune_searches
from apps.common import clock
from apps.flights.models import FlightSearch
from apps.gateway.models import IdempotencyRecord
from apps.onboarding.partners import Onboarded
from tests.bookings.rows import a_booking, an_operation
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.scripted_flights import ScriptedFlights

pytestmark = pytest.mark.django_db(transaction=True)
BEGAN = datetime(2026, 11, 20, 12, tzinfo=UTC)
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


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`at(hours=24)`: so long after BEGAN, to the microsecond."""

    def stand(**since: float) -> None:
        monkeypatch.setattr(clock, "_database_now", lambda: BEGAN + timedelta(**since))

    return stand


def a_record(onboarded: Onboarded, **columns: Any) -> IdempotencyRecord:
    return IdempotencyRecord.objects.create(
        **{
            "account": onboarded.account,
            "environment": "test",
            "key": f"key-{IdempotencyRecord.objects.count()}",
            "fingerprint": "of a body",
            "lease_token": uuid.UUID(int=7),
            "lease_until": BEGAN,
            "created_at": BEGAN,
            **columns,
        }
    )


def test_a_key_that_a_call_has_is_kept_however_old_it_is(
    onboarded: Onboarded, at: Callable[..., None]
) -> None:
    """A retry has taken it after a week. To the instant at which its lease ends."""
    lease = BEGAN + timedelta(days=8, seconds=45)
    record = a_record(onboarded, state="running", lease_until=lease)
    at(days=8, seconds=45, microseconds=-1)
    assert prune_idempotency_records() == 0
    at(days=8, seconds=45)
    assert prune_idempotency_records() == 1
    assert not IdempotencyRecord.objects.filter(pk=record.pk).exists()


def test_an_answered_key_of_a_sandbox_whose_clock_was_moved_goes_by_that_clock(
    onboarded: Onboarded, api: Api, search_body: dict[str, Any]
) -> None:
    stranger = api_of_new_partner(scopes=["flights:search"])
    for partner in (api, stranger):
        assert partner.post("/v1/flights/searches", search_body).status == 201
    assert api.post("/sandbox/clock", {"advanceSeconds": 24 * 3_600 - 60}).status == 200
    assert prune_idempotency_records() == 0
    assert api.post("/sandbox/clock", {"advanceSeconds": 120}).status == 200
    assert prune_idempotency_records() == 1
    assert IdempotencyRecord.objects.get(operation="searchFlights").account_id != onboarded.account.id


def test_of_a_deleted_key_what_began_under_it_is_kept(onboarded: Onboarded, at: Callable[..., None]) -> None:
    told = {"state": "done", "status": 201, "operation": "createFlightOrder", "request_id": "req_1"}
    records = [
        a_record(onboarded, completed_at=BEGAN + timedelta(seconds=number), **told) for number in range(3)
    ]
    for record, state in zip(records[:2], ("confirmed", "failed"), strict=True):
        an_operation(a_booking(onboarded.test_key), state=state, idempotency_record_id=record.pk)
    at(hours=25)
    assert prune_idempotency_records() == 3
    assert list(PastKey.objects.order_by("record_id").values()) == [
        {
            "id": past.pk,
            "record_id": record.pk,
            "account_id": onboarded.account.id,
            "environment": "test",
            "key": record.key,
            "operation": "createFlightOrder",
            "request_id": "req_1",
            "status": 201,
            "first_seen_at": BEGAN,
            "answered_at": record.completed_at,
        }
        for past, record in zip(PastKey.objects.order_by("record_id"), records[:2], strict=True)
    ]
