"""Polls and look-ups come as much sooner as a sandbox's clock is moved; leases stay."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet

from apps.accounts.clocks import move_clock
from apps.bookings.models import Booking, Operation, Settlement
from apps.common import clock
from apps.onboarding.partners import Onboarded
from tests.bookings.rows import a_booking, an_operation
from tests.factories.keys import issued_key

DAY = timedelta(days=1)


def test_only_what_waits_in_this_test_environment_is_pulled_back(onboarded: Onboarded) -> None:
    now = clock.now()
    mine = onboarded.test_key
    waiting = {
        "next_attempt_at": now,
        "call_started_at": now,
        "first_not_found_at": now,
        "state": "uncertain",
    }
    bookings = [
        a_booking(mine, next_news_at=now),
        a_booking(mine, next_news_at=now, environment="live"),
        a_booking(issued_key()[0], next_news_at=now),
    ]
    operations = [an_operation(booking, **waiting) for booking in bookings]
    over = an_operation(a_booking(mine), **{**waiting, "state": "failed", "next_attempt_at": None})
    owed = [
        Settlement.objects.create(
            operation=operation,
            booking=operation.booking,
            action="credit",
            amount_cents=1,
            next_attempt_at=now,
            settled_at=settled_at,
        )
        for operation, settled_at in zip([*operations, over], [None, None, None, now], strict=True)
    ]

    move_clock(account_id=mine.account_id, by=DAY)

    def seen(rows: QuerySet[Any], *columns: str) -> list[tuple[Any, ...]]:
        return list(rows.order_by("pk").values_list("pk", *columns))

    news = dict(Booking.objects.values_list("pk", "next_news_at"))
    assert [news[operation.booking_id] for operation in operations] == [now - DAY, now, now]
    assert seen(Operation.objects.all(), "call_started_at", "first_not_found_at") == [
        (operations[0].pk, now - DAY, now - DAY),
        (operations[1].pk, now, now),
        (operations[2].pk, now, now),
        (over.pk, now, now),
    ]
    due = [
        row.next_attempt_at
        for row in Settlement.objects.filter(pk__in=[one.pk for one in owed]).order_by("pk")
    ]
    assert due == [now - DAY, now, now, now]
