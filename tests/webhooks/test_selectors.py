"""Reads begin from the account and the environment; how late deliveries are."""

from datetime import timedelta

import pytest

from apps.common import clock
from apps.webhooks.deliveries.claim import claim
from apps.webhooks.models import Endpoint
from apps.webhooks.selectors import (
    EndpointHour,
    deliveries_by_endpoint_and_hour,
    due_lag,
    next_due_at,
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
