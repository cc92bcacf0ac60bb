"""What will never be sent ends, in batches, by a sweep that waits for nobody and may stop anywhere."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.webhooks import wakeups
from apps.webhooks.deliveries.claim import claim
from apps.webhooks.models import Delivery
from apps.webhooks.services import retire as left_behind
from apps.webhooks.services.endpoints import delete_endpoint
from apps.webhooks.services.prune import prune
from apps.webhooks.services.retire import end_deliveries, end_left_behind
from tests.factories.accounts import SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.locks import locked
from tests.webhooks.conftest import due_deliveries, statuses

DAY = timedelta(days=1)


def test_what_was_written_late_ends_and_what_had_ended_or_is_live_does_not(
    db: None, clock_stands_still: datetime
) -> None:
    """Until its first reset a partner's test environment is stored under the same account as what is live."""
    late, other = DeliveryFactory(), DeliveryFactory()
    account, before = late.account, clock_stands_still - DAY
    SandboxFactory(account=account, retired_at=clock_stands_still)
    SandboxFactory(account=other.account)
    done = DeliveryFactory(
        endpoint=late.endpoint, status="DELIVERED", next_attempt_at=None, completed_at=before
    )
    live = DeliveryFactory(endpoint=EndpointFactory(account=account, environment="live"))
    assert end_left_behind() == 1
    assert set(Delivery.objects.values_list("pk", "status", "completed_at")) == {
        (late.pk, "FAILED", clock_stands_still),
        (done.pk, "DELIVERED", before),
        (live.pk, "PENDING", None),
        (other.pk, "PENDING", None),
    }


def test_what_crossed_the_deletion_of_its_endpoint_ends_as_of_the_deletion(db: None) -> None:
    endpoints = EndpointFactory.create_batch(2)
    for endpoint in endpoints:
        delete_endpoint(endpoint=endpoint)
    crossed = [DeliveryFactory(endpoint=endpoint) for endpoint in endpoints]
    other = DeliveryFactory()
    assert end_left_behind() == 2
    for delivery in (*crossed, other):
        delivery.refresh_from_db()
    assert {(each.status, each.next_attempt_at) for each in crossed} == {("FAILED", None)}
    assert [each.completed_at for each in crossed] == [each.endpoint.deleted_at for each in crossed]
    assert other.status == "PENDING"


def test_of_many_the_first_end_with_the_deletion_and_the_others_wait_unclaimed_and_unforgotten(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(left_behind, "END_BATCH", 2)
    endpoint = EndpointFactory()
    due_deliveries(endpoint, 5, created_at=clock.now() - 40 * DAY)
    delete_endpoint(endpoint=endpoint)
    assert statuses() == {"FAILED": 2, "PENDING": 3}
    assert claim(batches=9) == []
    assert prune()["deliveries"] == 0
    assert end_left_behind() == 3
    assert (statuses(), end_left_behind()) == ({"FAILED": 5}, 0)


@pytest.mark.django_db(transaction=True)
def test_a_run_that_dies_or_is_out_of_time_keeps_what_it_did_and_the_next_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(left_behind, "END_BATCH", 2)
    endpoint = EndpointFactory()
    due_deliveries(endpoint, 9)
    delete_endpoint(endpoint=endpoint)
    end_some = left_behind.end_some

    def dying(*args: Any, **options: Any) -> list[datetime]:
        if statuses()["FAILED"] >= 4:
            raise SystemExit
        return end_some(*args, **options)

    monkeypatch.setattr(left_behind, "end_some", dying)
    with pytest.raises(SystemExit):
        end_left_behind()
    assert statuses() == {"FAILED": 4, "PENDING": 5}
    monkeypatch.setattr(left_behind, "end_some", end_some)
    assert (end_left_behind(seconds=0), end_left_behind()) == (2, 3)
    assert statuses() == {"FAILED": 9}


@pytest.mark.django_db(transaction=True)
def test_a_delivery_in_other_hands_waits_for_the_next_run() -> None:
    held, endpoint = DeliveryFactory(), EndpointFactory()
    for deleted in (held.endpoint, endpoint):
        with locked(Delivery.objects.filter(pk=held.pk)):
            delete_endpoint(endpoint=deleted)
    DeliveryFactory.create_batch(2, endpoint=endpoint)
    with locked(Delivery.objects.filter(pk=held.pk)):
        assert end_left_behind() == 2
    assert end_left_behind() == 1


def test_a_run_is_started_once_what_leaves_deliveries_behind_is_committed(
    db: None, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    started: list[str] = []
    monkeypatch.setattr(wakeups, "notify_left_behind", lambda: started.append("run"))
    deleted, retired = EndpointFactory.create_batch(2)
    for act in (
        lambda: delete_endpoint(endpoint=deleted),
        lambda: end_deliveries(account_id=retired.account_id),
    ):
        with django_capture_on_commit_callbacks(execute=True):
            act()
            assert started == []
        assert started == ["run"]
        started.clear()
