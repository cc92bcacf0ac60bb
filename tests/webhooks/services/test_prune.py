"""What is older than 30 days is deleted."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.common.ids import new_id
from apps.webhooks.models import Attempt, Delivery, Event, Exam, Recovery, RecoveryItem
from apps.webhooks.services.prune import prune
from apps.webhooks.services.take_exams import start_exam
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory

pytestmark = pytest.mark.django_db


def delivered(at: datetime, *attempted_at: datetime, **fields: Any) -> Delivery:
    values: dict[str, Any] = {
        "status": "DELIVERED",
        "next_attempt_at": None,
        "completed_at": at,
        "created_at": at,
        "event__created_at": at,
    }
    delivery = DeliveryFactory(**{**values, **fields})
    for number, instant in enumerate(attempted_at, start=1):
        Attempt.objects.create(delivery=delivery, number=number, attempted_at=instant, duration_ms=1)
    return delivery


def days_ago(days: float) -> datetime:
    return clock.now() - timedelta(days=days)


def test_what_is_older_than_30_days_goes() -> None:
    delivered(days_ago(30.1), days_ago(30.1))
    kept = delivered(days_ago(29.9), days_ago(29.9))
    EventFactory(created_at=days_ago(31))
    unheard = EventFactory(created_at=days_ago(29))
    assert prune() == {"attempts": 1, "deliveries": 1, "events": 2, "recoveries": 0, "exams": 0}
    assert Attempt.objects.get().delivery == kept
    assert list(Delivery.objects.all()) == [kept]
    assert set(Event.objects.all()) == {kept.event, unheard}


def test_delivery_stays_as_long_as_an_attempt_of_it() -> None:
    resent = delivered(days_ago(31), days_ago(31), days_ago(3))
    assert prune() == {"attempts": 1, "deliveries": 0, "events": 0, "recoveries": 0, "exams": 0}
    assert Attempt.objects.get().number == 2
    assert Delivery.objects.get() == resent


def test_unfinished_delivery_waits_however_old_it_is() -> None:
    waiting = delivered(days_ago(40), status="RETRYING", next_attempt_at=days_ago(40), completed_at=None)
    prune()
    assert Delivery.objects.get() == waiting


def test_a_delivery_stays_while_it_is_sent_again_and_for_30_days_after_its_end() -> None:
    again = delivered(days_ago(31), next_attempt_at=clock.now(), status="RETRYING")
    ended = delivered(days_ago(31), completed_at=days_ago(1))
    assert prune()["deliveries"] == 0
    assert set(Delivery.objects.all()) == {again, ended}


@pytest.mark.parametrize("batch", [1, 2, 100])
def test_a_recovery_goes_with_its_items_after_30_days(batch: int) -> None:
    endpoint = EndpointFactory()
    old, young, young_without_items = (
        Recovery.objects.create(
            account=endpoint.account,
            environment=endpoint.environment,
            endpoint=endpoint,
            selection={},
            per_minute=60,
            status="finished",
            created_at=days_ago(days),
        )
        for days in (30.1, 29.9, 29.9)
    )
    for recovery in (old, old, old, young, young):
        RecoveryItem.objects.create(recovery=recovery, event_id=new_id("evt"))
    assert prune(batch=batch)["recoveries"] == 1
    assert set(Recovery.objects.all()) == {young, young_without_items}
    assert young.items.count() == RecoveryItem.objects.count() == 2


def test_a_finished_exam_is_kept_thirty_days_and_an_open_one_longer() -> None:
    exam = start_exam(endpoint=EndpointFactory())
    Exam.objects.update(created_at=days_ago(31))
    assert prune()["exams"] == 0
    Exam.objects.update(status="failed")
    assert prune()["exams"] == 1
    assert not Exam.objects.filter(pk=exam.pk).exists()
