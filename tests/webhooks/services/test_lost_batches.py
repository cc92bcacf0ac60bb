"""Attempts whose result nobody recorded, because their process died."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from apps.common import clock
from apps.webhooks.deliveries.claim import MAX_LOST, ROWS_PER_BATCH, Batch, claim
from apps.webhooks.deliveries.record import record
from apps.webhooks.deliveries.send import AttemptResult
from apps.webhooks.models import Attempt, Delivery
from apps.webhooks.sender import ReceiverAnswer
from tests.factories.accounts import SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.webhooks.conftest import due_deliveries

pytestmark = pytest.mark.django_db


def delivery_ids(batches: list[Batch]) -> list[str]:
    return [job.delivery_id for batch in batches for job in batch.jobs]


def test_attempt_without_a_result_is_repeated_and_not_counted(move_clock: Callable[..., None]) -> None:
    delivery = DeliveryFactory()
    [lost] = claim(batches=1)
    move_clock(seconds=31)
    [again] = claim(batches=1)
    assert (again.jobs[0].attempt, again.jobs[0].worn_out) == (1, False)
    delivery.refresh_from_db()
    assert (delivery.attempt_count, delivery.lost_count) == (0, 1)
    attempt = Attempt.objects.get()
    assert (attempt.number, attempt.counted, attempt.error_code) == (1, False, "lost")
    assert (attempt.attempted_at, attempt.endpoint) == (lost.claimed_at, delivery.endpoint)


def test_where_the_clock_was_moved_a_lost_attempt_is_of_the_time_there(
    move_clock: Callable[..., None],
) -> None:
    account, ahead = DeliveryFactory().account, timedelta(days=3)
    SandboxFactory(account=account, clock_offset=ahead)
    [lost] = claim(batches=1)
    move_clock(seconds=31)
    claim(batches=1)
    assert Attempt.objects.get().attempted_at == lost.claimed_at + ahead


def test_sixth_loss_counts(move_clock: Callable[..., None]) -> None:
    DeliveryFactory()
    worn_out = []
    for _ in range(MAX_LOST + 2):
        [batch] = claim(batches=1)
        worn_out.append(batch.jobs[0].worn_out)
        move_clock(seconds=31)
    assert worn_out == [False] * (MAX_LOST + 1) + [True]
    assert Attempt.objects.filter(counted=False).count() == MAX_LOST
    assert Delivery.objects.get().lost_count == MAX_LOST


def test_a_delivery_that_was_lost_often_is_worn_out_by_the_next_loss_alone() -> None:
    DeliveryFactory(lost_count=MAX_LOST)
    [batch] = claim(batches=1)
    assert [job.worn_out for job in batch.jobs] == [False]


def test_only_the_row_in_flight_counts_as_lost_when_a_dispatcher_dies(
    move_clock: Callable[..., None],
) -> None:
    endpoint = EndpointFactory()
    due = due_deliveries(endpoint, 5)
    [dead] = claim(batches=1)
    record([accepted(dead, 0), accepted(dead, 1)])
    move_clock(seconds=31)
    [again] = claim(batches=1)
    assert delivery_ids([again]) == [delivery.id for delivery in due[2:]]
    assert lost_counts(due) == [0, 0, 1, 0, 0]
    [lost] = Attempt.objects.filter(error_code="lost")
    assert lost.delivery_id == due[2].id


def test_of_two_dead_batches_each_loses_one_row_however_they_are_claimed_again(
    move_clock: Callable[..., None],
) -> None:
    """What is older than all of them comes first, and leaves no room for the last of them."""
    endpoint = EndpointFactory()
    due = due_deliveries(endpoint, ROWS_PER_BATCH + 10)
    first, second = claim(batches=1), claim(batches=1)
    move_clock(seconds=31)
    due_deliveries(endpoint, 5)
    Delivery.objects.exclude(pk__in=[delivery.pk for delivery in due]).update(
        next_attempt_at=clock.now() - timedelta(hours=1)
    )
    claimed = claim(batches=1) + claim(batches=1)
    assert len(delivery_ids(claimed)) == ROWS_PER_BATCH + 15
    dead = [first[0].jobs[0].delivery_id, second[0].jobs[0].delivery_id]
    assert sorted(Attempt.objects.values_list("delivery_id", flat=True)) == sorted(dead)
    assert sum(lost_counts(due)) == 2


def test_a_delivery_behind_one_that_kills_its_dispatchers_is_sent_in_the_end(
    move_clock: Callable[..., None],
) -> None:
    """The one in front wears out; the ones behind it have lost nothing."""
    due = due_deliveries(EndpointFactory(), 3)
    for _ in range(MAX_LOST + 1):
        claim(batches=1)
        move_clock(seconds=31)
    [batch] = claim(batches=1)
    assert [job.worn_out for job in batch.jobs] == [True, False, False]
    assert lost_counts(due) == [MAX_LOST, 0, 0]


def test_a_lost_attempt_has_its_number_and_says_whether_it_was_a_resend(
    move_clock: Callable[..., None],
) -> None:
    DeliveryFactory(id="whd_1", attempt_count=3)
    DeliveryFactory(id="whd_2", attempt_count=3, status_before_resend="FAILED")
    claim(batches=2)
    move_clock(seconds=31)
    claim(batches=2)
    told = Attempt.objects.values_list("delivery_id", "number", "manual", "counted", "error")
    words = "the sending process stopped before it recorded an answer"
    assert set(told) == {("whd_1", 4, False, False, words), ("whd_2", 4, True, False, words)}


def test_of_deliveries_that_are_due_together_the_one_that_is_sent_first_is_lost_first(
    move_clock: Callable[..., None],
) -> None:
    """Whatever order they have in the table."""
    endpoint, now = EndpointFactory(), clock.now()
    due = [DeliveryFactory(id=f"whd_{n}", endpoint=endpoint, next_attempt_at=now) for n in (3, 2, 1)]
    [dead] = claim(batches=1)
    assert delivery_ids([dead]) == ["whd_1", "whd_2", "whd_3"]
    move_clock(seconds=31)
    claim(batches=1)
    assert lost_counts(due) == [0, 0, 1]


def lost_counts(deliveries: list[Delivery]) -> list[int]:
    counts = dict(Delivery.objects.values_list("pk", "lost_count"))
    return [counts[delivery.pk] for delivery in deliveries]


def accepted(batch: Batch, number: int) -> AttemptResult:
    return AttemptResult(batch, batch.jobs[number], batch.now(), {}, ReceiverAnswer(200, "", None, 1))
