"""The time in an environment, and how little it costs to know it."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts import clocks
from apps.accounts.clocks import move_clock
from apps.accounts.models import Account
from apps.common import clock
from apps.common.clock import NOT_MOVED, Place
from tests.factories.accounts import AccountFactory

pytestmark = pytest.mark.django_db
AHEAD = timedelta(days=3)


@pytest.fixture
def account() -> Account:
    found = AccountFactory()
    move_clock(account_id=found.id, by=AHEAD)
    return found


def test_the_time_there_is_ahead_in_that_environment_alone(account: Account) -> None:
    ahead = clocks.now_in(account.id, "test") - clock.now()
    assert AHEAD - timedelta(seconds=5) < ahead <= AHEAD
    for elsewhere in ((account.id, "live"), (AccountFactory().id, "test")):
        assert clocks.place_of(*elsewhere).clock_offset == NOT_MOVED


def test_live_and_the_environment_that_one_works_for_cost_no_statement(account: Account) -> None:
    with clocks.working_for(account.id, "test"), CaptureQueriesContext(connection) as captured:
        assert clocks.place_of(account.id, "test") == Place(account.id, "test", AHEAD)
        assert clocks.place_of(account.id, "live") == Place(account.id, "live")
        assert clock.now_here() - clock.now() > AHEAD - timedelta(seconds=5)
    assert [query["sql"] for query in captured if "clock_timestamp" not in query["sql"]] == []
    assert clock.here() is None


def test_whoever_works_for_nobody_has_the_real_time(account: Account) -> None:
    clock.enter(None)
    assert abs(clock.now_here() - clock.now()) < timedelta(seconds=5)


def test_work_for_another_environment_ends_with_its_block(account: Account) -> None:
    other = AccountFactory()
    with clocks.working_for(account.id, "test") as outer:
        with clocks.working_for(other.id, "test"):
            assert clock.here() == Place(other.id, "test")
        assert clock.here() == outer


def test_rows_are_older_by_the_clock_of_their_environment() -> None:
    from apps.webhooks.models import Event
    from tests.factories.webhooks import EventFactory

    moved, real = EventFactory(), EventFactory()
    live = EventFactory(account=moved.account, environment="live")
    move_clock(account_id=moved.account_id, by=timedelta(days=31))
    before = clock.now() - timedelta(days=30)
    assert list(clocks.older_there(Event.objects.all(), "created_at", before)) == [moved]
    assert Event.objects.filter(pk__in=[real.pk, live.pk]).count() == 2
