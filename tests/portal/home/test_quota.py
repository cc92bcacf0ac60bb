from datetime import UTC, date, datetime, timedelta

import pytest

from apps.gateway.search_quota import Quota
from apps.portal.quota import used_up_at
from apps.request_log.selectors import Hour

DAY = date(2026, 11, 19)
NOON = datetime(2026, 11, 19, 12, tzinfo=UTC)


def hours(calls, *, until: datetime = NOON) -> list[Hour]:
    """The seven days before and today up to `until`; `calls` is a function of the hour."""
    first = datetime(2026, 11, 12, tzinfo=UTC)
    count = int((until - first) / timedelta(hours=1)) + 1
    begins = [first + timedelta(hours=number) for number in range(count)]
    return [Hour(each, calls(each), 0) for each in begins]


def quota(used: int, limit: int = 5_000) -> Quota:
    return Quota(limit, used, DAY)


def evenly(each: datetime) -> int:
    return 100 if each < NOON else 0


def in_the_afternoon(each: datetime) -> int:
    return 500 if 14 <= each.hour < 18 else 50


def test_an_even_day_ends_when_division_says():
    assert used_up_at(quota(3_000), hours(evenly), NOON) == NOON + timedelta(hours=8)


def test_a_quota_that_lasts_has_no_end():
    assert used_up_at(quota(2_400), hours(evenly), NOON) is None


def test_what_comes_in_the_afternoon_is_expected_of_the_afternoon():
    found = used_up_at(quota(600, 2_000), hours(in_the_afternoon), NOON)
    assert NOON.replace(hour=16) < found < NOON.replace(hour=17)


def test_the_first_minutes_of_a_day_foretell_little():
    minute = datetime(2026, 11, 19, 0, 5, tzinfo=UTC)
    seen = [
        *hours(lambda each: 100, until=minute - timedelta(hours=1)),
        Hour(minute.replace(minute=0), 40, 0),
    ]
    assert used_up_at(quota(40), seen, minute) is None


def test_a_first_day_goes_by_its_own_pace():
    today = [Hour(each.begins, each.calls, 0) for each in hours(evenly) if each.begins.date() == DAY]
    assert used_up_at(quota(4_000), today, NOON) == NOON + timedelta(hours=3)


@pytest.mark.parametrize(
    ("of", "calls"), [(quota(0), evenly), (quota(5_000), evenly), (quota(10), lambda each: 0)]
)
def test_where_nothing_is_left_or_known_nothing_is_foretold(of, calls):
    assert used_up_at(of, hours(calls), NOON) is None
