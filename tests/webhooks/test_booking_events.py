"""The events of a booking with their deliveries."""

from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.webhooks.lists import ABOUT_A_BOOKING, events_of_booking
from apps.webhooks.models import Endpoint, Event
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.plans import plan_for_any

pytestmark = pytest.mark.django_db


@pytest.fixture
def own() -> Endpoint:
    return EndpointFactory()


def test_the_events_of_a_booking_come_in_their_order_with_their_deliveries(
    own: Endpoint, django_assert_num_queries: Any
) -> None:
    now, sibling = clock.now(), EndpointFactory(account=own.account)
    of_booking = {"booking_id": "ford_1", "account": own.account}
    late = EventFactory(**of_booking, id="evt_1", created_at=now)
    second = EventFactory(**of_booking, id="evt_3", created_at=now - timedelta(hours=1))
    first = EventFactory(**of_booking, id="evt_2", created_at=now - timedelta(hours=1))
    EventFactory(**{**of_booking, "booking_id": "ford_2"})
    EventFactory(**of_booking, environment="live")
    EventFactory(booking_id="ford_1")
    EventFactory(account=own.account)
    deliveries = [
        DeliveryFactory(
            id=f"whd_{id_}", event=first, endpoint=endpoint, created_at=now - timedelta(minutes=ago)
        )
        for id_, endpoint, ago in (
            (3, own, 0),
            (2, sibling, 5),
            (1, EndpointFactory(account=own.account), 5),
        )
    ]
    with django_assert_num_queries(2):
        sent = events_of_booking(own.account_id, "test", "ford_1")
        urls = [each.endpoint.url for each in sent[0].deliveries]
    assert [each.event for each in sent] == [first, second, late]
    assert sent[0].deliveries == [deliveries[2], deliveries[1], deliveries[0]]
    assert urls == [each.endpoint.url for each in sent[0].deliveries]
    assert [each.deliveries for each in sent[1:]] == [[], []]
    assert events_of_booking(own.account_id, "test", "") == []


def test_the_events_of_one_request_alone_and_their_payloads_where_they_are_asked_for(
    own: Endpoint, django_assert_num_queries: Any
) -> None:
    of_booking = {"booking_id": "ford_1", "account": own.account}
    wanted = EventFactory(**of_booking, request_id="r1", payload='{"a": 1}')
    EventFactory(**of_booking, request_id="r2")
    EventFactory(booking_id="", account=own.account, request_id="r1")

    [told] = events_of_booking(own.account_id, "test", "ford_1", request_id="r1", payloads=True)
    with django_assert_num_queries(0):
        assert (told.event, told.event.payload) == (wanted, '{"a": 1}')
    [told] = events_of_booking(own.account_id, "test", "ford_1", request_id="r1")
    with django_assert_num_queries(1):
        assert told.event.payload == '{"a": 1}'


def test_they_are_found_by_their_index_in_a_plan_for_any_booking() -> None:
    events = Event.objects.filter(account_id="acc", environment="test", booking_id="ford_1")
    statement, _ = events.filter(ABOUT_A_BOOKING).query.sql_with_params()
    assert "event_by_booking" in plan_for_any(statement, table="webhooks_event", index="event_by_booking")
