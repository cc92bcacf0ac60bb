from datetime import timedelta

import pytest

from apps.common import clock
from apps.webhooks.lists import DeliveryQuery, page_of_deliveries
from tests.factories.webhooks import DeliveryFactory, EndpointFactory

pytestmark = pytest.mark.django_db
ALL = DeliveryQuery()


def test_pages_follow_each_other_without_gap_or_repeat_even_within_one_instant():
    endpoint, now = EndpointFactory(), clock.now()
    made = [
        DeliveryFactory(endpoint=endpoint, created_at=now - timedelta(minutes=minutes)).pk
        for minutes in (0, 1, 1, 1, 2)
    ]
    seen, cursor = [], None
    for _ in range(3):
        page = page_of_deliveries(endpoint.account_id, "test", filters=ALL, cursor=cursor, length=2)
        seen += [delivery.pk for delivery in page.rows]
        cursor = page.older
    assert (sorted(seen), len(seen), cursor) == (sorted(made), 5, None)
    assert (seen[0], seen[-1]) == (made[0], made[-1])


@pytest.mark.parametrize("cursor", ["", "x", "-", "9" * 18 + "-whd_1", "12-whd/1", "１２-whd_1"])
def test_a_cursor_that_is_none_shows_the_first_page(cursor):
    delivery = DeliveryFactory()
    page = page_of_deliveries(delivery.account_id, "test", filters=ALL, cursor=cursor)
    assert page.rows == [delivery]


def test_a_time_narrows_the_list_its_end_not_included(django_assert_num_queries):
    endpoint, now = EndpointFactory(), clock.now()
    old, middle, _ = (
        DeliveryFactory(endpoint=endpoint, created_at=now - timedelta(days=days)) for days in (3, 2, 1)
    )
    filters = DeliveryQuery(since=old.created_at + timedelta(hours=1), until=now - timedelta(days=1))
    with django_assert_num_queries(1):
        page = page_of_deliveries(endpoint.account_id, "test", filters=filters)
        assert [each.endpoint.url for each in page.rows] == [endpoint.url]
    assert page.rows == [middle]


def test_each_filter_narrows_the_list():
    endpoint = EndpointFactory()
    failed = DeliveryFactory(
        endpoint=endpoint, status="FAILED", next_attempt_at=None, completed_at=clock.now()
    )
    refund = DeliveryFactory(endpoint=endpoint, event__type="payment.refunded")
    elsewhere = DeliveryFactory(endpoint=EndpointFactory(account=endpoint.account))
    for filters, found in (
        (DeliveryQuery(status="FAILED"), failed),
        (DeliveryQuery(event_type="payment.refunded"), refund),
        (DeliveryQuery(endpoint_id=elsewhere.endpoint_id), elsewhere),
    ):
        page = page_of_deliveries(endpoint.account_id, "test", filters=filters)
        assert page.rows == [found]


def test_a_page_has_fifty_deliveries_unless_told():
    endpoint = EndpointFactory()
    DeliveryFactory.create_batch(51, endpoint=endpoint)
    page = page_of_deliveries(endpoint.account_id, "test", filters=ALL)
    assert len(page.rows) == 50
    rest = page_of_deliveries(endpoint.account_id, "test", filters=ALL, cursor=page.older)
    assert (len(rest.rows), rest.older) == (1, None)


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
