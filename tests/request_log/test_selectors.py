"""What the pages read: filters, pages, one call, counts, traffic by secret, latency, errors and spikes."""

import re
import uuid
from datetime import timedelta

import pytest
from django.db import connection

from apps.common import clock
from apps.common.errors import NotFound
from apps.common.querysets import read_scalars
from apps.keys.models import ApiKey
from apps.keys.services import rotate_key
from apps.request_log import selectors
from apps.request_log.models import LoggedCall
from apps.request_log.selectors import (
    Filters,
    addresses_of,
    call_of,
    calls_by_secret,
    calls_of,
    calls_of_booking,
    counts_by_key,
    errors_by_type,
    first_call_at,
    hourly_counts,
    last_calls_of,
    operations_of,
    p95_since,
    page_of_calls,
    recent_of,
)
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.request_log.calls import NOON, found, log, log_many, record
from tests.support.plans import read_as_the_table_lies

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]


def test_each_filter_narrows_the_list(key: ApiKey):
    search = log(
        key,
        created_at=NOON,
        method="POST",
        operation="searchFlights",
        product="flights",
        billable=True,
        status=201,
    )
    replay = log(
        key,
        created_at=NOON + timedelta(hours=1),
        method="POST",
        product="flights",
        replayed=True,
        billable=False,
    )
    refused = log(key, created_at=NOON + timedelta(hours=2), status=403, error_type="ip_not_allowed")
    failed = log(
        key, created_at=NOON + timedelta(hours=3), status=502, error_type="upstream_error", booking_id="b"
    )
    log(issued_key()[0], created_at=NOON)

    assert found(key) == [failed, refused, replay, search]
    assert found(key, status_class=2) == [replay, search]
    assert found(key, status_class=4) == [refused]
    assert found(key, status_class=5) == [failed]
    assert found(key, errors_only=True) == [failed, refused]
    assert found(key, operations=("searchFlights",)) == [search]
    assert found(key, product="flights") == [replay, search]
    assert found(key, error_type="ip_not_allowed") == [refused]
    assert found(key, key_id=key.id) == [failed, refused, replay, search]
    assert found(key, key_id="key_of_another") == []
    assert found(key, booking_ids=("b",)) == [failed]
    assert found(key, since=NOON + timedelta(hours=1), until=NOON + timedelta(hours=3)) == [refused, replay]
    assert found(key, errors_only=True, until=NOON + timedelta(hours=3)) == [refused]


@pytest.mark.parametrize("length", [1, 8, 9, 14, 36])
def test_a_request_id_is_found_by_its_beginning(key: ApiKey, length: int):
    wanted = log(key)
    log(key, request_id=uuid.UUID(int=wanted.int ^ (1 << 127)))

    assert found(key, request_id=str(wanted)[:length].upper()) == [wanted]


