"""What is deleted once nobody can ask for it, and what is kept however old it is."""

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db.models import QuerySet

from apps.bookings import pruning
from apps.bookings.handlers import Accepted
from apps.bookings.models import Operation, OperationState, PastKey
from apps.bookings.pruning import is_open_under, prune_idempotency_records, prune_searches, remember_keys
from apps.common import clock
from apps.common.ids import new_id
from apps.flights.models import FlightChangeSearch, FlightSearch
from apps.flights.tasks import prune_flight_searches
from apps.gateway.idempotency import delete_remembered
from apps.gateway.models import IdempotencyRecord
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking, an_operation
from tests.factories.accounts import AccountFactory
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


def test_to_the_instant_an_answered_key_is_kept_for_a_day_and_any_other_for_a_week(
    onboarded: Onboarded, at: Callable[..., None]
) -> None:
    a_record(onboarded, state="done", completed_at=BEGAN, created_at=BEGAN - timedelta(days=9))
    a_record(onboarded)
    for kept, left in (({"hours": 24}, 2), ({"days": 7}, 1)):
        at(**kept)
        prune_idempotency_records()
        assert IdempotencyRecord.objects.count() == left
        at(**kept, microseconds=1)
        assert prune_idempotency_records() == 1
    assert not IdempotencyRecord.objects.exists()


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


def test_to_the_instant_a_search_is_kept_for_a_day_and_an_hour(
    onboarded: Onboarded, api: Api, search_body: dict[str, Any], at: Callable[..., None]
) -> None:
    api.post("/v1/flights/searches", search_body)
    FlightSearch.objects.update(created_at=BEGAN)
    at(hours=25)
    assert prune_searches(FlightSearch) == 0
    at(hours=25, microseconds=1)
    assert prune_searches(FlightSearch) == 1


def test_a_search_of_a_sandbox_whose_clock_was_moved_goes_by_that_clock(
    onboarded: Onboarded, api: Api, search_body: dict[str, Any]
) -> None:
    stranger = api_of_new_partner(scopes=["flights:search"])
    for partner in (api, stranger):
        assert partner.post("/v1/flights/searches", search_body).status == 201
    assert prune_searches(FlightSearch) == 0
    assert api.post("/sandbox/clock", {"advanceSeconds": 25 * 3_600 + 60}).status == 200
    assert prune_searches(FlightSearch) == 1
    assert FlightSearch.objects.get().account_id != onboarded.account.id


def test_change_options_of_a_sandbox_whose_clock_was_moved_go_by_that_clock(
    onboarded: Onboarded, api: Api
) -> None:
    made = clock.now()
    for account in (onboarded.account, AccountFactory()):
        FlightChangeSearch.objects.create(
            id=new_id("fcs"),
            booking=a_booking(onboarded.test_key, account_id=account.pk),
            slice_id="slice_1",
            options=[],
            created_at=made,
            expires_at=made + timedelta(minutes=20),
        )
    assert prune_flight_searches() == 0
    assert api.post("/sandbox/clock", {"advanceSeconds": 25 * 3_600 + 60}).status == 200
    assert prune_flight_searches() == 1
    assert FlightChangeSearch.objects.get().booking.account_id != onboarded.account.id


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


@pytest.mark.parametrize(
    ("state", "needed"),
    [
        ("held", True),
        ("calling", True),
        ("uncertain", True),
        ("review", True),
        ("confirmed", False),
        ("failed", False),
    ],
)
def test_a_key_is_needed_while_an_operation_of_its_own_is_open(
    onboarded: Onboarded, state: str, needed: bool
) -> None:
    record, other = a_record(onboarded), a_record(onboarded)
    an_operation(a_booking(onboarded.test_key), state=state, idempotency_record_id=record.pk)
    assert (is_open_under(record.pk), is_open_under(other.pk)) == (needed, False)


def test_what_fills_batches_is_deleted_to_the_last_and_no_more_at_once(
    onboarded: Onboarded, at: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once: list[int] = []

    def delete(due: QuerySet[IdempotencyRecord]) -> int:
        at_once.append(delete_remembered(due))
        return at_once[-1]

    monkeypatch.setattr(pruning, "delete_remembered", delete)
    for _ in range(4):
        a_record(onboarded, state="done", completed_at=BEGAN)
    at(hours=25)
    assert prune_idempotency_records(batch=2) == 4
    assert at_once == [2, 2, 0]
    assert not IdempotencyRecord.objects.exists()


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


def test_a_key_that_is_remembered_already_is_deleted_like_any_other(
    onboarded: Onboarded, at: Callable[..., None]
) -> None:
    record = a_record(onboarded, state="done", completed_at=BEGAN)
    an_operation(a_booking(onboarded.test_key), state="confirmed", idempotency_record_id=record.pk)
    remember_keys([record])
    at(hours=25)
    assert prune_idempotency_records() == 1
    assert PastKey.objects.get().record_id == record.pk
