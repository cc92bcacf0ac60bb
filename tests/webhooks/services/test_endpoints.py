import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from apps.accounts.models import Account
from apps.common import clock
from apps.common.errors import Conflict, InvalidRequest, NotFound
from apps.webhooks.models import Delivery, DeliveryStatus, DisabledReason, Endpoint, EndpointStatus
from apps.webhooks.selectors import deliveries_of, endpoints_of
from apps.webhooks.services.emit import emit
from apps.webhooks.services.endpoints import (
    MAX_ENDPOINTS,
    create_endpoint,
    delete_endpoint,
    disable_endpoint,
    enable_endpoint,
    update_endpoint,
)
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory

URL = "https://hooks.partner.example/in"


@pytest.fixture
def account(db: None) -> Account:
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
    assert stored.secret == secret
    assert secret not in str(Endpoint.objects.values().get())


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
    assert (waiting.next_attempt_at, waiting.attempt_count) == (enabled.updated_at, 6)
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
