"""How fast a recovery may be; stopping it and resuming it."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError, connection, transaction

from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest
from apps.webhooks.models import Endpoint, Recovery, RecoveryStatus
from apps.webhooks.selectors import Progress, progress_of
from apps.webhooks.services.advance_recoveries import advance, advance_recoveries
from apps.webhooks.services.endpoints import disable_endpoint
from apps.webhooks.services.recover import list_more, resume_recovery, start_recovery, stop_recovery
from tests.factories.accounts import SandboxFactory
from tests.factories.webhooks import EndpointFactory
from tests.support.locks import locked, until_somebody_waits
from tests.webhooks.services.recoveries import (
    ended,
    recovery_of,
    running,
    sent_and_ended,
    since,
    status_of,
)

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("per_minute", [0, 6_001])
def test_pace_out_of_bounds_is_refused(old: Endpoint, per_minute: int) -> None:
    with pytest.raises(InvalidRequest) as refused:
        start_recovery(endpoint=old, selection=since(), per_minute=per_minute)
    assert refused.value.extras["details"] == [{"field": "perMinute", "message": "must be from 1 to 6000"}]


def test_stopped_recovery_sends_nothing_until_it_is_resumed(old: Endpoint) -> None:
    ended(old)
    recovery = stop_recovery(recovery=start_recovery(endpoint=old, selection=since()))
    assert (recovery.status, recovery.finished_at is not None) == (RecoveryStatus.STOPPED, True)
    assert advance_recoveries() == 0
    resumed = resume_recovery(recovery=recovery)
    assert (resumed.status, resumed.finished_at) == (RecoveryStatus.CANARY, None)
    assert advance_recoveries() == 1


def test_what_is_over_or_under_way_is_neither_stopped_nor_resumed(old: Endpoint) -> None:
    ended(old)
    recovery = start_recovery(endpoint=old, selection=since())
    with pytest.raises(Conflict, match="canary"):
        resume_recovery(recovery=recovery)
    Recovery.objects.update(status=RecoveryStatus.FINISHED)
    for refused in (stop_recovery, resume_recovery):
        with pytest.raises(Conflict, match="finished"):
            refused(recovery=recovery)


def test_resuming_beside_another_recovery_is_refused(old: Endpoint) -> None:
    ended(old)
    first = stop_recovery(recovery=start_recovery(endpoint=old, selection=since()))
    start_recovery(endpoint=old, selection=since())
    with pytest.raises(Conflict, match="under way"):
        resume_recovery(recovery=first)


@pytest.mark.parametrize("per_minute", [1, 6_000])
def test_a_pace_within_bounds_is_kept(old: Endpoint, per_minute: int) -> None:
    ended(old)
    recovery = start_recovery(endpoint=old, selection=since(), per_minute=per_minute)
    assert (recovery.per_minute, recovery.allowance) == (per_minute, 0)


def test_three_hundred_a_minute_are_sent_unless_told(old: Endpoint) -> None:
    ended(old)
    assert start_recovery(endpoint=old, selection=since()).per_minute == 300


def test_a_recovery_begins_and_ends_in_the_time_of_its_environment_and_is_paced_in_real_time(
    old: Endpoint, clock_stands_still: datetime
) -> None:
    now, ahead = clock_stands_still, timedelta(days=3)
    SandboxFactory(account=old.account, clock_offset=ahead)
    ended(old)
    recovery = start_recovery(endpoint=old, selection=since())
    recovery.refresh_from_db()
    assert (recovery.created_at, recovery.paced_at) == (now + ahead, now)
    assert stop_recovery(recovery=recovery).finished_at == now + ahead


def test_what_halted_by_itself_can_be_stopped_by_hand(old: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    recovery = running(old, 2, status="halted", halt_reason="canary_failed", finished_at=clock.now())
    later = clock.now() + timedelta(hours=1)
    monkeypatch.setattr(clock, "_database_now", lambda: later)
    stop_recovery(recovery=recovery)
    assert status_of(recovery) == ("stopped", None)
    assert recovery.finished_at == later


def test_a_stopped_recovery_is_neither_listed_nor_halted_nor_sent(old: Endpoint) -> None:
    recovery = running(old, 3, failures_in_a_row=9)
    sent_and_ended(recovery, "FAILED")
    stop_recovery(recovery=recovery)
    Recovery.objects.update(listed_to="")
    disable_endpoint(endpoint=old)
    assert (list_more(recovery.pk), advance(recovery.pk)) == (0, 0)
    assert (status_of(recovery), recovery.failures_in_a_row) == (("stopped", None), 9)


def test_resuming_sends_again_what_was_not_accepted_and_forgets_the_failures(old: Endpoint) -> None:
    recovery = running(old, 5, status="halted", halt_reason="failures_in_a_row", failures_in_a_row=10)
    for state, item in zip(
        ("delivered", "not_accepted", "skipped", "sent"), recovery.items.all(), strict=False
    ):
        recovery.items.filter(pk=item.pk).update(state=state)
    resumed = resume_recovery(recovery=recovery)
    resumed.refresh_from_db()
    assert (resumed.status, resumed.halt_reason, resumed.finished_at) == ("canary", None, None)
    assert resumed.failures_in_a_row == 0
    assert progress_of(resumed) == Progress(waiting=2, sent=1, delivered=1, not_accepted=0, skipped=1)


def test_nothing_is_resumed_to_a_disabled_endpoint(old: Endpoint) -> None:
    recovery = stop_recovery(recovery=recovery_of(old, failed=1))
    disable_endpoint(endpoint=old)
    with pytest.raises(Conflict, match="disabled"):
        resume_recovery(recovery=recovery)
    assert status_of(recovery) == ("stopped", None)


def test_each_recovery_is_stopped_and_listed_for_itself(old: Endpoint) -> None:
    first, second = recovery_of(old, failed=1), recovery_of(EndpointFactory(), failed=2)
    for recovery in (first, second):
        recovery.items.all().delete()
    Recovery.objects.update(listed_to="")
    assert (list_more(second.pk), first.items.count(), second.items.count()) == (2, 0, 2)
    stop_recovery(recovery=second)
    assert (status_of(first)[0], status_of(second)[0]) == ("canary", "stopped")


@pytest.mark.django_db(transaction=True)
def test_stopping_waits_for_the_sweep_and_for_nobody_who_lists_items() -> None:
    recovery = recovery_of(EndpointFactory(), failed=1)
    recoveries = Recovery.objects.filter(pk=recovery.pk)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with locked(recoveries, "NO KEY UPDATE"), pytest.raises(OperationalError):
        stop_recovery(recovery=recovery)
    with locked(recoveries, "KEY SHARE"):
        assert stop_recovery(recovery=recovery).status == RecoveryStatus.STOPPED


@pytest.mark.django_db(transaction=True)
def test_what_the_sweep_finishes_meanwhile_is_not_stopped_any_more() -> None:
    recovery = recovery_of(EndpointFactory(), failed=1)

    def stop() -> None:
        try:
            stop_recovery(recovery=recovery)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Recovery.objects.update(status=RecoveryStatus.FINISHED)
            stopping = pool.submit(stop)
            until_somebody_waits()
        with pytest.raises(Conflict, match="finished"):
            stopping.result()
    assert status_of(recovery) == ("finished", None)
