"""Deliveries that will never be sent end, and endpoints move with their environment."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from apps.common import clock
from apps.webhooks.deliveries.claim import ROWS_PER_BATCH, claim
from apps.webhooks.models import Delivery, Endpoint, EndpointStatus, Recovery
from apps.webhooks.selectors import due_lag
from apps.webhooks.services import retire as left_behind
from apps.webhooks.services.endpoints import delete_endpoint, disable_endpoint, enable_endpoint
from apps.webhooks.services.prune import prune
from apps.webhooks.services.retire import end_deliveries, end_left_behind, move_endpoints
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.receiver import Receiver
from tests.webhooks.conftest import Deliver, Partners, due_deliveries, statuses
from tests.webhooks.endpoint_calls import ENDPOINTS

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def disabled(reason: str, **fields: object) -> Endpoint:
    state = {"status": "disabled", "disabled_reason": reason, "disabled_at": clock.now()}
    return EndpointFactory(**{**state, **fields})


def test_endpoints_move_without_their_failures_and_stay_disabled_where_the_partner_wants_that() -> None:
    old, new = AccountFactory(), AccountFactory()
    sound = EndpointFactory(account=old, consecutive_failures=3)
    failed = disabled("consecutive_failures", account=old, consecutive_failures=10)
    off = disabled("disabled_by_partner", account=old)
    stay: list[Endpoint] = [
        EndpointFactory(account=old, environment="live"),
        disabled("disabled_by_partner", account=old, deleted_at=clock.now(), secret_encrypted=""),
        EndpointFactory(),
    ]
    with transaction.atomic():
        assert move_endpoints(account_id=old.pk, to_account_id=new.pk, ahead=timedelta(0)) == 3
    moved = {each.pk: each for each in Endpoint.objects.filter(account=new)}
    assert set(moved) == {sound.pk, failed.pk, off.pk}
    assert {each.consecutive_failures for each in moved.values()} == {0}
    states = [(moved[each.pk].status, moved[each.pk].disabled_reason) for each in (sound, failed, off)]
    assert states == [("enabled", None), ("enabled", None), ("disabled", "disabled_by_partner")]
    assert (moved[failed.pk].disabled_at, moved[off.pk].disabled_at) == (None, off.disabled_at)
    assert {each.pk for each in stay} == set(
        Endpoint.objects.exclude(account=new).values_list("pk", flat=True)
    )


def test_what_is_unfinished_ends_and_what_is_of_others_goes_on() -> None:
    ended = DeliveryFactory()
    account = ended.account
    done = DeliveryFactory(
        endpoint=ended.endpoint, status="DELIVERED", next_attempt_at=None, completed_at=clock.now()
    )
    live = DeliveryFactory(endpoint=EndpointFactory(account=account, environment="live"))
    other = DeliveryFactory()
    recoveries = [
        Recovery.objects.create(
            account=each.account,
            environment=each.environment,
            endpoint=each.endpoint,
            selection={},
            per_minute=60,
            status="running",
        )
        for each in (ended, live, other)
    ]
    with transaction.atomic():
        end_deliveries(account_id=account.pk)
    SandboxFactory(account=account, retired_at=clock.now())
    assert end_left_behind() == 1
    statuses = dict(Delivery.objects.values_list("pk", "status"))
    assert statuses == {ended.pk: "FAILED", done.pk: "DELIVERED", live.pk: "PENDING", other.pk: "PENDING"}
    stopped = dict(Recovery.objects.values_list("pk", "status"))
    assert [stopped[each.pk] for each in recoveries] == ["stopped", "running", "running"]
    endpoints = {each.pk: each for each in Endpoint.objects.all()}
    assert [endpoints[each.endpoint_id].status for each in (ended, live, other)] == [
        EndpointStatus.DISABLED,
        EndpointStatus.ENABLED,
        EndpointStatus.ENABLED,
    ]
    assert endpoints[ended.endpoint_id].disabled_reason == "disabled_by_partner"


DAY = timedelta(days=1)


def test_of_many_the_first_end_with_the_deletion_and_the_others_wait_unclaimed_and_unforgotten(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(left_behind, "END_BATCH", 2)
    endpoint = EndpointFactory()
    due_deliveries(endpoint, 5, created_at=clock.now() - 40 * DAY)
    delete_endpoint(endpoint=endpoint)
    assert statuses() == {"FAILED": 2, "PENDING": 3}
    assert claim(batches=9) == []
    assert prune()["deliveries"] == 0
    assert end_left_behind() == 3
    assert (statuses(), end_left_behind()) == ({"FAILED": 5}, 0)


@pytest.mark.django_db(transaction=True)
def test_a_run_that_dies_or_is_out_of_time_keeps_what_it_did_and_the_next_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(left_behind, "END_BATCH", 2)
    endpoint = EndpointFactory()
    due_deliveries(endpoint, 9)
    delete_endpoint(endpoint=endpoint)
    end_some = left_behind.end_some

    def dying(*args: Any, **options: Any) -> list[datetime]:
        if statuses()["FAILED"] >= 4:
            raise SystemExit
        return end_some(*args, **options)

    monkeypatch.setattr(left_behind, "end_some", dying)
    with pytest.raises(SystemExit):
        end_left_behind()
    assert statuses() == {"FAILED": 4, "PENDING": 5}
    monkeypatch.setattr(left_behind, "end_some", end_some)
    assert (end_left_behind(seconds=0), end_left_behind()) == (2, 3)
    assert statuses() == {"FAILED": 9}


MANY = 5_000
FEW = 100
"""Rows that may be read: those of the answer, of a batch, of its neighbours in the index."""

FILL = """
WITH event AS (
    INSERT INTO webhooks_event
           (id, account_id, environment, type, payload, booking_id, booking_reference, request_id, created_at)
    SELECT 'evt_many_' || n, %(account)s, 'test', 'booking.confirmed', '{}', '', '', '', now()
      FROM generate_series(1, %(many)s) AS n
    RETURNING id
)
INSERT INTO webhooks_delivery
       (id, event_id, endpoint_id, account_id, environment, event_type, status, attempt_count, lost_count,
        next_attempt_at, created_at)
