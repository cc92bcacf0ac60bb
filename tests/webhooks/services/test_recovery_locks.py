"""Recoveries that several processes advance at once, beside whoever writes events and sends deliveries."""

from datetime import timedelta

import pytest
from django.db import OperationalError, connection

from apps.common import clock
from apps.webhooks.models import Delivery, Endpoint, Recovery
from apps.webhooks.selectors import progress_of
from apps.webhooks.services.advance_recoveries import advance, advance_recoveries
from apps.webhooks.services.recover import list_more
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.locks import locked
from tests.support.threads import all_at_once
from tests.webhooks.lock_order import has_locked_first
from tests.webhooks.services.recoveries import recovery_of

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_parallel_steps_send_once(endpoint: Endpoint) -> None:
    recovery = recovery_of(endpoint, failed=5)
    assert sorted(all_at_once([lambda: advance(recovery.pk)] * 4))[-1] == 1
    assert progress_of(recovery).sent == 1


@pytest.mark.django_db(transaction=True)
def test_recovery_in_other_hands_is_passed_over_at_once(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    taken, free = recovery_of(endpoint, failed=3), recovery_of(EndpointFactory(url=endpoint.url), failed=3)
    Recovery.objects.filter(pk=taken.pk).update(listed_to="")  # there is more to list
    with locked(Recovery.objects.filter(pk=taken.pk)):
        assert (list_more(taken.pk), advance(taken.pk)) == (0, 0)
        assert advance_recoveries() == 1
    assert (progress_of(taken).sent, progress_of(free).sent) == (0, 1)
    assert "could not be advanced" not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_endpoint_in_use_keeps_no_recovery_from_being_listed(endpoint: Endpoint) -> None:
    """Of the recovery and its endpoint the first alone is locked, and not against what refers to it."""
    recovery = recovery_of(endpoint, failed=3)
    Recovery.objects.update(listed_to="")
    recovery.items.all().delete()
    recoveries = Recovery.objects.filter(pk=recovery.pk)
    with locked(Endpoint.objects.filter(pk=endpoint.pk)), locked(recoveries, "KEY SHARE"):
        assert list_more(recovery.pk) == 3
    with locked(recoveries, "KEY SHARE"):
        assert advance(recovery.pk) == 1


@pytest.mark.django_db(transaction=True)
def test_deliveries_are_locked_in_the_order_of_their_ids_however_the_table_lies(endpoint: Endpoint) -> None:
    second, first = (
        DeliveryFactory(
            id=id_, endpoint=endpoint, status="FAILED", next_attempt_at=None, completed_at=clock.now()
        )
        for id_ in ("whd_2", "whd_1")
    )
    recovery = recovery_of(endpoint, failed=0, per_minute=6_000)
    Recovery.objects.update(status="running", allowance=10)
    assert has_locked_first(lambda: advance(recovery.pk), first, second)


def test_recoveries_are_served_in_the_order_in_which_they_were_started() -> None:
    late, early = (recovery_of(EndpointFactory(), failed=1) for _ in range(2))
    Recovery.objects.filter(pk=early.pk).update(created_at=clock.now() - timedelta(hours=1))
    assert advance_recoveries() == 2
    with connection.cursor() as cursor:  # cmin: which statement of this transaction wrote the row
        cursor.execute("SELECT id FROM webhooks_recovery ORDER BY cmin::text::integer")
        assert [id_ for (id_,) in cursor.fetchall()] == [early.pk, late.pk]


@pytest.mark.django_db(transaction=True)
def test_a_step_waits_for_who_sends_a_delivery_and_for_nobody_who_writes_what_refers_to_it() -> None:
    recovery = recovery_of(EndpointFactory(), failed=1)
    deliveries = Delivery.objects.filter(endpoint=recovery.endpoint)
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with locked(deliveries, "NO KEY UPDATE"), pytest.raises(OperationalError):
        advance(recovery.pk)
    with locked(deliveries, "KEY SHARE"):
        assert advance(recovery.pk) == 1
