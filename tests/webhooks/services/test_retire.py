"""What becomes of the endpoints and deliveries of a test environment that goes out of use."""

from datetime import datetime, timedelta

import pytest
from django.db import transaction

from apps.accounts.models import Account
from apps.common import clock
from apps.webhooks.models import Delivery, Endpoint, EndpointStatus, Recovery
from apps.webhooks.services.advance_recoveries import advance
from apps.webhooks.services.retire import end_deliveries, end_left_behind, move_endpoints
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.webhooks.lock_order import has_locked_first
from tests.webhooks.services.recoveries import recovery_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def disabled(reason: str, **fields: object) -> Endpoint:
    state = {"status": "disabled", "disabled_reason": reason, "disabled_at": clock.now()}
    return EndpointFactory(**{**state, **fields})


def test_endpoints_move_without_their_failures_and_stay_disabled_where_the_partner_wants_that() -> None:
    old, new = AccountFactory(), AccountFactory()
    sound = EndpointFactory(account=old, consecutive_failures=3)
    failed = disabled("consecutive_failures", account=old, consecutive_failures=10)
    off = disabled("disabled_by_partner", account=old)
    stay: list[Endpoint] = [
        EndpointFactory(account=old, environment="live"),
        disabled("disabled_by_partner", account=old, deleted_at=clock.now(), secret_encrypted=""),
        EndpointFactory(),
    ]
    with transaction.atomic():
        assert move_endpoints(account_id=old.pk, to_account_id=new.pk, ahead=timedelta(0)) == 3
    moved = {each.pk: each for each in Endpoint.objects.filter(account=new)}
    assert set(moved) == {sound.pk, failed.pk, off.pk}
    assert {each.consecutive_failures for each in moved.values()} == {0}
    states = [(moved[each.pk].status, moved[each.pk].disabled_reason) for each in (sound, failed, off)]
    assert states == [("enabled", None), ("enabled", None), ("disabled", "disabled_by_partner")]
    assert (moved[failed.pk].disabled_at, moved[off.pk].disabled_at) == (None, off.disabled_at)
    assert {each.pk for each in stay} == set(
        Endpoint.objects.exclude(account=new).values_list("pk", flat=True)
    )


def test_the_times_of_an_endpoint_are_put_back_with_the_clock_that_they_were_of() -> None:
    new, future = AccountFactory(), clock.now() + DAY
    endpoint = disabled(
        "disabled_by_partner",
        disabled_at=future,
        created_at=future,
        updated_at=future,
        previous_secret_expires_at=future,
    )
    with transaction.atomic():
        move_endpoints(account_id=endpoint.account_id, to_account_id=new.pk, ahead=DAY)
    endpoint.refresh_from_db()
    assert endpoint.previous_secret_expires_at == future - DAY
    now = clock.now()
    assert endpoint.disabled_at is not None
    assert max(endpoint.disabled_at, endpoint.created_at, endpoint.updated_at) <= now


def test_what_is_unfinished_ends_and_what_is_of_others_goes_on() -> None:
    ended = DeliveryFactory()
    account = ended.account
    done = DeliveryFactory(
        endpoint=ended.endpoint, status="DELIVERED", next_attempt_at=None, completed_at=clock.now()
    )
    live = DeliveryFactory(endpoint=EndpointFactory(account=account, environment="live"))
    other = DeliveryFactory()
    recoveries = [
        Recovery.objects.create(
            account=each.account,
            environment=each.environment,
            endpoint=each.endpoint,
            selection={},
            per_minute=60,
            status="running",
        )
        for each in (ended, live, other)
    ]
    with transaction.atomic():
        end_deliveries(account_id=account.pk)
    SandboxFactory(account=account, retired_at=clock.now())
    assert end_left_behind() == 1
    statuses = dict(Delivery.objects.values_list("pk", "status"))
    assert statuses == {ended.pk: "FAILED", done.pk: "DELIVERED", live.pk: "PENDING", other.pk: "PENDING"}
    stopped = dict(Recovery.objects.values_list("pk", "status"))
    assert [stopped[each.pk] for each in recoveries] == ["stopped", "running", "running"]
    endpoints = {each.pk: each for each in Endpoint.objects.all()}
    assert [endpoints[each.endpoint_id].status for each in (ended, live, other)] == [
        EndpointStatus.DISABLED,
        EndpointStatus.ENABLED,
        EndpointStatus.ENABLED,
    ]
    assert endpoints[ended.endpoint_id].disabled_reason == "disabled_by_partner"


def test_recoveries_end_now_where_they_had_not_ended_before(clock_stands_still: datetime) -> None:
    endpoint, before = EndpointFactory(), clock_stands_still - DAY
    plan = {"account": endpoint.account, "environment": "test", "endpoint": endpoint, "per_minute": 60}
    canary = Recovery.objects.create(**plan, selection={}, status="canary")
    finished = Recovery.objects.create(**plan, selection={}, status="finished", finished_at=before)
    with transaction.atomic():
        end_deliveries(account_id=endpoint.account_id)
    assert set(Recovery.objects.values_list("pk", "status", "finished_at")) == {
        (canary.pk, "stopped", clock_stands_still),
        (finished.pk, "finished", before),
    }


def test_an_endpoint_that_is_disabled_already_keeps_why_and_since_when() -> None:
    endpoint = disabled("consecutive_failures", disabled_at=clock.now() - DAY)
    with transaction.atomic():
        end_deliveries(account_id=endpoint.account_id)
    known = (endpoint.status, endpoint.disabled_reason, endpoint.disabled_at)
    endpoint.refresh_from_db()
    assert (endpoint.status, endpoint.disabled_reason, endpoint.disabled_at) == known


@transaction.atomic
def retire(account: Account, way: str) -> None:
    if way == "moved":
        move_endpoints(account_id=account.pk, to_account_id=AccountFactory().pk, ahead=timedelta(0))
    else:
        end_deliveries(account_id=account.pk)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["moved", "ended"])
def test_endpoints_are_locked_in_the_order_of_their_ids_however_the_table_lies(way: str) -> None:
    account = AccountFactory()
    second, first = (EndpointFactory(id=id_, account=account) for id_ in ("we_2", "we_1"))
    assert has_locked_first(lambda: retire(account, way), first, second)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", ["moved", "ended"])
def test_a_recovery_is_locked_before_its_endpoint_as_by_the_sweep(way: str) -> None:
    """Else a reset and a step of the recovery wait for each other, and PostgreSQL breaks one off."""
    recovery = recovery_of(EndpointFactory(), failed=1)
    assert has_locked_first(lambda: advance(recovery.pk), recovery, recovery.endpoint)
    assert has_locked_first(lambda: retire(recovery.account, way), recovery, recovery.endpoint)
