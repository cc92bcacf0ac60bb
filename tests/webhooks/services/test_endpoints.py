import threading
import uuid
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction

from apps.accounts.models import Account
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest, NotFound
from apps.webhooks.events import emit
from apps.webhooks.models import Delivery, DeliveryStatus, DisabledReason, Endpoint, EndpointStatus
from apps.webhooks.selectors import deliveries_of, endpoints_of
from apps.webhooks.services.endpoints import (
    MAX_ENDPOINTS,
    create_endpoint,
    delete_endpoint,
    disable_endpoint,
    enable_endpoint,
    update_endpoint,
)
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.locks import locked

URL = "https://hooks.partner.example/in"


@pytest.fixture
def account(db: None) -> Account:
    """One of two."""
    AccountFactory()
    return AccountFactory()


def create(account: Account, **fields: Any) -> tuple[Endpoint, str]:
    values: dict[str, Any] = {"environment": "test", "url": URL, "events": ["booking.confirmed"]}
    return create_endpoint(account_id=account.id, **{**values, **fields})


# --- create ----------------------------------------------------------------------------------------------------
def test_create_shows_the_secret_once_and_stores_it_encrypted(account: Account) -> None:
    endpoint, secret = create(
        account, description="Bookings", events=["booking.cancelled", "booking.confirmed"]
    )
    stored = Endpoint.objects.get()
    assert stored == endpoint
    assert (stored.account, stored.environment, stored.url) == (account, "test", URL)
    assert (stored.events, stored.description) == (["booking.cancelled", "booking.confirmed"], "Bookings")
    assert (stored.status, stored.consecutive_failures) == (EndpointStatus.ENABLED, 0)
    assert stored.updated_at == stored.created_at
    assert stored.secret == secret
    assert secret not in str(Endpoint.objects.values().get())


def test_a_sandbox_that_was_reset_meanwhile_gets_no_endpoint(account: Account) -> None:
    """Its endpoints have moved on by then: one more would be in no list and could not be deleted."""
    SandboxFactory(account=account, retired_at=clock.now())
    with pytest.raises(Conflict) as refused:
        create(account)
    assert refused.value.own_texts == {"This sandbox was reset or closed meanwhile."}
    assert not Endpoint.objects.exists()
    assert create(account, environment="live")[0].environment == "live"


def test_create_keeps_a_type_named_twice_once(account: Account) -> None:
    endpoint, _ = create(account, events=["payment.refunded", "booking.confirmed", "payment.refunded"])
    assert endpoint.events == ["payment.refunded", "booking.confirmed"]


def test_declared_but_never_emitted_types_can_be_subscribed_to(account: Account) -> None:
    assert create(account, events=["ledger.low_balance"])[0].events == ["ledger.low_balance"]


