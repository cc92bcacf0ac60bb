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
    page_of_events,
    selected_events,
)
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.plans import read_as_the_table_lies

pytestmark = pytest.mark.django_db


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


def test_pages_follow_each_other_without_gap_or_overlap(account: Account) -> None:
    now = clock.now()
    made = [
        EventFactory(account=account, created_at=now - timedelta(seconds=each // 2)).pk for each in range(7)
    ]
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(3):
        page = page_of_events(account.pk, "test", filters=EventQuery(), cursor=cursor, length=3)
        seen += [event.pk for event in page.rows]
        cursor = page.older
    assert (len(seen), set(seen), cursor) == (7, set(made), None)


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
    assert counted == {event.pk: Deliveries(delivered=2, unfinished=2, ended=2)}
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


def test_since_is_included_and_until_is_not(account: Account) -> None:
    noon = clock.now()
    event = EventFactory(account=account, created_at=noon)
    assert listed(account, since=noon) == [event.pk]
    assert listed(account, until=noon) == []
    assert listed(account, until=noon + timedelta(microseconds=1)) == [event.pk]


def test_a_page_has_fifty_events(account: Account) -> None:
    EventFactory.create_batch(51, account=account)
    assert len(listed(account)) == 50


def test_the_newest_come_first_and_of_one_instant_those_with_the_greater_id(account: Account) -> None:
    now = clock.now()
    for id_, moment in (
        ("1", now),
        ("3", now - timedelta(hours=1)),
        ("2", now),
        ("4", now - timedelta(hours=1)),
    ):
        EventFactory(id=f"evt_{id_}", account=account, created_at=moment)
    read_as_the_table_lies()
    assert listed(account) == ["evt_2", "evt_1", "evt_4", "evt_3"]
    found = selected_events(account.pk, "test", EventQuery())
    assert [event.pk for event in found] == ["evt_2", "evt_1", "evt_4", "evt_3"]


def test_the_deliveries_of_one_event_come_in_the_order_in_which_they_were_begun(account: Account) -> None:
    event, now = EventFactory(account=account), clock.now()
    for id_, moment in (("3", now), ("2", now), ("1", now), ("4", now - timedelta(hours=1))):
        endpoint = EndpointFactory(account=account)
        DeliveryFactory(id=f"whd_{id_}", endpoint=endpoint, event=event, created_at=moment)
    read_as_the_table_lies()
    found = event_of(account.pk, "test", event.pk).deliveries.all()
    assert [each.pk for each in found] == ["whd_4", "whd_1", "whd_2", "whd_3"]
