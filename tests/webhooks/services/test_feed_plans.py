"""A page of the feed costs the same however many events there are: it walks one index, and reads no row that it does not need.

The long run, with ten millions of them, is `make bench ARGS=feed`.
"""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Account
from apps.webhooks import feed as reading
from apps.webhooks.feed import Wanted, read_feed
from tests.factories.accounts import AccountFactory
from tests.support.plans import explained
from tests.webhooks.feed_rows import fill

pytestmark = pytest.mark.django_db

COUNT = 12_000
MIDDLE = f"evt_{COUNT // 2:026}"


@pytest.fixture
def account() -> Account:
    account: Account = AccountFactory()
    with connection.cursor() as cursor:
        fill(cursor, account.pk, COUNT)
        cursor.execute("ANALYZE webhooks_event")
    return account


def plan_of(account: Account, **wanted: object) -> str:
    with CaptureQueriesContext(connection) as captured:
        read_feed(Wanted(account_id=account.pk, environment="test", limit=20, **wanted))  # type: ignore[arg-type]
    (statement,) = [query["sql"] for query in captured.captured_queries if "scanned" in query["sql"]]
    return explained(statement)


def rows_read(plan: str, index: str) -> int:
    return max(int(found) for found in re.findall(rf"Index \S*\s?Scan .*{index} .*actual rows=(\d+)", plan))


@pytest.mark.parametrize("after", [None, MIDDLE])
def test_a_page_walks_the_index_of_positions(account: Account, after: str | None) -> None:
    plan = plan_of(account, after=after)
    assert rows_read(plan, "event_feed") == 21
    assert re.findall(r"Seq Scan on webhooks_event e|Rows Removed by Filter|  Sort .*disk", plan) == []


def test_a_rare_type_looks_at_a_bounded_number(account: Account) -> None:
    plan = plan_of(account, types=["payment.refunded"])
    assert rows_read(plan, "event_feed") == reading.SCANNED == 2_000
    assert re.findall(r"Seq Scan on webhooks_event e", plan) == []


@pytest.mark.parametrize(("reference", "found"), [("H-1000", 4), ("H-unknown", 0)])
def test_a_booking_is_found_by_its_reference(account: Account, reference: str, found: int) -> None:
    plan = plan_of(account, booking_reference=reference)
    assert rows_read(plan, "event_sequence_once") == found
    assert re.findall(r"Seq Scan on webhooks_event e", plan) == []


def test_numbered_events_leave_the_index_of_what_is_new_soon() -> None:
    """However many events there are, and also where few of them are dead."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT reloptions FROM pg_class WHERE relname = 'webhooks_event'")
        ((options,),) = cursor.fetchall()
    assert set(options) >= {  # the tests switch it off
        "autovacuum_vacuum_scale_factor=0",
        "autovacuum_vacuum_threshold=10000",
        "vacuum_index_cleanup=on",
    }


def test_that_nothing_is_new_is_seen_at_once(account: Account) -> None:
    plan = plan_of(account, after=f"evt_{COUNT:026}")
    assert rows_read(plan, "event_unplaced") == 0
    assert re.findall(r"Seq Scan on webhooks_event e", plan) == []
