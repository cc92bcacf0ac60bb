from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

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


@pytest.mark.parametrize("batch", [1, 3, 7, 100])
def test_batches_leave_nothing_behind(batch: int) -> None:
    for _ in range(7):
        delivered(days_ago(31), days_ago(31), days_ago(31))
    young = delivered(days_ago(1), days_ago(1))
    assert prune(batch=batch) == {"attempts": 14, "deliveries": 7, "events": 7, "recoveries": 0, "exams": 0}
    assert list(Delivery.objects.all()) == [young]


@pytest.fixture
def unordered(db: None) -> None:
    """Rows come as the table lies, unless the statement orders them."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_indexscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")


@pytest.mark.parametrize("batch", [1, 2])
def test_batches_follow_the_ids_however_the_tables_lie(unordered: None, batch: int) -> None:
    """What was written last has the lowest id here."""
    for number in reversed(range(5)):
        delivery = delivered(days_ago(31), id=f"whd_{number}", event__id=f"evt_{number}")
        Attempt.objects.create(
            id=1 + number, delivery=delivery, number=1, attempted_at=days_ago(31), duration_ms=1
        )
    assert prune(batch=batch) == {"attempts": 5, "deliveries": 5, "events": 5, "recoveries": 0, "exams": 0}


def test_items_of_recoveries_go_in_the_order_of_their_ids_however_the_table_lies(unordered: None) -> None:
    endpoint = EndpointFactory()
    old = Recovery.objects.create(
        account=endpoint.account,
        environment=endpoint.environment,
        endpoint=endpoint,
        selection={},
        per_minute=60,
        status="finished",
        created_at=days_ago(31),
    )
    for number in reversed(range(5)):
        RecoveryItem.objects.create(id=1 + number, recovery=old, event_id=new_id("evt"))
    assert prune(batch=1)["recoveries"] == 1
    assert not RecoveryItem.objects.exists()


def test_what_is_exactly_30_days_old_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    month = now - timedelta(days=30)
    delivered(month, month)
    endpoint = EndpointFactory()
    whole, without_items = (
        Recovery.objects.create(
            account=endpoint.account,
            environment=endpoint.environment,
            endpoint=endpoint,
            selection={},
            per_minute=60,
            status="finished",
            created_at=month,
        )
        for _ in range(2)
    )
    RecoveryItem.objects.create(recovery=whole, event_id=new_id("evt"))
    start_exam(endpoint=endpoint)
    Exam.objects.update(status="failed", created_at=month)
    assert prune() == {"attempts": 0, "deliveries": 0, "events": 0, "recoveries": 0, "exams": 0}
    assert (set(Recovery.objects.all()), whole.items.count()) == ({whole, without_items}, 1)


def test_a_delivery_that_ended_exactly_30_days_ago_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    delivered(now - timedelta(days=31), completed_at=now - timedelta(days=30))
    assert prune()["deliveries"] == 0


def days_old(table: str, days: list[float]) -> None:
    """Rows of one table, in the order of their ids, so many days old each."""
    endpoint = EndpointFactory()
    kept = delivered(days_ago(1)) if table == "attempts" else None
    for number, age in enumerate(days, start=1):
        at = days_ago(age)
        if table == "attempts":
            Attempt.objects.create(id=number, delivery=kept, number=number, attempted_at=at, duration_ms=1)
        elif table == "deliveries":
            delivered(at, id=f"whd_{number}", event__created_at=days_ago(1))
        elif table == "events":
            EventFactory(id=f"evt_{number}", created_at=at)
        else:
            recovery = Recovery.objects.create(
                account=endpoint.account,
                environment=endpoint.environment,
                endpoint=endpoint,
                selection={},
                per_minute=60,
                status="finished",
                created_at=at,
            )
            RecoveryItem.objects.create(id=number, recovery=recovery, event_id=new_id("evt"))


TABLES = pytest.mark.parametrize("table", ["attempts", "deliveries", "events", "recoveries"])


@TABLES
def test_old_rows_are_found_between_young_ones(table: str) -> None:
    days_old(table, [1, 31, 1, 31])
    assert prune(batch=2)[table] == 2


@TABLES
def test_what_lies_behind_a_batch_without_anything_old_waits_until_that_is_old(table: str) -> None:
    """No statement deletes more than its batch."""
    days_old(table, [31, 1, 31])
    assert prune(batch=1)[table] == 1
    assert (Recovery.objects.count(), RecoveryItem.objects.count()) == (
        (2, 2) if table == "recoveries" else (0, 0)
    )


@TABLES
def test_a_batch_of_what_is_exactly_30_days_old_has_nothing_old(
    stopped_clock: Callable[..., None], table: str
) -> None:
    days_old(table, [30, 31])
    assert prune(batch=1)[table] == 0
    stopped_clock(microseconds=1)
    assert prune(batch=1)[table] == 2


def test_old_rows_are_found_behind_one_that_stays() -> None:
    for number in range(6):
        delivered(days_ago(31), *([days_ago(1)] if number % 2 else []))
    assert prune(batch=2)["deliveries"] == 3


def test_a_finished_exam_is_kept_thirty_days_and_an_open_one_longer() -> None:
    exam = start_exam(endpoint=EndpointFactory())
    Exam.objects.update(created_at=days_ago(31))
    assert prune()["exams"] == 0
    Exam.objects.update(status="failed")
    assert prune()["exams"] == 1
    assert not Exam.objects.filter(pk=exam.pk).exists()
