"""The figures of a period."""

import uuid
from datetime import timedelta

import pytest

from apps.accounts.models import Account
from apps.common import clock
from apps.common.querysets import read_scalars
from apps.gateway.request_log import figures
from apps.gateway.request_log.figures import errors_by_type, p95_since
from apps.gateway.request_log.models import LoggedCall
from tests.factories.accounts import AccountFactory
from tests.support.plans import read_as_the_table_lies

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def log(
    account: Account,
    count: int,
    *,
    error_type: str = "",
    environment: str = "test",
    status: int = 409,
    ms: float = 5,
    ago: timedelta = timedelta(0),
) -> None:
    LoggedCall.objects.bulk_create(
        LoggedCall(
            request_id=uuid.uuid4(),
            created_at=clock.now() - ago,
            account=account,
            environment=environment,
            method="GET",
            path="/v1/account",
            status=status if error_type else 200,
            error_type=error_type,
            duration_ms=ms,
        )
        for _ in range(count)
    )


def test_errors_are_counted_by_type_of_one_account_environment_and_period():
    account, other = AccountFactory(), AccountFactory()
    log(account, 2, error_type="conflict")
    log(account, 1, error_type="conflict", status=400)
    log(account, 1, error_type="conflict", status=399)
    log(account, 1, error_type="not_found")
    log(account, 2)
    log(account, 4, error_type="conflict", ago=2 * DAY)
    log(account, 4, error_type="conflict", environment="live")
    log(other, 4, error_type="conflict")
    types = ["conflict", "not_found", "payment_failed"]
    since = clock.now() - DAY
    assert read_scalars([errors_by_type(account.pk, "test", since, types)]) == [
        {"conflict": 3, "not_found": 1}
    ]
    assert read_scalars([errors_by_type(account.pk, "test", since, ["payment_failed"])]) == [None]


def test_counting_stops_beyond_the_bound(monkeypatch: pytest.MonkeyPatch):
    account = AccountFactory()
    log(account, 5, error_type="conflict")
    monkeypatch.setattr(figures, "BY_TYPE", figures.BY_TYPE.replace("LIMIT 1001", "LIMIT 3"))
    found = read_scalars([errors_by_type(account.pk, "test", clock.now() - DAY, ["conflict"])])
    assert found == [{"conflict": 3}]


def test_p95_is_of_the_newest_calls_of_the_period(monkeypatch: pytest.MonkeyPatch):
    account = AccountFactory()
    since = clock.now() - DAY
    assert read_scalars([p95_since(account.pk, "test", since)]) == [None]
    for number in reversed(range(1, 21)):
        log(account, 1, ms=number, ago=timedelta(minutes=number))
    log(account, 50, ms=9_000, ago=2 * DAY)
    read_as_the_table_lies()
    assert read_scalars([p95_since(account.pk, "test", since)]) == [19]
    monkeypatch.setattr(figures, "P95", figures.P95.replace("LIMIT 5000", "LIMIT 10"))
    assert read_scalars([p95_since(account.pk, "test", since)]) == [10]


@pytest.mark.usefixtures("clock_stands_still")
def test_of_calls_that_came_at_once_the_last_to_be_written_is_the_newest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    account = AccountFactory()
    for ms in (9, 5, 7):
        log(account, 1, ms=ms)
    monkeypatch.setattr(figures, "P95", figures.P95.replace("LIMIT 5000", "LIMIT 1"))

    assert read_scalars([p95_since(account.pk, "test", clock.now() - DAY)]) == [7]


@pytest.mark.usefixtures("clock_stands_still")
def test_a_call_of_the_instant_in_which_the_period_begins_is_of_the_period() -> None:
    account, since = AccountFactory(), clock.now() - DAY
    log(account, 1, error_type="conflict", ms=7, ago=DAY)

    found = [p95_since(account.pk, "test", since), errors_by_type(account.pk, "test", since, ["conflict"])]

    assert read_scalars(found) == [7, {"conflict": 1}]


def test_p95_is_of_one_account_and_environment():
    account, other = AccountFactory(), AccountFactory()
    log(account, 1, ms=7)
    log(account, 1, environment="live", ms=8)
    log(other, 5, ms=9_000)
    since = clock.now() - DAY

    found = [p95_since(account.pk, "test", since), p95_since(account.pk, "live", since)]

    assert read_scalars(found) == [7, 8]
