"""What a recovery selects; start, stop and resume."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction

from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest
from apps.webhooks.models import Endpoint, Recovery, RecoveryStatus
from apps.webhooks.selectors import Progress, progress_of, recoveries_of
from apps.webhooks.services import recover
from apps.webhooks.services.advance_recoveries import advance_recoveries
from apps.webhooks.services.endpoints import disable_endpoint
from apps.webhooks.services.recover import (
    Preview,
    outage_began_at,
    preview,
    resume_recovery,
    selected_event_ids,
    start_recovery,
    stop_recovery,
)
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.locks import until_somebody_waits
from tests.support.receiver import Receiver
from tests.support.threads import all_at_once
from tests.webhooks.conftest import Deliver
from tests.webhooks.recoveries import (
    ago,
    ended,
    missed,
    recovery_of,
    running,
    since,
    status_of,
)

pytestmark = pytest.mark.django_db


def test_what_ended_without_success_since_then_is_selected_oldest_first(old: Endpoint) -> None:
    first = ended(old, "FAILED", 2)
    second = ended(old, "EXHAUSTED", 1, created_at=ago(40))
    ended(old, "DELIVERED", 1)
    ended(old, "FAILED", 25)
    DeliveryFactory(endpoint=old)
    ended(EndpointFactory(account=old.account), "FAILED", 1)
    ended(old, "FAILED", 1, account=AccountFactory())  # of a sandbox that the endpoint has left
    assert selected_event_ids(old, since()) == sorted([first, second])
    assert preview(endpoint=old, selection=since()) == Preview(waiting=0, unsuccessful=2, missed=0)


def test_what_waits_for_its_next_attempt_is_selected_when_asked_for(old: Endpoint) -> None:
    """Not what is due, what is older or of another type, or what belongs to a sandbox that the endpoint has left."""
    later = {"status": "RETRYING", "next_attempt_at": clock.now() + timedelta(hours=2)}
    wanted = DeliveryFactory(endpoint=old, created_at=ago(20), **later).event_id
    DeliveryFactory(endpoint=old, created_at=ago(25), **later)
    DeliveryFactory(endpoint=old, created_at=ago(1), event__type="booking.cancelled", **later)
    DeliveryFactory(endpoint=old, created_at=ago(1), **later | {"next_attempt_at": clock.now()})
    DeliveryFactory(endpoint=old, created_at=ago(1), account=AccountFactory(), **later)
    asked = since(statuses=("RETRYING",), event_types=("booking.confirmed",), until=ago(0.5))
    assert selected_event_ids(old, asked) == [wanted]
    assert preview(endpoint=old, selection=asked) == Preview(waiting=1, unsuccessful=0, missed=0)
    assert preview(endpoint=old, selection=since()).total == 0


def test_only_the_types_asked_for_are_selected(old: Endpoint) -> None:
    ended(old)
    cancelled = ended(old, event__type="booking.cancelled")
    assert selected_event_ids(old, since(event_types=("booking.cancelled",))) == [cancelled]


def test_missed_events_are_selected_when_asked_for(old: Endpoint) -> None:
    """Subscribed types since then, never delivered here; not another account's, another environment's, or older."""
    wanted = missed(old)
    missed(old, type="booking.cancelled")
    missed(old, hours=25)
    missed(old, environment="live")
    EventFactory(created_at=ago(1))
    ended(old, "DELIVERED", 1)
    assert selected_event_ids(old, since()) == []
    assert selected_event_ids(old, since(include_missed=True)) == [wanted]
    assert preview(endpoint=old, selection=since(include_missed=True)).total == 1
    assert selected_event_ids(old, since(include_missed=True, event_types=("booking.cancelled",))) == []


def test_an_end_and_statuses_narrow_what_is_selected(old: Endpoint) -> None:
    early_failed, early_exhausted = ended(old, "FAILED", 5), ended(old, "EXHAUSTED", 5)
    early_missed = missed(old, hours=5)
    ended(old, "FAILED", 1)
    missed(old, hours=1)
    until = clock.now() - timedelta(hours=3)
    assert selected_event_ids(old, since(until=until)) == sorted([early_failed, early_exhausted])
    assert selected_event_ids(old, since(until=until, statuses=("FAILED",))) == [early_failed]
    assert selected_event_ids(old, since(until=until, statuses=(), include_missed=True)) == [early_missed]
    assert selected_event_ids(old, since(until=until, statuses=("DELIVERED",))) == []


def test_an_outage_begins_before_the_failures_that_disabled_the_endpoint_were_final() -> None:
    at = clock.now()
    by_failures = Endpoint(disabled_at=at, disabled_reason="consecutive_failures")
    assert outage_began_at(by_failures) == at - timedelta(hours=32, minutes=36)
    assert outage_began_at(Endpoint(disabled_at=at, disabled_reason="disabled_by_partner")) == at
    assert outage_began_at(Endpoint()) is None


def test_nothing_from_before_the_endpoint_existed_was_missed() -> None:
    young = EndpointFactory()
    missed(young, hours=1)
    assert selected_event_ids(young, since(include_missed=True)) == []


def test_recovery_lists_what_it_is_about_and_sends_nothing_yet(old: Endpoint) -> None:
    ended(old)
    missed(old)
    recovery = start_recovery(endpoint=old, selection=since(include_missed=True), per_minute=60)
    ended(old)  # not part of it any more
    assert (recovery.status, recovery.account_id, recovery.environment) == (
        RecoveryStatus.CANARY,
        old.account_id,
        "test",
    )
    assert progress_of(recovery) == Progress(waiting=2, sent=0, delivered=0, not_accepted=0, skipped=0)
    assert list(recoveries_of(old.account_id, "test")) == [recovery]
    assert recovery.selection["includeMissed"] is True


def test_nothing_to_recover_and_a_disabled_endpoint_are_refused(old: Endpoint) -> None:
    with pytest.raises(Conflict, match="nothing to recover"):
        start_recovery(endpoint=old, selection=since())
    ended(old)
    with pytest.raises(Conflict, match="disabled"):
        start_recovery(endpoint=disable_endpoint(endpoint=old), selection=since())


@pytest.mark.django_db(transaction=True)
def test_of_many_starts_at_once_one_wins(old: Endpoint) -> None:
    ended(old)

    def start() -> str:
        try:
            return str(start_recovery(endpoint=old, selection=since()).status)
        except Conflict as refused:
            return refused.message

    answers = all_at_once([start] * 4)
    assert sorted(answers) == ["A recovery of this endpoint is in progress; stop it first."] * 3 + ["canary"]


def test_events_are_listed_as_they_were_written(old: Endpoint) -> None:
    """Not by their ids: who began later may have written before."""
    written = [missed(old, id=f"evt_{number}") for number in (3, 1, 2)]
    recovery = start_recovery(endpoint=old, selection=since(include_missed=True))
    assert list(recovery.items.order_by("pk").values_list("event_id", flat=True)) == written


def test_a_recovery_is_not_over_before_all_of_it_is_listed(
    old: Endpoint,
    deliver: Deliver,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
    move_clock: Callable[..., None],
) -> None:
    """Nor does a halt lose what was not listed yet: it is listed once it goes on."""
    monkeypatch.setattr(recover, "INSERT_BATCH", 2)
    monkeypatch.setattr(recover, "BATCHES_AT_ONCE", 1)
    Endpoint.objects.update(url=receiver.url)
    for _ in range(5):
        ended(old)
    recovery = start_recovery(endpoint=old, selection=since(), per_minute=6_000)
    stop_recovery(recovery=recovery)
    advance_recoveries()
    assert progress_of(recovery).total == 2
    resume_recovery(recovery=recovery)
    for _ in range(8):
        advance_recoveries()
        deliver()
        move_clock(seconds=1)
    recovery.refresh_from_db()
    assert (recovery.status, progress_of(recovery).delivered) == (RecoveryStatus.FINISHED, 5)


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
    with pytest.raises(Conflict, match="in progress"):
        resume_recovery(recovery=first)


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
