"""How long calls, counts and losses are kept."""

from datetime import datetime, timedelta

import pytest

from apps.request_log.models import CallHour, LoggedCall, LostCalls
from apps.request_log.tasks import prune
from apps.request_log.writer import write
from tests.request_log.calls import record

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "ages", [(401, 45, 45, 31, 31, 29, 1), (0, 31, 0, 31, 0, 31), (31, 0, 0, 31), (29, 1)]
)
def test_calls_are_deleted_after_30_days(ages: tuple[int, ...], clock_stands_still: datetime):
    """Also old ones that were written after younger ones: they took long, or waited for PostgreSQL."""
    for days in ages:
        write([record(created_at=clock_stands_still - timedelta(days=days))])

    assert prune(batch=2) == len([days for days in ages if days > 30])
    left = LoggedCall.objects.order_by("id").values_list("created_at", flat=True)
    assert [(clock_stands_still - created_at).days for created_at in left] == [
        days for days in ages if days <= 30
    ]


def test_a_call_of_exactly_30_days_and_a_count_of_exactly_400_stay(clock_stands_still: datetime):
    def ago(**age: float) -> datetime:
        return clock_stands_still - timedelta(**age)

    write([record(created_at=ago(days=30)), record(created_at=ago(days=30, microseconds=1))])
    CallHour.objects.all().delete()
    for days in (400, 401):
        LostCalls.objects.create(calls=days, noticed_at=ago(days=days))
        CallHour.objects.create(
            account_id="acc_a",
            environment="test",
            key_id="key_a",
            hour=ago(days=days),
            calls=days,
            errors=0,
            first_call_at=ago(days=days),
            last_call_at=ago(days=days),
        )

    assert prune() == 1
    assert CallHour.objects.get().calls == LostCalls.objects.get().calls == 400
