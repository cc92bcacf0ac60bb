"""Endpoints: register, change, enable, disable, delete, rotate; the audit trail; the moved clock."""

import threading
import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.accounts.clocks import move_clock
from apps.accounts.models import Account, AccountAuditEntry
from apps.common import clock
from apps.common.errors import Conflict
from apps.common.ids import new_id
from apps.webhooks.models import (
    Attempt,
    Delivery,
    Endpoint,
    Event,
    EventFeed,
    Recovery,
    RecoveryItem,
)
from apps.webhooks.services.endpoints import (
    MAX_ENDPOINTS,
    create_endpoint,
    delete_endpoint,
    disable_endpoint,
    enable_endpoint,
    rotate_secret,
    update_endpoint,
)
from apps.webhooks.services.prune import prune, prune_sandboxes
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.keys import issued_key
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.api import Api

pytestmark = pytest.mark.django_db

URL = "https://hooks.partner.example/in"


@pytest.fixture
def account(db: None) -> Account:
    """One of two."""
    AccountFactory()
    return AccountFactory()


def create(account: Account, **fields: Any) -> tuple[Endpoint, str]:
    values: dict[str, Any] = {"environment": "test", "url": URL, "events": ["booking.confirmed"]}
    return create_endpoint(account_id=account.id, **{**values, **fields})


def test_a_sandbox_that_was_reset_meanwhile_gets_no_endpoint(account: Account) -> None:
    """Its endpoints have moved on by then: one more would be in no list and could not be deleted."""
    SandboxFactory(account=account, retired_at=clock.now())
    with pytest.raises(Conflict) as refused:
        create(account)
    assert refused.value.own_texts == {"This sandbox was reset or closed in the meantime."}
    assert not Endpoint.objects.exists()
    assert create(account, environment="live")[0].environment == "live"


@pytest.mark.django_db(transaction=True)
def test_parallel_creations_stop_at_twenty() -> None:
    account = AccountFactory()
    EndpointFactory.create_batch(MAX_ENDPOINTS - 2, account=account)
    outcomes: list[str] = []

    def one() -> None:
        try:
            create(account)
            outcomes.append("created")
        except Conflict:
            outcomes.append("conflict")
        finally:
            connection.close()

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["conflict"] * 6 + ["created"] * 2


# --- delete ----------------------------------------------------------------------------------------------------


def test_deletion_ends_what_waits_of_this_endpoint_alone(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint, other = (EndpointFactory(account=account) for _ in range(2))
    earlier, now = clock.now() - timedelta(days=1), clock.now()
    Endpoint.objects.update(previous_secret_encrypted="older", previous_secret_expires_at=now)
    ended = {"status": "DELIVERED", "next_attempt_at": None, "completed_at": earlier}
    delivered = DeliveryFactory(endpoint=endpoint, **ended)
    resent = DeliveryFactory(endpoint=endpoint, status_before_resend="EXHAUSTED", completed_at=earlier)
    replayed = DeliveryFactory(endpoint=endpoint, status_before_resend="FAILED")
    waiting = DeliveryFactory(
        endpoint=endpoint, completed_at=earlier, lease_token=uuid.uuid4(), lease_until=now
    )
    elsewhere = DeliveryFactory(endpoint=other)
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    delete_endpoint(endpoint=endpoint)

    def state(delivery: Delivery) -> tuple[object, ...]:
        delivery.refresh_from_db()
        leased = delivery.lease_token, delivery.lease_until
        return delivery.status, delivery.completed_at, delivery.next_attempt_at, *leased

    assert state(delivered) == ("DELIVERED", earlier, None, None, None)
    assert state(resent) == ("EXHAUSTED", earlier, None, None, None)
    assert state(replayed) == ("FAILED", now, None, None, None)
    assert state(waiting) == ("FAILED", now, None, None, None)
    assert (state(elsewhere)[0], elsewhere.is_finished) == ("PENDING", False)
    endpoint.refresh_from_db()
    assert (endpoint.deleted_at, endpoint.updated_at, endpoint.disabled_at) == (now, now, now)
    assert (endpoint.previous_secret_expires_at, endpoint.disabled_reason) == (None, "disabled_by_partner")


def test_where_the_clock_was_moved_a_change_is_of_the_time_there_and_what_waits_is_due_in_real_time(
    account: Account, clock_stands_still: datetime
) -> None:
    now, ahead = clock_stands_still, timedelta(days=3)
    SandboxFactory(account=account, clock_offset=ahead)
    endpoint = EndpointFactory(account=account)
    waiting = DeliveryFactory(endpoint=endpoint, next_attempt_at=now + timedelta(hours=1))
    disabled = disable_endpoint(endpoint=endpoint)
    assert (disabled.disabled_at, disabled.updated_at) == (now + ahead, now + ahead)
    enable_endpoint(endpoint=endpoint)
    waiting.refresh_from_db()
    assert (waiting.due_at, waiting.next_attempt_shown_at) == (now, now + ahead)


URL = "https://partner.example/hooks?token=s3cret"


def told() -> list[AccountAuditEntry]:
    return list(AccountAuditEntry.objects.filter(action__startswith="webhooks.").order_by("created_at", "id"))


def test_each_deed_is_one_entry_and_none_tells_a_secret():
    ana = Actor("ana@partner.example")
    endpoint, secret = create_endpoint(
        account_id=AccountFactory().pk, environment="live", url=URL, events=["booking.confirmed"], actor=ana
    )
    update_endpoint(endpoint=endpoint, url=URL, actor=ana)  # as it stood: nothing to tell
    update_endpoint(endpoint=endpoint, description="Shop", status="disabled", actor=ana)
    disable_endpoint(endpoint=endpoint, actor=ana)
    enable_endpoint(endpoint=endpoint, actor=ana)
    disable_endpoint(endpoint=endpoint, actor=ana)
    _, rotated = rotate_secret(endpoint=endpoint, actor=ana)
    delete_endpoint(endpoint=endpoint, actor=ana)
    entries = told()
    assert [(entry.action, entry.details) for entry in entries] == [
        ("webhooks.created", {"events": ["booking.confirmed"]}),
        ("webhooks.disabled", {}),
        ("webhooks.changed", {"changed": ["description"]}),
        ("webhooks.enabled", {}),
        ("webhooks.disabled", {}),
        ("webhooks.secret_rotated", {"immediate": False}),
        ("webhooks.deleted", {}),
    ]
    assert {(entry.environment, entry.actor_label, entry.subject_name) for entry in entries} == {
        ("live", "ana@partner.example", "https://partner.example/hooks")
    }
    stored = str(AccountAuditEntry.objects.values_list())
    assert not any(hidden in stored for hidden in (secret, rotated, "s3cret"))


def test_over_the_api_it_was_the_key():
    _, secret = issued_key(name="Web shop", scopes=["webhooks:manage"])
    api = Api(secret, address="198.51.100.7")
    body = {"url": "https://partner.example/hooks", "events": ["booking.confirmed"]}
    path = f"/v1/webhooks/endpoints/{api.post('/v1/webhooks/endpoints', body).body['id']}"
    api.post(f"{path}/rotate-secret", {})
    api.patch(path, {"status": "disabled"})
    api.delete(path)
    assert [(entry.action, entry.actor_label, entry.address) for entry in told()] == [
        (f"webhooks.{deed}", "API key “Web shop”", "198.51.100.7")
        for deed in ("created", "secret_rotated", "disabled", "deleted")
    ]


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
