"""However many deliveries wait at an endpoint, what makes them due or ends them costs a request as much as of a few."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection

from apps.common import clock
from apps.webhooks.deliveries.claim import ROWS_PER_BATCH, claim
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.selectors import due_lag
from apps.webhooks.services.endpoints import disable_endpoint, enable_endpoint
from apps.webhooks.services.retire import END_BATCH as BATCH
from apps.webhooks.services.retire import end_left_behind
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.receiver import Receiver
from tests.webhooks.conftest import Deliver, Partners, statuses
from tests.webhooks.endpoint_calls import ENDPOINTS

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
        # A table of so few would be read whole, and sorted.
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
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


def test_deleting_ends_a_batch_and_leaves_the_others_to_the_sweep(
    partners: Partners, endpoint: Endpoint
) -> None:
    with touching(written=BATCH, read=FEW + 2 * BATCH):
        assert partners.test.delete(f"{ENDPOINTS}/{endpoint.pk}").status == 204
    with touching(written=0):
        assert claim(batches=9) == []
    assert end_left_behind() == MANY - BATCH
    assert statuses() == {"FAILED": MANY}


def test_what_a_reset_leaves_behind_does_not_lie_in_the_way_of_what_comes_after(
    partners: Partners, endpoint: Endpoint
) -> None:
    with touching(written=0):
        assert partners.test.post("/sandbox/reset").status == 200
    after = DeliveryFactory(endpoint=Endpoint.objects.get(pk=endpoint.pk))
    with touching(written=1):
        [batch] = claim(batches=9)
    assert [job.delivery_id for job in batch.jobs] == [after.pk]
    assert end_left_behind() == MANY
    assert statuses() == {"FAILED": MANY, "PENDING": 1}


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
