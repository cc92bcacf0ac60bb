"""What the portal finds beside what a key tells."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.bookings.models import PastKey
from apps.bookings.outcomes import of_logged_booking, outcomes_of
from apps.bookings.pruning import prune_idempotency_records
from apps.common import clock
from apps.keys.models import ApiKey
from apps.request_log.models import LoggedCall
from tests.bookings.rows import a_booking, an_operation
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import issued_key
from tests.portal.sample_data.requests import write_down
from tests.support.api import Api
from tests.support.flight_shop import FlightShop, day, order_body
from tests.support.plans import read_as_the_table_lies

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> ApiKey:
    api_of_new_partner(cents=1_000_000)
    return ApiKey.objects.get()


def found(key: ApiKey, text: str) -> list[tuple[str, str, str]]:
    outcomes = outcomes_of(key.account_id, "test", text, now=clock.now())
    return [(each.key, each.verdict.state, each.verdict.next.action) for each in outcomes]


def test_what_began_under_no_key_is_judged_by_itself(key: ApiKey) -> None:
    booking = a_booking(key, external_reference="trip-1")
    an_operation(booking, state="confirmed", request_id="one", next_attempt_at=None)
    an_operation(booking, kind="cancel", state="failed", request_id="two", next_attempt_at=None)
    assert found(key, "trip-1") == [
        ("", "failed", "retry_same_key"),
        ("", "done", "read_booking"),
    ]


def test_what_began_under_a_forgotten_key_is_told_with_that_key(key: ApiKey) -> None:
    for record_id in (1, 2):
        PastKey.objects.create(
            record_id=record_id,
            account_id=key.account_id,
            environment="test",
            key=f"forgotten-key-{record_id}",
            first_seen_at=clock.now(),
        )
    booking = a_booking(key, external_reference="trip-1")
    an_operation(booking, state="confirmed", idempotency_record_id=2, next_attempt_at=None)
    assert found(key, "trip-1") == [("forgotten-key-2", "done", "read_booking")]


def test_a_reference_finds_no_booking_of_the_other_environment(key: ApiKey) -> None:
    booking = a_booking(key, external_reference="trip-1", environment="live")
    an_operation(booking, state="confirmed", request_id="one", next_attempt_at=None)
    assert found(key, "trip-1") == []


@pytest.mark.parametrize("text", ["x", "a\x00bcdefgh", "trip-2", "é" * 20])
def test_what_names_nothing_finds_nothing(key: ApiKey, text: str) -> None:
    a_booking(key, external_reference="trip-1")
    assert found(key, text) == []


def test_a_logged_call_leads_to_what_it_began_or_else_to_all_of_its_booking(key: ApiKey) -> None:
    booked, cancelled, read = (str(uuid.uuid4()) for _ in range(3))
    booking, other = a_booking(key), a_booking(key)
    an_operation(booking, state="confirmed", request_id=booked, next_attempt_at=None)
    an_operation(booking, kind="cancel", state="failed", request_id=cancelled, next_attempt_at=None)
    an_operation(other, state="confirmed", request_id=str(uuid.uuid4()), next_attempt_at=None)

    def began(request_id: str) -> list[str]:
        logged = LoggedCall(
            account_id=key.account_id,
            environment="test",
            request_id=uuid.UUID(request_id),
            booking_id=booking.pk,
        )
        outcomes = of_logged_booking(logged, clock.now())
        return [each.call.request_id for each in outcomes if each.call is not None]

    assert [began(request_id) for request_id in (booked, cancelled, read)] == [
        [booked],
        [cancelled],
        [cancelled, booked],
    ]


def test_of_several_tries_under_one_reference_the_newest_is_first(key: ApiKey) -> None:
    for days, request_id in ((2, "second"), (3, "first"), (1, "third")):
        made_at = clock.now() - timedelta(days=days)
        booking = a_booking(key, external_reference="trip-1", status="failed", created_at=made_at)
        an_operation(booking, state="failed", request_id=request_id, next_attempt_at=None)
    read_as_the_table_lies()
    outcomes = outcomes_of(key.account_id, "test", "trip-1", now=clock.now())
    assert [each.call.request_id for each in outcomes if each.call is not None] == [
        "third",
        "second",
        "first",
    ]


def test_of_a_reference_and_of_a_booking_ten_are_told(key: ApiKey) -> None:
    for number in range(11):
        booking = a_booking(key, external_reference="trip-1", status="failed")
        an_operation(booking, state="failed", request_id=f"{number}", next_attempt_at=None)
    for number in range(1, 11):
        an_operation(
            booking, kind="cancel", state="failed", request_id=f"again {number}", next_attempt_at=None
        )
    outcomes = outcomes_of(key.account_id, "test", "trip-1", now=clock.now())
    told = [each.call.request_id for each in outcomes if each.call is not None]
    assert told == [f"again {number}" for number in range(10, 0, -1)] + [
        f"{number}" for number in range(9, 0, -1)
    ]


@pytest.mark.parametrize("elsewhere", ["", "account", "environment"])
def test_a_logged_call_leads_to_a_booking_of_its_own_account_and_environment(
    key: ApiKey, elsewhere: str
) -> None:
    booking = a_booking(key)
    an_operation(booking, state="confirmed", request_id="one", next_attempt_at=None)
    logged = LoggedCall(
        account_id=issued_key()[0].account_id if elsewhere == "account" else key.account_id,
        environment="live" if elsewhere == "environment" else "test",
        request_id=uuid.uuid4(),
        booking_id=booking.pk,
    )
    states = [each.verdict.state for each in of_logged_booking(logged, clock.now())]
    assert states == ([] if elsewhere else ["done"])


def test_a_call_is_found_by_its_request_and_by_its_booking_with_its_key(
    key: ApiKey, move_clock: Callable[..., None]
) -> None:
    api = Api(issued_key(key.account)[1])
    ordered, sought = str(uuid.uuid4()), str(uuid.uuid4())
    body = {**order_body(FlightShop(api).offer()), "externalReference": "trip-1"}
    made = api.post("/v1/flights/orders", body, key=ordered)
    assert made.status == 201
    search = {"origin": "LIS", "destination": "BER", "departureDate": day(60).isoformat()}
    searched = api.post("/v1/flights/searches", search, key=sought)
    write_down()
    assert found(key, searched.headers["X-Request-Id"]) == [(sought, "done", "retry_same_key")]
    for known in (made.headers["X-Request-Id"], "trip-1", ordered):
        assert found(key, known) == [(ordered, "done", "read_booking")]

    move_clock(hours=26)
    prune_idempotency_records()
    assert found(key, searched.headers["X-Request-Id"]) == []
    for known in (made.headers["X-Request-Id"], "trip-1", ordered):
        assert found(key, known) == [(ordered, "done", "read_booking")]
