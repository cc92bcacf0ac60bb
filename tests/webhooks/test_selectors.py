"""Reads begin from the account and the environment; how late deliveries are."""

from datetime import timedelta

import pytest

from apps.common import clock
from apps.common.errors import NotFound
from apps.webhooks.deliveries.claim import claim
from apps.webhooks.models import Endpoint, Exam, Recovery
from apps.webhooks.selectors import (
    DeliveryQuery,
    EndpointHour,
    deliveries_by_endpoint_and_hour,
    deliveries_of,
    due_lag,
    exam_of,
    exams_of,
    next_due_at,
    recovery_of,
)
from apps.webhooks.services.endpoints import disable_endpoint
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.plans import read_as_the_table_lies

pytestmark = pytest.mark.django_db


@pytest.fixture
def own() -> Endpoint:
    return EndpointFactory()


@pytest.fixture
def foreign(own: Endpoint) -> list[Endpoint]:
    """The same account's other environment, and another account."""
    return [EndpointFactory(account=own.account, environment="live"), EndpointFactory()]


def test_deliveries_are_filtered(own: Endpoint) -> None:
    exhausted = DeliveryFactory(endpoint=own, status="EXHAUSTED", next_attempt_at=None)
    refund = DeliveryFactory(endpoint=own, event__type="payment.refunded")
    elsewhere = DeliveryFactory(endpoint=EndpointFactory(account=own.account))
    mine = own.account_id, "test"
    assert list(deliveries_of(*mine, DeliveryQuery(status="exhausted"))) == [exhausted]
    assert list(deliveries_of(*mine, DeliveryQuery(status="EXHAUSTED", event_type="payment.refunded"))) == []
    assert list(deliveries_of(*mine, DeliveryQuery(event_type="payment.refunded"))) == [refund]
    assert list(deliveries_of(*mine, DeliveryQuery(endpoint_id=elsewhere.endpoint_id))) == [elsewhere]


def test_lag_is_how_late_the_most_overdue_delivery_is_however_the_table_lies(
    own: Endpoint, stopped_clock: object
) -> None:
    read_as_the_table_lies()
    assert (due_lag(), next_due_at()) == (0.0, None)
    now = clock.now()
    DeliveryFactory(endpoint=own, next_attempt_at=now + timedelta(hours=1))
    assert (due_lag(), next_due_at()) == (0.0, now + timedelta(hours=1))
    DeliveryFactory(endpoint=own, next_attempt_at=now - timedelta(seconds=20))
    assert due_lag() == 20.0
    DeliveryFactory(next_attempt_at=now - timedelta(seconds=40))
    assert due_lag() == 40.0


def test_what_waits_or_is_under_way_is_not_late(own: Endpoint) -> None:
    long_ago = clock.now() - timedelta(hours=1)
    disable_endpoint(endpoint=DeliveryFactory(next_attempt_at=long_ago).endpoint)
    DeliveryFactory(endpoint=own, next_attempt_at=long_ago)
    assert due_lag() > 3500
    claim(batches=1)
    assert due_lag() == 0.0


def test_recoveries_are_found_by_their_owner_alone() -> None:
    endpoint = EndpointFactory()
    recovery = Recovery.objects.create(
        account=endpoint.account, environment="test", endpoint=endpoint, selection={}, per_minute=1
    )
    owner = (endpoint.account_id, "test")
    assert recovery_of(*owner, recovery.pk) == recovery
    for other in ((endpoint.account_id, "live"), (EndpointFactory().account_id, "test")):
        with pytest.raises(NotFound):
            recovery_of(*other, recovery.pk)


def test_the_hours_of_every_endpoint_are_counted_in_one_statement(
    own: Endpoint, foreign: list[Endpoint], django_assert_num_queries
) -> None:
    hour = clock.now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=3)
    other = EndpointFactory(account=own.account)
    for endpoint in (own, *foreign):
        DeliveryFactory(endpoint=endpoint, created_at=hour, status="DELIVERED", next_attempt_at=None)
    DeliveryFactory(endpoint=own, created_at=hour + timedelta(minutes=59))
    DeliveryFactory(endpoint=own, created_at=hour - timedelta(seconds=1))
    DeliveryFactory(endpoint=other, created_at=hour, status="EXHAUSTED", next_attempt_at=None)
    with django_assert_num_queries(1):
        found = deliveries_by_endpoint_and_hour(own.account_id, "test", since=hour)
    assert found == {own.id: [EndpointHour(hour, 1, 0, 1)], other.id: [EndpointHour(hour, 0, 1, 0)]}


def test_exams_are_the_accounts_and_the_environments_own_newest_first(
    own: Endpoint, django_assert_num_queries
) -> None:
    now, hour = clock.now(), timedelta(hours=1)
    for endpoint, id_, moment in (
        (own, "3", now),
        (own, "2", now - hour),
        (own, "4", now - hour),
        (EndpointFactory(), "5", now),
    ):
        Exam.objects.create(
            id=f"exm_{id_}",
            account=endpoint.account,
            environment="test",
            endpoint=endpoint,
            status="passed",
            created_at=moment,
        )
    with django_assert_num_queries(1):
        found = list(exams_of(own.account_id, "test"))
        assert {each.endpoint.url for each in found} == {own.url}
    assert [each.pk for each in found] == ["exm_3", "exm_4", "exm_2"]
    assert list(exams_of(own.account_id, "live")) == []
    for exam in found:
        assert exam_of(own.account_id, "test", exam.pk) == exam
    with pytest.raises(NotFound):
        exam_of(own.account_id, "test", "exm_5")
