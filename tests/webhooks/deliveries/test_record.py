"""Results change the delivery, its endpoint and the history once, under the lease."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection

from apps.accounts.models import AccountAuditEntry
from apps.common import clock
from apps.common.outbound.connection import Timings
from apps.webhooks.causes import cause_of_status
from apps.webhooks.deliveries.claim import Batch, claim
from apps.webhooks.deliveries.record import Recorded, record
from apps.webhooks.deliveries.send import AttemptResult, BatchDone
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus, DisabledReason, Endpoint
from apps.webhooks.sender import ReceiverAnswer
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.locks import locked
from tests.webhooks.conftest import due_deliveries

pytestmark = pytest.mark.django_db


def answered(status: int) -> ReceiverAnswer:
    return ReceiverAnswer(status, f"said {status}", cause_of_status(status), 12, Timings(1, 2, 3, 4))


def made(batch: Batch, *statuses: int) -> list[AttemptResult]:
    """What came of the batch's first deliveries."""
    now = batch.now()
    return [
        AttemptResult(batch, job, now, {"webhook-id": job.event_id}, answered(status))
        for job, status in zip(batch.jobs, statuses, strict=False)
    ]


def claimed(endpoint: Endpoint) -> Batch:
    [batch] = claim(batches=1)
    assert batch.endpoint_id == endpoint.id
    return batch


def test_success_ends_the_delivery_and_keeps_every_fact() -> None:
    delivery = DeliveryFactory()
    batch = claimed(delivery.endpoint)
    [result] = made(batch, 200)
    assert record([result]).attempts == 1
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempt_count, delivery.next_attempt_at) == (
        DeliveryStatus.DELIVERED,
        1,
        None,
    )
    assert (delivery.lease_token, delivery.lease_until) == (None, None)
    assert delivery.completed_at is not None
    attempt = Attempt.objects.get()
    assert (attempt.delivery, attempt.number, attempt.attempted_at) == (delivery, 1, result.attempted_at)
    assert attempt.endpoint == delivery.endpoint
    assert (attempt.duration_ms, attempt.status_code, attempt.response_body) == (12, 200, "said 200")
    assert (attempt.lookup_ms, attempt.connect_ms, attempt.tls_ms, attempt.first_byte_ms) == (1, 2, 3, 4)
    assert attempt.request_headers == {"webhook-id": delivery.event_id}
    assert (attempt.error_code, attempt.error, attempt.counted, attempt.manual) == ("", "", True, False)


def test_what_a_batch_did_not_come_to_is_free_at_once_and_nothing_is_recorded() -> None:
    endpoint = EndpointFactory()
    due_deliveries(endpoint, 3)
    batch = claimed(endpoint)
    record([*made(batch, 500), BatchDone(batch, batch.jobs[1:])])
    again = claimed(endpoint)
    assert [job.delivery_id for job in again.jobs] == [job.delivery_id for job in batch.jobs[1:]]
    assert (Attempt.objects.count(), Delivery.objects.filter(lost_count=0).count()) == (1, 3)


def test_result_that_comes_after_its_lease_passed_on_is_not_kept(move_clock: Callable[..., None]) -> None:
    delivery = DeliveryFactory()
    late = claimed(delivery.endpoint)
    move_clock(seconds=31)
    current = claimed(delivery.endpoint)
    assert record(made(late, 200)).attempts == 0
    delivery.refresh_from_db()
    assert (delivery.status, delivery.lease_token) == (DeliveryStatus.PENDING, current.token)
    assert record([*made(current, 200), *made(late, 200)]).attempts == 1
    assert [(attempt.number, attempt.counted) for attempt in Attempt.objects.order_by("number")] == [
        (1, False),
        (2, True),
    ]


@pytest.mark.parametrize(
    ("before_resend", "answer", "ended"),
    [
        (None, 200, "now"),
        (None, 410, "now"),
        (None, 500, None),
        ("FAILED", 200, "now"),
        ("FAILED", 410, "earlier"),
        ("FAILED", 500, "earlier"),
    ],
)
def test_a_delivery_ended_with_its_last_attempt_and_again_with_a_resend_that_was_accepted(
    monkeypatch: pytest.MonkeyPatch, before_resend: str | None, answer: int, ended: str | None
) -> None:
    now = clock.now()
    earlier = now - timedelta(days=1)
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    delivery = DeliveryFactory(
        next_attempt_at=now,
        status_before_resend=before_resend,
        completed_at=earlier if before_resend else None,
    )
    record(made(claimed(delivery.endpoint), answer))
    delivery.refresh_from_db()
    assert delivery.completed_at == {"now": now, "earlier": earlier, None: None}[ended]


