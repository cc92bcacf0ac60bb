from datetime import UTC, datetime, timedelta

import pytest

from apps.webhooks.models import DeliveryStatus
from apps.webhooks.retry_schedule import Outcome, Step, next_step, outcome_of

AT = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("attempt", "delay"),
    [
        (1, timedelta(minutes=1)),
        (2, timedelta(minutes=5)),
        (3, timedelta(minutes=30)),
        (4, timedelta(hours=2)),
        (5, timedelta(hours=6)),
        (6, timedelta(hours=24)),
    ],
)
def test_failed_attempt_is_tried_again_after(attempt: int, delay: timedelta) -> None:
    assert next_step(attempt, Outcome.FAILED, AT) == Step(DeliveryStatus.RETRYING, AT + delay)


def test_seventh_failure_exhausts() -> None:
    assert next_step(7, Outcome.FAILED, AT) == Step(DeliveryStatus.EXHAUSTED, None)


@pytest.mark.parametrize("attempt", range(1, 8))
def test_success_and_gone_end_the_delivery_at_any_attempt(attempt: int) -> None:
    assert next_step(attempt, Outcome.ACCEPTED, AT) == Step(DeliveryStatus.DELIVERED, None)
    assert next_step(attempt, Outcome.REFUSED_FOR_GOOD, AT) == Step(DeliveryStatus.FAILED, None)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (200, Outcome.ACCEPTED),
        (299, Outcome.ACCEPTED),
        (199, Outcome.FAILED),
        (300, Outcome.FAILED),
        (410, Outcome.REFUSED_FOR_GOOD),
        (500, Outcome.FAILED),
        (None, Outcome.FAILED),
    ],
)
def test_outcome_of_a_status(status: int | None, outcome: Outcome) -> None:
    assert outcome_of(status) is outcome
