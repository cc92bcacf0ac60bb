"""What the pages count: hours, totals, lost calls, and where a rotation's traffic is."""

import re
from datetime import timedelta

import pytest
from django.db import connection

from apps.common import clock
from apps.gateway.request_log.models import CallHour, LoggedCall, LostCalls
from apps.gateway.request_log.selectors import (
    BY_HOUR,
    calls_by_secret,
    first_call_at,
    hourly_counts,
    lost_calls,
    totals_since,
)
from apps.keys.models import ApiKey
from apps.keys.services.rotate import rotate_key
from tests.factories.keys import issued_key
from tests.gateway.request_log.logged import NOON, log

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]


def test_hours_without_a_call_are_there_too(key: ApiKey):
    now = clock.now()
    this_hour = now.replace(minute=0, second=0, microsecond=0)
    log(key, created_at=this_hour)
    log(key, created_at=this_hour - timedelta(hours=2, minutes=-1), status=500)
    log(key, created_at=this_hour - timedelta(hours=2, minutes=-2))
    log(key, created_at=this_hour - timedelta(hours=30))
    hours = hourly_counts(key.account_id, "test", hours=4)

    assert [(hour.calls, hour.errors) for hour in hours] == [(0, 0), (2, 1), (0, 0), (1, 0)]
    assert [hour.begins for hour in hours] == [this_hour - timedelta(hours=n) for n in (3, 2, 1, 0)]
    assert sum(hour.calls for hour in hourly_counts(key.account_id, "live")) == 0


def test_a_rotations_traffic_is_told_by_secret(key: ApiKey, django_assert_num_queries):
    rotate_key(key=key)
    old, new = key.secrets.order_by("id").values_list("pk", flat=True)
    rotated_at = clock.now().replace(minute=30, second=0, microsecond=0) - timedelta(hours=3)
    minutes = {old: (-90, -20, -10, 5), new: (1, 2, 45, 100)}
    for secret_id, moments in minutes.items():
        for minute in moments:
            log(key, secret_id=secret_id, created_at=rotated_at + timedelta(minutes=minute))

    with django_assert_num_queries(3):
        traffic = calls_by_secret(key, since=rotated_at)

    assert [(one.secret.pk, one.calls, one.last_call_at) for one in traffic] == [
        (new, 4, rotated_at + timedelta(minutes=100)),
        (old, 1, rotated_at + timedelta(minutes=5)),
    ]


def test_a_secret_that_was_never_used_says_so(key: ApiKey):
    [traffic] = calls_by_secret(key, since=clock.now())

    assert (traffic.calls, traffic.last_call_at) == (0, None)


def test_the_first_call_is_remembered_beyond_the_log(key: ApiKey):
    assert first_call_at(key.account_id, "test") is None
    log(key, created_at=NOON)
    log(key, created_at=NOON - timedelta(minutes=1))
    LoggedCall.objects.all().delete()

    assert first_call_at(key.account_id, "test") == NOON - timedelta(minutes=1)


def test_a_day_of_hours_is_counted_of_one_account_and_environment(key: ApiKey):
    this_hour = clock.now().replace(minute=0, second=0, microsecond=0)
    log(key, created_at=this_hour - timedelta(hours=23))
    log(key, created_at=this_hour - timedelta(hours=23), secret_id=None)
    log(key, created_at=this_hour, environment="live")
    log(issued_key()[0], created_at=this_hour)

    hours = hourly_counts(key.account_id, "test")

    assert len(hours) == 24
    assert [hour.calls for hour in hours] == [2] + [0] * 23


def test_the_first_call_is_of_one_account_and_environment(key: ApiKey):
    log(key, created_at=NOON)
    log(key, created_at=NOON - timedelta(hours=1), environment="live")
    log(issued_key()[0], created_at=NOON - timedelta(hours=2))

    assert first_call_at(key.account_id, "test") == NOON


def test_traffic_since_the_beginning_of_an_hour_counts_that_hour_whole(key: ApiKey):
    [secret] = key.secrets.all()
    other, _ = issued_key(key.account)
    for moment in (NOON - timedelta(microseconds=1), NOON, NOON + timedelta(minutes=30)):
        log(key, created_at=moment)
        log(other, created_at=moment)

    for since, calls in (
        (NOON, 2),
        (NOON + timedelta(microseconds=1), 1),
        (NOON + timedelta(minutes=30), 1),
        (NOON + timedelta(minutes=31), 0),
        (NOON + timedelta(minutes=29, seconds=30), 1),
        (NOON - timedelta(hours=1), 3),
        (NOON + timedelta(hours=2), 0),
    ):
        [traffic] = calls_by_secret(key, since=since)
        assert (traffic.secret, traffic.calls) == (secret, calls)
        assert traffic.last_call_at == NOON + timedelta(minutes=30)


def test_the_traffic_of_a_key_is_counted_of_its_own_hours(key: ApiKey):
    other, _ = issued_key(key.account)
    [secret] = key.secrets.all()
    log(key, created_at=NOON)
    log(other, created_at=NOON + timedelta(hours=1), secret_id=secret.pk)

    [traffic] = calls_by_secret(key, since=NOON)
    assert (traffic.calls, traffic.last_call_at) == (1, NOON)

    log(other, created_at=NOON + timedelta(minutes=10), secret_id=secret.pk)
    log(key, created_at=NOON + timedelta(minutes=20))

    [traffic] = calls_by_secret(key, since=NOON + timedelta(minutes=15))
    assert (traffic.calls, traffic.last_call_at) == (1, NOON + timedelta(minutes=20))


def test_traffic_that_is_not_counted_is_not_below_zero(key: ApiKey):
    log(key, created_at=NOON + timedelta(minutes=1))
    CallHour.objects.all().delete()

    [traffic] = calls_by_secret(key, since=NOON + timedelta(minutes=2))
    assert (traffic.calls, traffic.last_call_at) == (0, None)


def test_lost_calls_are_added_up_since_an_instant():
    assert lost_calls(since=NOON) == 0
    for calls, moment in ((1, NOON - timedelta(microseconds=1)), (2, NOON), (4, NOON + timedelta(hours=1))):
        LostCalls.objects.create(calls=calls, noticed_at=moment)

    assert lost_calls(since=NOON) == 6


def test_totals_are_of_one_account_and_environment_since_the_beginning_of_an_hour(key: ApiKey):
    assert totals_since(key.account_id, "test", NOON) == (0, 0)
    log(key, created_at=NOON - timedelta(microseconds=1), status=500)
    log(key, created_at=NOON)
    log(key, created_at=NOON + timedelta(hours=3), status=404)
    log(key, created_at=NOON, environment="live", status=404)
    log(issued_key()[0], created_at=NOON, status=404)

    assert totals_since(key.account_id, "test", NOON) == (2, 1)


def test_no_hours_are_read_but_those_of_a_sparkline() -> None:
    asked = {"account": "acc_a", "environment": "test", "first": NOON}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {BY_HOUR}", asked)
        plan = "\n".join(line for (line,) in cursor.fetchall())

    assert re.search(r"Index Cond: .*\bhour >= ", plan), plan
