"""Polls and look-ups come as much sooner as a sandbox's clock is moved; leases stay."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from apps.accounts.services.move_clock import move_clock
from apps.bookings.models import Booking, Operation, OperationState, Settlement
from apps.common import clock
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.rows import a_booking, an_operation
from tests.factories.keys import issued_key

DAY = timedelta(days=1)


def test_what_waits_is_pulled_back_and_leases_stay(onboarded: Onboarded) -> None:
    now = clock.now()
    booking = a_booking(onboarded.test_key)
    Booking.objects.filter(pk=booking.pk).update(next_news_at=now)
    an_operation(booking)
    Operation.objects.update(
        state=OperationState.UNCERTAIN, next_attempt_at=now, call_started_at=now, lease_until=now
    )

    move_clock(account_id=booking.account_id, by=DAY)

    assert Booking.objects.get().next_news_at == now - DAY
    operation = Operation.objects.get()
    assert (operation.next_attempt_at, operation.call_started_at) == (now - DAY, now - DAY)
    assert (operation.first_not_found_at, operation.lease_until) == (None, now)


def test_a_booking_that_nobody_asks_about_is_not_written_again(onboarded: Onboarded) -> None:
    booking = a_booking(onboarded.test_key, next_news_at=None)
    versions = Booking.objects.annotate(version=RawSQL("bookings_booking.ctid::text", []))
    before = versions.get().version

    move_clock(account_id=booking.account_id, by=DAY)

    assert versions.get().version == before


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
