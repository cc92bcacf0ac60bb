"""Starting recoveries, what they select, and how it is listed."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from apps.common import clock
from apps.common.errors import Conflict
from apps.webhooks.models import Endpoint, Event, Recovery, RecoveryItem, RecoveryStatus
from apps.webhooks.selectors import Progress, progress_of, recoveries_of
from apps.webhooks.services import recover
from apps.webhooks.services.advance_recoveries import advance_recoveries
from apps.webhooks.services.endpoints import disable_endpoint
from apps.webhooks.services.recover import (
    Preview,
    Selection,
    outage_began_at,
    preview,
    resume_recovery,
    selected_event_ids,
    start_recovery,
    stop_recovery,
)
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.plans import read_as_the_table_lies
from tests.support.receiver import Receiver
from tests.support.threads import all_at_once
from tests.webhooks.conftest import Deliver
from tests.webhooks.services.recoveries import ago, ended, events_missed, missed, since

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


def test_an_event_that_another_endpoint_got_was_missed_by_this_one(old: Endpoint) -> None:
    elsewhere = ended(EndpointFactory(account=old.account), "DELIVERED", event__created_at=ago(1))
    assert selected_event_ids(old, since(include_missed=True)) == [elsewhere]


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


def test_an_end_is_not_included_and_a_beginning_is(old: Endpoint) -> None:
    begins = clock.now() - timedelta(hours=5)
    ends = begins + timedelta(hours=1)
    instant = timedelta(microseconds=1)
    moments = (begins - instant, begins, ends - instant, ends)
    failed = [ended(old, completed_at=moment) for moment in moments]
    unheard = [str(EventFactory(account=old.account, created_at=moment).pk) for moment in moments]
    selection = Selection(since=begins, until=ends, include_missed=True)
    assert selected_event_ids(old, selection) == sorted([*failed[1:3], *unheard[1:3]])
    assert preview(endpoint=old, selection=selection) == Preview(waiting=0, unsuccessful=2, missed=2)


def test_what_happened_in_the_instant_in_which_the_endpoint_was_made_was_missed(old: Endpoint) -> None:
    at, before = old.created_at, old.created_at - timedelta(microseconds=1)
    events = [str(EventFactory(account=old.account, created_at=moment).pk) for moment in (at, before)]
    selection = Selection(since=before - timedelta(days=1), include_missed=True)
    assert selected_event_ids(old, selection) == events[:1]


def test_the_oldest_events_after_one_are_selected_however_they_lie(old: Endpoint) -> None:
    ids = [f"evt_{number}" for number in range(8)]
    for number, id_ in enumerate(reversed(ids)):
        if number % 2:
            ended(old, event__id=id_, event__created_at=ago(1))
        else:
            EventFactory(id=id_, account=old.account, created_at=ago(1))
    selection = since(include_missed=True)
    read_as_the_table_lies()
    assert selected_event_ids(old, selection) == ids
    assert selected_event_ids(old, selection, most=3) == ids[:3]
    assert selected_event_ids(old, selection, after=ids[2], most=3) == ids[3:6]
    assert selected_event_ids(old, selection, after=ids[6], most=3) == ids[7:]


def test_a_recovery_keeps_what_it_is_about_and_takes_nothing_from_after_its_start() -> None:
    start = clock.now().replace(microsecond=0)
    whole = Selection(
        since=start - timedelta(hours=2),
        until=start - timedelta(hours=1),
        event_types=("booking.confirmed",),
        statuses=("FAILED",),
        include_missed=True,
    )
    assert Selection.of(Recovery(selection=whole.json(), created_at=start)) == whole
    for until in (None, start + timedelta(hours=1)):
        open_ = Selection(since=whole.since, until=until)
        assert Selection.of(Recovery(selection=open_.json(), created_at=start)) == Selection(
            since=whole.since, until=start
        )


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
    assert sorted(answers) == ["A recovery of this endpoint is under way; stop it first."] * 3 + ["canary"]


@pytest.mark.django_db(transaction=True)
def test_a_hundred_thousand_events_are_listed_in_batches(
    old: Endpoint, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """As many as that in `make chaos`, some thousands in the suite. What happens after the start is not among them."""
    count = 100_000 if request.config.getoption("--chaos-runs") else 2_600
    if count < 100_000:
        monkeypatch.setattr(recover, "INSERT_BATCH", 250)
    events_missed(old, count)
    batches: list[int] = []
    insert = QuerySet.bulk_create

    def inserted(rows: QuerySet[RecoveryItem], items: list[RecoveryItem], **options: Any) -> Any:
        batches.append(len(items))
        return insert(rows, items, **options)

    monkeypatch.setattr(QuerySet, "bulk_create", inserted)
    recovery = start_recovery(endpoint=old, selection=since(include_missed=True))
    assert batches == [recover.INSERT_BATCH]
    missed(old, hours=0)
    with CaptureQueriesContext(connection) as queries:
        assert recover.list_more(recovery.pk) == count - recover.INSERT_BATCH
    assert max(batches) == recover.INSERT_BATCH
    assert sum(query["sql"] == "COMMIT" for query in queries) == len(batches)
    recovery.refresh_from_db()
    assert (recovery.listed_to, recover.list_more(recovery.pk)) == (None, 0)
    assert progress_of(recovery).total == count
    ids = list(recovery.items.order_by("pk").values_list("event_id", flat=True))
    assert len(set(ids)) == count


def test_events_are_listed_as_they_were_written(old: Endpoint) -> None:
    """Not by their ids: who began later may have written before."""
    written = [missed(old, id=f"evt_{number}") for number in (3, 1, 2)]
    recovery = start_recovery(endpoint=old, selection=since(include_missed=True))
    assert list(recovery.items.order_by("pk").values_list("event_id", flat=True)) == written


def test_events_without_an_arrival_are_listed_first_by_their_time(old: Endpoint) -> None:
    """What was there before the column, as in the feed."""
    new, late, early = (missed(old, id=f"evt_{number}", hours=number) for number in (3, 1, 2))
    Event.objects.filter(pk__in=(late, early)).update(arrival=None)
    recovery = start_recovery(endpoint=old, selection=since(include_missed=True))
    assert list(recovery.items.order_by("pk").values_list("event_id", flat=True)) == [early, late, new]


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