def test_pages_follow_one_another_without_gap_or_repeat(key: ApiKey):
    made = [log(key, created_at=NOON + timedelta(seconds=n // 3)) for n in range(10)]
    seen: list[uuid.UUID] = []
    cursor: str | None = None
    pages = 0
    while pages == 0 or cursor is not None:
        page = page_of_calls(key.account_id, "test", cursor=cursor, limit=3)
        seen += [call.request_id for call in page.rows]
        cursor, pages = page.older, pages + 1

    assert (seen, pages) == (made[::-1], 4)


def test_one_call_is_its_owners_alone(key: ApiKey):
    request_id = str(log(key, why="because"))

    call = call_of(key.account_id, "test", request_id)
    assert (call.why, call.key, call.secret) == ("because", key, key.secrets.get())
    assert vars(call).keys() == vars(LoggedCall.objects.get()).keys()
    for account_id, environment, asked in (
        (key.account_id, "live", request_id),
        (issued_key()[0].account_id, "test", request_id),
        (key.account_id, "test", str(uuid.uuid4())),
        (key.account_id, "test", "not-an-id"),
    ):
        with pytest.raises(NotFound):
            call_of(account_id, environment, asked)


def test_the_calls_about_a_booking_are_the_newest_first_with_their_keys_names(
    key: ApiKey, django_assert_num_queries
):
    made = [log(key, booking_id="ford_1", created_at=NOON + timedelta(hours=hours)) for hours in (1, 3, 2)]
    log(key, booking_id="ford_2")
    log(key, booking_id="")
    log(issued_key()[0], booking_id="ford_1")

    with django_assert_num_queries(1):
        found = calls_of_booking(key.account_id, "test", "ford_1", 2)
        named = [(call.request_id, vars(call.key)["name"]) for call in found]
    assert named == [(made[1], "Server"), (made[2], "Server")]
    listed = calls_of(key.account_id, "test", Filters(booking_ids=("ford_1",)))[:2]
    assert [vars(call).keys() for call in found] == [vars(call).keys() for call in listed]
    assert calls_of_booking(key.account_id, "live", "ford_1", 2) == []
    assert calls_of_booking(key.account_id, "test", "", 2) == []


@pytest.fixture
def many(key: ApiKey) -> ApiKey:
    """20,000 calls of the account, one in twenty refused, one in two hundred failed, among 20,000 of others."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO request_log_loggedcall (request_id, created_at, account_id, environment, key_id, secret_id, method,
                   path, query, ignored_parameters, operation, product, status, error_type, why, duration_ms, billable, replayed,
                   client_address, user_agent, idempotency_key, trigger, trigger_fired, trace, booking_id,
                   booking_reference)
            SELECT gen_random_uuid(), now() - n * interval '1 minute', CASE WHEN n %% 2 = 0 THEN %(account)s ELSE 'acc_x' END,
                   'test', CASE WHEN n %% 20 = 0 THEN %(key)s ELSE 'key_x' END, 1, 'GET', '/v1/account', '', '',
                   'operation' || n %% 40, 'account', status,
                   CASE WHEN status = 403 THEN 'ip_not_allowed' WHEN status = 502 THEN 'upstream_error' ELSE '' END, '', 1,
                   false, false, '', '', '', '', false, '', '', ''
              FROM generate_series(1, 40000) AS n,
           LATERAL (SELECT CASE WHEN n %% 400 = 2 THEN 502 WHEN n %% 40 = 4 THEN 403 ELSE 200 END AS status) AS drawn""",
            {"account": key.account_id, "key": key.id},
        )
        cursor.execute("ANALYZE request_log_loggedcall")
    return key


BY_INDEX = [
    ({}, "logged_call_page"),
    ({"key_id": "theirs"}, "logged_call_page_by_key"),
    ({"operations": ("operation6",)}, "logged_call_page_by_operation"),
    ({"status_class": 5}, "logged_call_page_of_500s"),
    ({"status_class": 4}, "logged_call_page_of_400s"),
    ({"errors_only": True}, "logged_call_page_of_400s"),
    ({"error_type": "upstream_error"}, "logged_call_page_by_error"),
    ({"request_id": "0badcafe"}, "logged_call_once"),
]


def test_every_filter_of_the_page_has_an_index(many: ApiKey):
    for filters, index in BY_INDEX:
        named = {**filters, "key_id": many.id} if "key_id" in filters else filters
        calls = calls_of(many.account_id, "test", Filters(**named))
        for query in (calls, calls.filter(created_at__lte=clock.now() - timedelta(days=5))):
            plan = query[:51].explain()
            assert re.search(rf"Index Scan (using|on) {index}\b", plan), plan
            assert "Seq Scan on request_log_loggedcall" not in plan, plan


def test_the_last_call_of_each_key_and_nothing_of_unused_ones(key: ApiKey):
    busy, unused, other = (issued_key(key.account)[0] for _ in range(3))
    log(key, created_at=NOON)
    log(busy, created_at=NOON + timedelta(hours=2))
    log(busy, created_at=NOON + timedelta(hours=1))
    log(busy, created_at=NOON + timedelta(hours=3))
    log(other, created_at=NOON + timedelta(hours=4))
    log(busy, created_at=NOON + timedelta(hours=3), client_address="198.51.100.7")
    found = last_calls_of([key.pk, busy.pk, unused.pk])
    assert found[busy.pk].address == "198.51.100.7"
    assert {key_id: call.at for key_id, call in found.items()} == {
        key.pk: NOON,
        busy.pk: NOON + timedelta(hours=3),
    }


def test_calls_and_errors_of_each_key_in_24_hours(key: ApiKey, django_assert_num_queries):
    other, idle = (issued_key(key.account)[0] for _ in range(2))
    stranger, _ = issued_key()
    now = clock.now()
    for each, status, hours in [
        (key, 200, 0), (key, 409, 1), (key, 200, 25), (other, 500, 0), (idle, 200, 30), (stranger, 200, 0),
    ]:  # fmt: skip
        log(each, created_at=now - timedelta(hours=hours), status=status)
    with django_assert_num_queries(1):
        assert counts_by_key(key.account_id, "test") == {key.pk: (2, 1), other.pk: (1, 1)}


def test_the_last_addresses_and_the_last_hour_of_a_key(key: ApiKey, monkeypatch: pytest.MonkeyPatch):
    other, _ = issued_key(key.account)
    now = clock.now()
    for minutes, address in enumerate(["a", "b", "a", "c", "d", "e", "f", ""]):
        log(key, created_at=now - timedelta(minutes=10 * minutes), client_address=address)
    log(other, created_at=now, client_address="z")
    found = addresses_of(key)
    assert [(use.address, use.calls) for use in found] == [("a", 2), ("b", 1), ("c", 1), ("d", 1), ("e", 1)]
    assert found[0].last_call_at == now
    hour = now - timedelta(minutes=59)
    assert recent_of(key, since=hour) == (6, now)
    assert recent_of(key, since=now + timedelta(minutes=1)) == (0, None)
    assert operations_of(key, since=hour) == {record().operation: 6}
    monkeypatch.setattr(selectors, "MOST", 3)
    assert recent_of(key, since=hour) == (4, now), "one more than is counted"


def test_calls_are_found_by_their_idempotency_key_and_those_without_one_never(key: ApiKey):
    first, second = (str(uuid.uuid4()) for _ in range(2))
    log(key, created_at=NOON)
    sent = [
        log(key, created_at=NOON + timedelta(hours=hour), idempotency_key=name)
        for hour, name in ((1, first), (2, second), (3, first))
    ]

    assert found(key, idempotency_key=first) == [sent[2], sent[0]]
    assert found(key, idempotency_key=second) == [sent[1]]
    assert found(key, idempotency_key=str(uuid.uuid4())) == []
    assert found(key, idempotency_key="") == []


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


def test_the_first_call_is_remembered_beyond_the_log(key: ApiKey):
    assert first_call_at(key.account_id, "test") is None
    log(key, created_at=NOON)
    log(key, created_at=NOON - timedelta(minutes=1))
    LoggedCall.objects.all().delete()

    assert first_call_at(key.account_id, "test") == NOON - timedelta(minutes=1)


DAY = timedelta(days=1)


def test_errors_are_counted_by_type_of_one_account_environment_and_period():
    account, other = AccountFactory(), AccountFactory()
    log_many(account, 2, error_type="conflict")
    log_many(account, 1, error_type="conflict", status=400)
    log_many(account, 1, error_type="conflict", status=399)
    log_many(account, 1, error_type="not_found")
    log_many(account, 2)
    log_many(account, 4, error_type="conflict", ago=2 * DAY)
    log_many(account, 4, error_type="conflict", environment="live")
    log_many(other, 4, error_type="conflict")
    types = ["conflict", "not_found", "payment_failed"]
    since = clock.now() - DAY
    assert read_scalars([errors_by_type(account.pk, "test", since, types)]) == [
        {"conflict": 3, "not_found": 1}
    ]
    assert read_scalars([errors_by_type(account.pk, "test", since, ["payment_failed"])]) == [None]


def test_p95_is_of_the_newest_calls_of_the_period(monkeypatch: pytest.MonkeyPatch):
    account = AccountFactory()
    since = clock.now() - DAY
    assert read_scalars([p95_since(account.pk, "test", since)]) == [None]
    for number in reversed(range(1, 21)):
        log_many(account, 1, ms=number, ago=timedelta(minutes=number))
    log_many(account, 50, ms=9_000, ago=2 * DAY)
    read_as_the_table_lies()
    assert read_scalars([p95_since(account.pk, "test", since)]) == [19]
    monkeypatch.setattr(selectors, "P95", selectors.P95.replace("LIMIT 5000", "LIMIT 10"))
    assert read_scalars([p95_since(account.pk, "test", since)]) == [10]
