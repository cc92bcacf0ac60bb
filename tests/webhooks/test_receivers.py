"""What waits for a retry comes as much sooner as a sandbox's clock is moved; nobody else's does."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.services.move_clock import move_clock
from apps.common import clock
from apps.common.ids import new_id
from apps.webhooks import wakeups
from apps.webhooks.models import Attempt, Delivery, Endpoint, Event, EventFeed, Recovery, RecoveryItem
from apps.webhooks.services.endpoints import pull_deliveries_back
from apps.webhooks.services.prune import prune, prune_sandboxes
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.locks import locked
from tests.support.plans import read_as_the_table_lies
from tests.webhooks.lock_order import has_locked_first

HOUR = timedelta(hours=1)


def test_retries_are_pulled_back_in_the_moved_environment_alone(db: None) -> None:
    due = clock.now() + 2 * HOUR
    waiting = DeliveryFactory(next_attempt_at=due)
    finished = DeliveryFactory(
        endpoint=waiting.endpoint, status="DELIVERED", next_attempt_at=None, completed_at=clock.now()
    )
    live = DeliveryFactory(
        endpoint=EndpointFactory(account=waiting.account, environment="live"), next_attempt_at=due
    )
    other = DeliveryFactory(next_attempt_at=due)

    move_clock(account_id=waiting.account_id, by=HOUR)

    times = {each.pk: each.due_at for each in Delivery.objects.all()}
    assert times == {waiting.pk: due - HOUR, finished.pk: None, live.pk: due, other.pk: due}
    waiting.refresh_from_db()
    assert waiting.next_attempt_shown_at == due


def test_a_dispatcher_is_woken_and_history_forgotten_once_the_move_is_committed(
    db: None, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    called: list[str] = []
    monkeypatch.setattr(wakeups, "notify", lambda: called.append("notify"))
    monkeypatch.setattr(wakeups, "forget_in_sandboxes", lambda: called.append("forget"))
    waiting = DeliveryFactory()
    with django_capture_on_commit_callbacks(execute=True):
        move_clock(account_id=waiting.account_id, by=HOUR)
        assert called == []
    assert called == ["notify", "forget"]


def test_history_is_forgotten_by_the_clock_of_its_sandbox(db: None) -> None:
    ended = {"status": "DELIVERED", "next_attempt_at": None, "completed_at": clock.now()}
    old, kept = DeliveryFactory(**ended), DeliveryFactory(**ended)
    for delivery in (old, kept):
        Attempt.objects.create(delivery=delivery, number=1, attempted_at=clock.now(), duration_ms=1)
        RecoveryItem.objects.create(
            event_id=new_id("evt"),
            recovery=Recovery.objects.create(
                account=delivery.account,
                environment="test",
                endpoint=delivery.endpoint,
                selection={},
                per_minute=60,
                status="finished",
            ),
        )
    unfinished = DeliveryFactory(endpoint=old.endpoint)
    others = [EventFactory(), EventFactory(account=old.account, environment="live")]
    assert prune_sandboxes() == 0
    move_clock(account_id=old.account_id, by=timedelta(days=29))
    assert prune_sandboxes() == 0
    move_clock(account_id=old.account_id, by=timedelta(days=2))

    assert prune_sandboxes() == 4
    assert prune()["deliveries"] == 0
    assert list(Attempt.objects.values_list("delivery", flat=True)) == [kept.pk]
    assert list(RecoveryItem.objects.values_list("recovery__account", flat=True)) == [kept.account_id]

    assert set(Delivery.objects.values_list("pk", flat=True)) == {kept.pk, unfinished.pk}
    assert set(Event.objects.all()) == {kept.event, unfinished.event, *others}


def test_whoever_forgets_all_that_is_old_forgets_that_too_a_batch_a_statement(db: None) -> None:
    delivery = DeliveryFactory(status="DELIVERED", next_attempt_at=None, completed_at=clock.now())
    for number in (1, 2, 3):
        Attempt.objects.create(delivery=delivery, number=number, attempted_at=clock.now(), duration_ms=1)
    move_clock(account_id=delivery.account_id, by=timedelta(days=31))
    with CaptureQueriesContext(connection) as queries:
        prune(batch=2)
    assert sum(query["sql"].startswith('DELETE FROM "webhooks_attempt"') for query in queries) == 2
    assert not Event.objects.exists()


def test_a_delivery_stays_there_too_as_long_as_an_attempt_of_it_and_while_it_is_sent_again(db: None) -> None:
    long_ago = clock.now() - timedelta(days=2)
    resent = DeliveryFactory(
        status="DELIVERED", next_attempt_at=None, completed_at=long_ago, created_at=long_ago
    )
    Attempt.objects.create(delivery=resent, number=2, attempted_at=clock.now(), duration_ms=1)
    again = DeliveryFactory(
        endpoint=resent.endpoint, status_before_resend="FAILED", completed_at=long_ago, created_at=long_ago
    )
    move_clock(account_id=resent.account_id, by=timedelta(days=29))
    prune_sandboxes()
    assert set(Delivery.objects.all()) == {resent, again}


def test_who_reads_the_feed_of_a_sandbox_is_told_of_what_its_clock_made_old(db: None) -> None:
    """What is forgotten gets its place in the feed first."""
    event = DeliveryFactory(status="DELIVERED", next_attempt_at=None, completed_at=clock.now()).event
    feed = EventFeed.objects.create(account=event.account, environment="test")
    other = EventFeed.objects.create(account=EventFactory().account, environment="test")
    move_clock(account_id=event.account_id, by=timedelta(days=31))
    prune_sandboxes()
    feed.refresh_from_db()
    other.refresh_from_db()
    assert (feed.last_position, feed.forgotten_position, feed.forgotten_event_id) == (1, 1, event.pk)
    assert (other.last_position, other.forgotten_position) == (0, 0)


@pytest.mark.django_db(transaction=True)
def test_endpoints_are_locked_in_the_order_of_their_ids_before_their_deliveries() -> None:
    account = AccountFactory()
    second, first = (EndpointFactory(id=id_, account=account) for id_ in ("we_2", "we_1"))

    @transaction.atomic
    def pull() -> None:
        pull_deliveries_back(account_id=account.pk, advance=HOUR)

    assert has_locked_first(pull, first, second)


@pytest.mark.django_db(transaction=True)
def test_a_moved_clock_waits_for_nobody_who_writes_events_for_an_endpoint() -> None:
    endpoint = DeliveryFactory().endpoint
    with locked(Endpoint.objects.all(), "KEY SHARE"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '50ms'")
        pull_deliveries_back(account_id=endpoint.account_id, advance=HOUR)


def test_where_all_that_is_old_there_has_its_place_nothing_more_is_numbered(db: None) -> None:
    """Who reads that far numbers the rest."""
    old = EventFactory(feed_position=1)
    EventFeed.objects.create(account=old.account, environment="test", last_position=1)
    move_clock(account_id=old.account_id, by=timedelta(days=31))
    young = EventFactory(account=old.account, created_at=clock.now() + timedelta(days=31))
    prune_sandboxes()
    assert list(Event.objects.values_list("pk", "feed_position")) == [(young.pk, None)]


def test_what_is_exactly_30_days_old_there_stays(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    event = EventFactory(created_at=now)
    move_clock(account_id=event.account_id, by=timedelta(days=30))
    assert prune_sandboxes() == 0
    monkeypatch.setattr(clock, "_database_now", lambda: now + timedelta(microseconds=1))
    assert prune_sandboxes() == 1


def test_events_are_forgotten_there_in_the_order_of_their_ids_however_the_table_lies(db: None) -> None:
    account = AccountFactory()
    for number in (3, 0, 4, 1, 2):
        EventFactory(id=f"evt_{number}", account=account)
    move_clock(account_id=account.pk, by=timedelta(days=31))
    read_as_the_table_lies()
    assert prune_sandboxes(batch=2) == 5


def test_what_a_clock_made_old_goes_where_the_feed_of_live_alone_was_read(db: None) -> None:
    """The feed of the sandbox has no reader who would be told."""
    event = EventFactory()
    live = EventFeed.objects.create(account=event.account, environment="live")
    move_clock(account_id=event.account_id, by=timedelta(days=31))
    assert prune_sandboxes() == 1
    assert list(EventFeed.objects.all()) == [live]
