"""Polls are claimed live before test, each in the order of an index, however much is due."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.bookings.flow.polling import claim_due, poll_suppliers
from apps.bookings.models import Booking
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking
from tests.support.multiply import multiply
from tests.support.plans import explained

LATER = timedelta(days=9)


@pytest.fixture
def many(onboarded: Onboarded) -> None:
    """Three thousand that are due in test, and one in live, due after all of them."""
    now = clock.now()
    model = a_booking(onboarded.test_key, watched_until=now + LATER, next_news_at=now - timedelta(hours=1))
    with connection.cursor() as cursor:
        multiply(cursor, model.pk, 3_000)
    a_booking(
        onboarded.test_key,
        environment="live",
        watched_until=now + LATER,
        next_news_at=now - timedelta(seconds=1),
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE bookings_booking")


def test_live_ones_come_first_and_an_index_finds_each_in_order(many: None) -> None:
    with CaptureQueriesContext(connection) as captured:
        claimed = claim_due(20)
    assert [booking.environment for booking in claimed] == ["live"] + ["test"] * 19
    looks = [query["sql"] for query in captured.captured_queries if "SKIP LOCKED" in query["sql"]]
    assert len(looks) == 2
    with transaction.atomic():
        plans = [explained(look) for look in looks]
    assert ["Index Scan using booking_news_due_in" in plan for plan in plans] == [True, True]
    assert ["Sort" in plan for plan in plans] == [False, False]


def test_a_backlog_asks_once_for_help(onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.bookings.flow.polling.poll", lambda booking: False)
    now = clock.now()
    for _ in range(5):
        a_booking(onboarded.test_key, watched_until=now + LATER, next_news_at=now - timedelta(hours=1))
    asked: list[str] = []
    poll_suppliers(2, more_is_due=lambda: asked.append("help"))
    assert asked == ["help"]
    assert Booking.objects.filter(next_news_at__gt=clock.now()).count() == 5


def test_less_than_a_batch_asks_nobody(onboarded: Onboarded, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.bookings.flow.polling.poll", lambda booking: False)
    now = clock.now()
    a_booking(onboarded.test_key, watched_until=now + LATER, next_news_at=now - timedelta(hours=1))
    asked: list[str] = []
    poll_suppliers(2, more_is_due=lambda: asked.append("help"))
    assert asked == []
    assert Booking.objects.filter(next_news_at__gt=clock.now()).count() == 1
