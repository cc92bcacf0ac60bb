import uuid
from datetime import UTC, datetime, timedelta

import pytest

from apps.accounts.models import Account
from apps.common import clock
from apps.request_log.models import LoggedCall
from apps.request_log.selectors import Hour, Spike, spikes_of
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def account() -> Account:
    return AccountFactory()


def logged(
    account: Account,
    error_type: str,
    count: int,
    *,
    hours_ago: float = 0.5,
    environment: str = "test",
    at: datetime | None = None,
    status: int = 402,
) -> None:
    LoggedCall.objects.bulk_create(
        LoggedCall(
            request_id=uuid.uuid4(),
            created_at=at or clock.now() - timedelta(hours=hours_ago),
            account=account,
            environment=environment,
            method="POST",
            path="/v1/hotels/bookings",
            status=status if error_type or at else 201,
            error_type=error_type,
            duration_ms=5,
        )
        for _ in range(count)
    )


def spikes(account: Account, *, calls_an_hour: int = 0) -> list[Spike]:
    """Of an account with so many calls in each hour of the week before."""
    hour = clock.now().replace(minute=0, second=0, microsecond=0)
    week = [Hour(hour - timedelta(hours=ago), calls_an_hour, 0) for ago in reversed(range(192))]
    return spikes_of(account.pk, "test", week, clock.now())


def test_a_type_far_above_its_usual_share_is_a_spike_with_its_window(account, django_assert_num_queries):
    logged(account, "insufficient_funds", 168)
    logged(account, "not_found", 12)
    logged(account, "not_found", 40, hours_ago=3)
    logged(account, "", 220)
    with django_assert_num_queries(2 + 2):  # two for the hour, and one for each of its two types
        found = spikes(account, calls_an_hour=100)
    [spike] = found
    assert (spike.error_type, spike.errors, spike.calls, spike.usual_share) == (
        "insufficient_funds",
        168,
        400,
        0,
    )
    assert timedelta(0) < clock.now() - spike.since - timedelta(hours=1) < timedelta(minutes=1)


def test_what_is_usual_is_no_spike(account):
    logged(account, "", 80)
    logged(account, "rate_limit_exceeded", 20)
    for day in range(1, 7):
        logged(account, "rate_limit_exceeded", 20, hours_ago=24 * day)
    assert spikes(account, calls_an_hour=4) == []


@pytest.mark.parametrize(("errors", "others", "seen"), [(9, 0, 0), (10, 0, 1), (10, 91, 0), (10, 90, 1)])
def test_without_a_usual_a_tenth_of_the_calls_and_ten_errors_are_a_spike(account, errors, others, seen):
    logged(account, "internal_error", errors)
    logged(account, "", others)
    found = spikes(account)
    assert len(found) == seen
    assert [spike.usual_share for spike in found] == [None] * seen


def test_the_most_errors_are_first_and_others_calls_are_not_counted(account):
    logged(account, "conflict", 20)
    logged(account, "not_found", 30)
    logged(account, "not_found", 500, environment="live")
    logged(AccountFactory(), "not_found", 500)
    logged(account, "not_found", 500, hours_ago=24 * 9)
    assert [(spike.error_type, spike.errors) for spike in spikes(account)] == [
        ("not_found", 30),
        ("conflict", 20),
    ]


NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("errors", "calls", "usual", "far"),
    [
        (2, 100, 0.0, True),
        (1, 100, 0.0, False),
        (5, 100, 0.01, True),
        (4, 100, 0.01, False),
        (10, 100, None, True),
        (9, 100, None, False),
        (10, 0, 0.2, True),
    ],
)
def test_far_above_is_five_times_the_usual_share_and_two_percent_at_least(errors, calls, usual, far):
    assert Spike("not_found", NOW, errors, calls, usual).is_far_above is far
