"""Lists of deliveries and events, and the events of one booking."""

from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.models import Account
from apps.common import clock
from apps.common.errors import NotFound
from apps.webhooks.lists import (
    Deliveries,
    EventQuery,
    deliveries_of_events,
    event_of,
    events_of_booking,
    page_of_deliveries,
    page_of_events,
)
from apps.webhooks.models import Endpoint
from apps.webhooks.selectors import DeliveryQuery
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory

pytestmark = pytest.mark.django_db


def test_a_delivery_is_found_by_the_beginning_of_its_own_or_its_events_id():
    endpoint = EndpointFactory()
    delivery, other = (
        DeliveryFactory(endpoint=endpoint, id=f"whd_{name}", event__id=f"evt_{name}") for name in "ab"
    )
    for called, found in (
        ("whd_a", [delivery]),
        ("WHD_B", [other]),
        ("evt_a", [delivery]),
        ("EVT_b", [other]),
        ("whd_c", []),
        ("evt_c", []),
    ):
        page = page_of_deliveries(endpoint.account_id, "test", filters=DeliveryQuery(called=called))
        assert page.rows == found


@pytest.fixture
def account() -> Account:
    return AccountFactory()


def listed(account: Account, **filters: object) -> list[str]:
    page = page_of_events(account.pk, "test", filters=EventQuery(**filters))  # type: ignore[arg-type]
    return [event.pk for event in page.rows]


def test_filters_narrow_the_list_and_begin_from_the_account_and_the_environment(account: Account) -> None:
    now = clock.now()
    old = EventFactory(account=account, created_at=now - timedelta(days=2), type="payment.refunded")
    new = EventFactory(
        account=account, booking_id="hbk_1", booking_reference="H-7KQ2M9XD", sequence=1, created_at=now
    )
    EventFactory(account=account, environment="live")
    EventFactory(booking_id="hbk_1", booking_reference="H-7KQ2M9XE")
    assert listed(account) == [new.pk, old.pk]
    assert listed(account, type="payment.refunded") == [old.pk]
    assert listed(account, since=now - timedelta(days=1)) == [new.pk]
    assert listed(account, until=now - timedelta(days=1)) == [old.pk]
    for name in ("h-7k", "H-7KQ2M9XD", "HBK_1", new.pk, new.pk.upper()[:29]):
        assert listed(account, called=name) == [new.pk], name
    for name in ("H-8", "hbk_", "hbk_2", "evt_zzz", "_"):
        assert listed(account, called=name) == [], name


def test_what_became_of_the_deliveries_is_counted_for_each_event(
    account: Account, django_assert_num_queries: Any
) -> None:
    nowhere, event = EventFactory(account=account), EventFactory(account=account)
    for status in ("DELIVERED", "DELIVERED", "FAILED", "EXHAUSTED", "RETRYING", "PENDING"):
        due = clock.now() if status in {"RETRYING", "PENDING"} else None
        DeliveryFactory(
            endpoint=EndpointFactory(account=account), event=event, status=status, next_attempt_at=due
        )
    DeliveryFactory(endpoint=EndpointFactory(account=account))
    counted = deliveries_of_events([nowhere.pk, event.pk])
    assert counted == {event.pk: Deliveries(delivered=2, unfinished=2, ended=2, retrying=1)}
    assert counted[event.pk].total == 6
    page = page_of_events(
        account.pk, "test", filters=EventQuery(until=event.created_at + timedelta(microseconds=1))
    )
    assert {each.pk: sent.total for each, sent in page.sent} == {nowhere.pk: 0, event.pk: 6}
    with django_assert_num_queries(0):
        assert deliveries_of_events([]) == {}


def test_one_event_comes_with_its_deliveries_and_is_its_accounts_alone(account: Account) -> None:
    event = EventFactory(account=account)
    deliveries = [DeliveryFactory(endpoint=EndpointFactory(account=account), event=event) for _ in range(2)]
    found = event_of(account.pk, "test", event.pk)
    assert [each.pk for each in found.deliveries.all()] == [each.pk for each in deliveries]
    foreign = EventFactory()
    for place in (
        (account.pk, "test", foreign.pk),
        (account.pk, "live", event.pk),
        (account.pk, "test", "x\x00"),
    ):
        with pytest.raises(NotFound) as refusal:
            event_of(*place)
        assert refusal.value.own_texts == {"There is no such event."}


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