@pytest.mark.parametrize(
    "unknown", ["checkout.created", "checkout.expired", "webhook.test", "*", "Booking.Confirmed"]
)
def test_one_unknown_type_refuses_the_whole_list(account: Account, unknown: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        create(account, events=["booking.confirmed", unknown])
    message = "is not an event type that can be subscribed to"
    assert refused.value.extras["details"] == [{"field": "events.1", "message": message}]
    assert Endpoint.objects.count() == 0


def test_everything_wrong_is_named_at_once(account: Account) -> None:
    with pytest.raises(InvalidRequest) as refused:
        create(account, url="http://10.0.0.1/", events=[])
    assert [detail["field"] for detail in refused.value.extras["details"]] == ["url", "events"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "url", ["https://10.0.0.1/", "ftp://a.example/", "https://a.example:22/", "https://127.1/"]
)
def test_url_that_is_not_public_is_refused(account: Account, url: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        create(account, url=url)
    [detail] = refused.value.extras["details"]  # type: ignore[misc, attr-defined]
    assert detail["field"] == "url"


def test_twenty_first_endpoint_of_an_environment_conflicts(account: Account) -> None:
    EndpointFactory.create_batch(MAX_ENDPOINTS, account=account)
    with pytest.raises(Conflict):
        create(account)
    create(account, environment="live")
    delete_endpoint(endpoint=endpoints_of(account.id, "test")[0])
    create(account)
    assert endpoints_of(account.id, "test").count() == MAX_ENDPOINTS


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


# --- update ----------------------------------------------------------------------------------------------------
def test_update_changes_what_is_given(account: Account) -> None:
    endpoint, secret = create(account, description="old")
    changed = update_endpoint(endpoint=endpoint, url=URL + "/2", events=["payment.refunded"])
    assert (changed.url, changed.events, changed.description) == (URL + "/2", ["payment.refunded"], "old")
    assert changed.updated_at > endpoint.updated_at
    assert Endpoint.objects.get().secret == secret


def test_update_refuses_what_creation_refuses_and_changes_nothing(account: Account) -> None:
    endpoint, _ = create(account)
    with pytest.raises(InvalidRequest):
        update_endpoint(endpoint=endpoint, url="https://192.168.0.1/", description="new")
    assert Endpoint.objects.get().description == ""


def test_enabling_an_enabled_endpoint_clears_its_count(account: Account) -> None:
    endpoint = EndpointFactory(account=account, consecutive_failures=7)
    later = clock.now() + timedelta(hours=2)
    waiting = DeliveryFactory(endpoint=endpoint, status="RETRYING", next_attempt_at=later)
    assert enable_endpoint(endpoint=endpoint).consecutive_failures == 0
    waiting.refresh_from_db()
    assert waiting.next_attempt_at == later


# --- disable and enable ----------------------------------------------------------------------------------------
def test_disabling_keeps_deliveries_waiting_and_makes_no_new_ones(account: Account) -> None:
    endpoint, _ = create(account)
    waiting = DeliveryFactory(endpoint=endpoint)
    disabled = disable_endpoint(endpoint=endpoint)
    assert (disabled.status, disabled.disabled_reason) == (EndpointStatus.DISABLED, DisabledReason.BY_PARTNER)
    assert disabled.disabled_at == disabled.updated_at
    with transaction.atomic():
        emit(account_id=account.id, environment="test", type="booking.confirmed", data={})
    assert list(Delivery.objects.all()) == [waiting]
    waiting.refresh_from_db()
    assert (waiting.status, waiting.is_finished) == (DeliveryStatus.PENDING, False)


def test_disabling_twice_keeps_the_first_reason(account: Account) -> None:
    now = clock.now()
    endpoint = EndpointFactory(
        account=account, status="disabled", disabled_reason="consecutive_failures", disabled_at=now
    )
    again = disable_endpoint(endpoint=endpoint)
    assert (again.disabled_reason, again.disabled_at) == (DisabledReason.CONSECUTIVE_FAILURES, now)


def test_enabling_makes_what_waits_due_at_once_and_clears_the_count(account: Account) -> None:
    endpoint = EndpointFactory(
        account=account,
        status="disabled",
        disabled_reason="consecutive_failures",
        disabled_at=clock.now(),
        consecutive_failures=10,
    )
    later = clock.now() + timedelta(hours=24)
    waiting = DeliveryFactory(endpoint=endpoint, status="RETRYING", attempt_count=6, next_attempt_at=later)
    finished = DeliveryFactory(endpoint=endpoint, status="EXHAUSTED", next_attempt_at=None)
    enabled = enable_endpoint(endpoint=endpoint)
    assert (enabled.status, enabled.disabled_reason, enabled.disabled_at) == (
        EndpointStatus.ENABLED,
        None,
        None,
    )
    assert enabled.consecutive_failures == 0
    waiting.refresh_from_db()
    finished.refresh_from_db()
    assert (waiting.due_at, waiting.attempt_count) == (enabled.updated_at, 6)
    assert (finished.status, finished.next_attempt_at) == (DeliveryStatus.EXHAUSTED, None)


# --- delete ----------------------------------------------------------------------------------------------------
def test_deleted_endpoint_leaves_its_history_and_no_secret(account: Account) -> None:
    endpoint, _ = create(account)
    delivered = DeliveryFactory(endpoint=endpoint, status="DELIVERED", next_attempt_at=None)
    unfinished = DeliveryFactory(endpoint=endpoint, status="RETRYING", attempt_count=2)
    delete_endpoint(endpoint=endpoint)
    assert list(endpoints_of(account.id, "test")) == []
    assert set(deliveries_of(account.id, "test", endpoint_id=endpoint.id)) == {delivered, unfinished}
    unfinished.refresh_from_db()
    assert (unfinished.status, unfinished.next_attempt_at) == (DeliveryStatus.FAILED, None)
    assert unfinished.completed_at is not None
    stored = Endpoint.objects.get()
    assert (stored.secret_encrypted, stored.previous_secret_encrypted) == ("", "")


def test_deleted_endpoint_cannot_be_changed(account: Account) -> None:
    endpoint, _ = create(account)
    delete_endpoint(endpoint=endpoint)
    with pytest.raises(NotFound):
        enable_endpoint(endpoint=endpoint)
    with pytest.raises(NotFound):
        delete_endpoint(endpoint=endpoint)


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


def test_enabling_makes_nothing_due_of_another_endpoint(account: Account) -> None:
    endpoint = EndpointFactory(account=account)
    later = clock.now() + timedelta(hours=1)
    elsewhere = DeliveryFactory(
        endpoint=EndpointFactory(account=account), status="RETRYING", next_attempt_at=later
    )
    disable_endpoint(endpoint=endpoint)
    enable_endpoint(endpoint=endpoint)
    elsewhere.refresh_from_db()
    assert elsewhere.due_at == later


def test_a_change_is_of_its_instant_and_wakes_a_dispatcher(
    account: Account, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    endpoint = EndpointFactory(account=account, description="old")
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    with django_capture_on_commit_callbacks() as woken:
        update_endpoint(endpoint=endpoint, description="")
    endpoint.refresh_from_db()
    assert (endpoint.description, endpoint.updated_at, len(woken)) == ("", now, 1)


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


def test_the_words_of_a_refusal_are_ours(account: Account) -> None:
    EndpointFactory.create_batch(MAX_ENDPOINTS, account=account)
    with pytest.raises(Conflict) as refused:
        create(account)
    assert refused.value.own_texts == {"There are 20 endpoints in this environment; delete one first."}
    with pytest.raises(InvalidRequest) as nothing:
        create(account, events=[])
    assert nothing.value.extras["details"] == [
        {"field": "events", "message": "must name at least one event type"}
    ]
    with pytest.raises(InvalidRequest) as wrong:
        create(account, url="ftp://a.example/", events=["a", "booking.confirmed", "b"])
    details: Any = wrong.value.extras["details"]
    assert [detail["field"] for detail in details] == ["url", "events.0", "events.2"]
    assert details[0]["message"] == "must be an https URL"


@pytest.mark.django_db(transaction=True)
def test_endpoints_are_counted_under_the_accounts_lock_that_bookings_do_not_wait_for() -> None:
    account = AccountFactory()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    accounts = Account.objects.filter(pk=account.pk)
    with locked(accounts, "NO KEY UPDATE"), pytest.raises(OperationalError):
        create(account)
    with locked(accounts, "KEY SHARE"):
        create(account)
    assert Endpoint.objects.count() == 1