# --- Disabling -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "statuses", "count"),
    [
        (0, [410], 1),
        (3, [410, 410], 5),
        (3, [500], 3),  # will be tried again: nothing has ended yet
        (3, [200], 0),
        (9, [200, 410], 1),
        (8, [410, 200], 0),
        (9, [410, 200], 10),  # disabled by the first; what follows does not undo it
        (9, [410, 410, 410], 10),
    ],
)
def test_consecutive_ends_without_success_are_counted(before: int, statuses: list[int], count: int) -> None:
    endpoint = EndpointFactory(consecutive_failures=before)
    due_deliveries(endpoint, len(statuses))
    record(made(claimed(endpoint), *statuses))
    endpoint.refresh_from_db()
    assert endpoint.consecutive_failures == count
    assert endpoint.status == ("disabled" if count == 10 else "enabled")


def test_exhausted_delivery_counts_and_the_tenth_disables() -> None:
    endpoint = EndpointFactory(consecutive_failures=9)
    DeliveryFactory(endpoint=endpoint, status="RETRYING", attempt_count=6)
    record(made(claimed(endpoint), 500))
    assert Delivery.objects.get().status == DeliveryStatus.EXHAUSTED
    endpoint.refresh_from_db()
    assert (endpoint.status, endpoint.consecutive_failures) == ("disabled", 10)
    assert endpoint.disabled_reason == DisabledReason.CONSECUTIVE_FAILURES
    assert endpoint.disabled_at == endpoint.updated_at
    told = AccountAuditEntry.objects.get()
    assert (told.action, told.actor_label, told.details) == (
        "webhooks.disabled",
        "Automatic",
        {"failures": 10},
    )


def test_each_endpoint_counts_its_own() -> None:
    failing, working, idle = (EndpointFactory(consecutive_failures=9) for _ in range(3))
    for endpoint in (failing, working):
        DeliveryFactory(endpoint=endpoint)
    answers = {failing.pk: 410, working.pk: 200}
    results = [result for batch in claim(batches=2) for result in made(batch, answers[batch.endpoint_id])]
    assert record(results).attempts == 2
    states = [
        Endpoint.objects.values_list("status", "consecutive_failures").get(pk=endpoint.pk)
        for endpoint in (failing, working, idle)
    ]
    assert states == [("disabled", 10), ("enabled", 0), ("enabled", 9)]


@pytest.mark.django_db(transaction=True)
def test_parallel_completions_disable_at_exactly_ten() -> None:
    endpoint = EndpointFactory()
    due_deliveries(endpoint, 16)
    batch = claimed(endpoint)
    results = made(batch, *[410] * 16)
    start = threading.Barrier(16)

    def finish(result: AttemptResult) -> None:
        start.wait()
        while record([result]).skipped:
            pass
        connection.close()

    threads = [threading.Thread(target=finish, args=(result,)) for result in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    endpoint.refresh_from_db()
    assert (endpoint.status, endpoint.consecutive_failures) == ("disabled", 10)
    assert Delivery.objects.filter(status="FAILED").count() == 16


@pytest.mark.django_db(transaction=True)
def test_results_of_a_locked_endpoint_are_skipped_and_all_others_recorded_without_waiting() -> None:
    for delivery in DeliveryFactory.create_batch(2):
        DeliveryFactory(endpoint=delivery.endpoint)
    [batch, other] = claim(batches=2)
    mine: list[AttemptResult | BatchDone] = [*made(batch, 200), BatchDone(batch, batch.jobs[1:])]
    others = made(other, 200, 200)
    own = Endpoint.objects.filter(pk=batch.endpoint_id)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with locked(own, "NO KEY UPDATE"):
        assert record([mine[0], *others, mine[1]]) == Recorded(2, mine)
    with locked(own, "KEY SHARE"):  # somebody writes an event for it
        assert record(mine) == Recorded(1, [])
    assert sorted(Delivery.objects.values_list("endpoint", "status", "lease_token")) == sorted(
        [(other.endpoint_id, "DELIVERED", None)] * 2
        + [(batch.endpoint_id, "DELIVERED", None), (batch.endpoint_id, "PENDING", None)]
    )