SELECT replace(id, 'evt', 'whd'), id, %(endpoint)s, %(account)s, 'test', 'booking.confirmed', 'RETRYING', 3, 0,
       now() + random() * interval '1 day', now()
  FROM event"""


@pytest.fixture
def endpoint(partners: Partners) -> Endpoint:
    """Many wait there, for up to a day."""
    endpoint = EndpointFactory(account_id=partners.account_id)
    with connection.cursor() as cursor:
        cursor.execute(FILL, {"account": partners.account_id, "endpoint": endpoint.pk, "many": MANY})
        # A table of so few would be read whole, and sorted. ANALYZE has statements planned again that other tests prepared.
        cursor.execute(
            "SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; ANALYZE webhooks_delivery"
        )
    return endpoint


@contextmanager
def touching(*, written: int, read: int = FEW) -> Iterator[None]:
    """The block writes exactly so many rows of deliveries, and reads at most so many."""

    def touched() -> tuple[int, int]:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT n_tup_upd, seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables"
                " WHERE relname = 'webhooks_delivery'"
            )
            updated, fetched = cursor.fetchone()
        return updated, fetched

    before = touched()
    yield
    after = touched()
    assert (after[0] - before[0], min(after[1] - before[1], read + 1) <= read) == (written, True), after


def test_enabling_makes_all_due_and_a_moved_clock_some_without_writing_one(
    partners: Partners, endpoint: Endpoint
) -> None:
    with touching(written=0):
        assert partners.test.post("/sandbox/clock", {"advanceSeconds": 43_200}).status == 200
    endpoint.refresh_from_db()
    assert MANY / 3 < sum(each.due_at <= clock.now() for each in deliveries(endpoint)) < MANY * 2 / 3
    with touching(written=0):
        for status in ("disabled", "enabled", "disabled", "enabled"):
            assert partners.test.patch(f"{ENDPOINTS}/{endpoint.pk}", {"status": status}).status == 200
    endpoint.refresh_from_db()
    assert {each.due_at for each in deliveries(endpoint)} == {endpoint.due_from}
    assert due_lag() < 60  # since it was enabled
    with touching(written=ROWS_PER_BATCH):
        [batch] = claim(batches=9)
    assert len(batch.jobs) == ROWS_PER_BATCH
    shown = partners.test.get("/v1/webhooks/deliveries?limit=1").body["data"][0]["nextAttemptAt"]
    assert shown == partners.test.get(f"{ENDPOINTS}/{endpoint.pk}").body["updatedAt"]


@pytest.mark.django_db(transaction=True)
def test_what_waited_through_several_switches_is_sent_once_each_the_longest_due_first(
    receiver: Receiver, deliver: Deliver
) -> None:
    endpoint = EndpointFactory(url=receiver.url)
    waiting = [
        DeliveryFactory(
            endpoint=endpoint, status="RETRYING", next_attempt_at=clock.now() + timedelta(hours=h)
        )
        for h in (24, 1, 6)
    ]
    for _ in range(3):
        disable_endpoint(endpoint=endpoint)
        enable_endpoint(endpoint=endpoint)
    endpoint.refresh_from_db()
    last = DeliveryFactory(endpoint=endpoint, next_attempt_at=clock.now() + endpoint.schedule_ahead)
    assert deliver() == 4
    order = [waiting[1], waiting[2], waiting[0], last]
    assert [request.headers["webhook-id"] for request in receiver.requests] == [d.event_id for d in order]


def deliveries(endpoint: Endpoint) -> list[Delivery]:
    return list(Delivery.objects.filter(endpoint=endpoint).select_related("endpoint"))
