"""Fixtures that every test may use. The servers are started by config/settings_test.py."""

import gc
import itertools
import re
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from time import monotonic
from types import SimpleNamespace

import pytest
from django.db import connection, connections
from django.test import TransactionTestCase
from hypothesis import HealthCheck, settings
from psycopg._preparing import PrepareManager
from psycopg.pq.abc import PGresult
from pytest_django import DjangoDbBlocker

from apps.bookings import statements
from apps.common import clock
from apps.request_log import writer
from apps.suppliers.rates import forget_rates
from apps.suppliers.registry import GuardedAdapter
from tests.support.emptying import (
    empty_quickly,
    keep_autovacuum_out,
    keep_plan_of_look,
    leave_one_connection,
)
from tests.support.forgotten import forget_suppliers
from tests.support.own_service import Service, running_service
from tests.support.template import template

MINUTES = count()
GONE = re.compile(rb"DROP|DISCARD ALL|DEALLOCATE ALL")
"""What PostgreSQL says of a command after which prepared statements are gone, or name what is gone."""

# How long a machine takes to make an example up, or to look at it, says nothing of the code: a busy one takes seconds.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--chaos-runs",
        type=int,
        default=0,
        help="kills at each point, and races in the sizes of the promises (make chaos); 0: the suite's short version",
    )
    parser.addoption(
        "--fuzz-examples",
        type=int,
        default=0,
        help="made-up requests for each operation, and every boundary value (make fuzz); 0: the suite's short version",
    )
    parser.addoption(
        "--record-examples",
        action="store_true",
        help="record the examples of the OpenAPI document anew (make examples)",
    )
    parser.addoption(
        "--learn-shapes",
        action="store_true",
        help="learn anew what is known of each supplier's answers (make shapes)",
    )
    parser.addoption(
        "--every-page",
        action="store_true",
        help="look at every page in the browser (make pages), not at every eighth",
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays to the end: looking through it for garbage takes as long as a quarter of collecting.

    Afterwards garbage is looked for once in a few tests, not ten times in each.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        gc.enable()


@pytest.fixture(scope="session")
def every_page(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--every-page"))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """pytest-django's hook before it makes the test database."""
    connection.settings_dict["TEST"]["TEMPLATE"] = template()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What is done to the test database once it is there, and before it goes: the connection that was kept is closed."""
    with django_db_blocker.unblock():
        keep_autovacuum_out()
        keep_plan_of_look()
    yield
    connections.close_all()


@pytest.fixture(autouse=True, scope="session")
def emptied_quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TransactionTestCase, "_fixture_teardown", empty_quickly)
        patched.setattr(TransactionTestCase, "_should_reload_connections", leave_one_connection)
        yield


@pytest.fixture(autouse=True, scope="session")
def statements_stay_prepared() -> Iterator[None]:
    """psycopg forgets all prepared statements with each rollback, and every test ends with one: PostgreSQL would read and plan
    the same few hundred statements anew in each. It looks by itself whether a table was altered meanwhile.
    """
    forget = PrepareManager.clear

    def forget_what_is_gone(manager: PrepareManager, prep: object, results: Sequence[PGresult]) -> bool:
        gone = any(GONE.match(result.command_status or b"") for result in results)
        return forget(manager) if gone else False

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(PrepareManager, "clear", lambda manager: False)
        patched.setattr(PrepareManager, "_should_discard", forget_what_is_gone)
        patched.setattr(PrepareManager, "prepared_max", 1_000)
        yield


@pytest.fixture(autouse=True, scope="session")
def clock_read_once() -> None:
    """Host and database are one machine, so a test that counts statements need not find a look at the clock among them."""
    clock.RESYNC_SECONDS = float("inf")
    clock._carry_on()


@pytest.fixture(autouse=True, scope="session")
def changes_stamped_by_the_clock_of_the_test() -> None:
    """Tests stop the clock and set it to other days. PostgreSQL has its own, by which every change would be late."""
    statements.LATE = timedelta(days=36_500)


@pytest.fixture(autouse=True, scope="session")
def clock_without_database() -> Iterator[None]:
    """This machine's, of which the database has its own: for a thread that a test starts, which would open a connection for it;
    and for one whose first look at the clock falls into a test that may not ask the database.
    """
    synchronise = clock._synchronise

    def where_allowed() -> None:
        if threading.current_thread() is not threading.main_thread():
            clock._carry_on()
            return
        try:
            synchronise()
        except RuntimeError:  # pytest-django's word for a test without the `db` mark
            clock._carry_on()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clock, "_synchronise", where_allowed)
        yield


@pytest.fixture(autouse=True)
def nothing_of_another_test() -> None:
    """What the process remembers outlives a test. One fixture for all of it: each costs nine thousand tests its while."""
    forget_suppliers()
    writer.writer = writer.Writer()  # without records of the test before
    forget_rates()


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    """The service as it runs, on a database where tests may leave what they like: no two count on an empty one."""
    with running_service() as running:
        yield running


@pytest.fixture(scope="module")
def server_directory() -> Iterator[Path]:
    """For a PostgreSQL of its own, which root runs as another user; pytest closes its directories to that one."""
    with tempfile.TemporaryDirectory(prefix="servers-") as directory:
        yield Path(directory)


@pytest.fixture
def clock_stands_still(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """What takes the machine a while takes no time. `move_clock`, named after it, goes on from there."""
    instant = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: instant)
    return instant


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """It is past noon, and a minute that the tests before had nothing of has just begun.

    No hour, day or window of calls ends in the test unless the test goes there. All its threads have this one clock.
    """
    began = monotonic()
    instant = clock.now().replace(hour=12, minute=next(MINUTES) % 50, second=0, microsecond=0)
    monkeypatch.setattr(clock, "_database_now", lambda: instant + timedelta(seconds=monotonic() - began))
    return instant


@pytest.fixture
def move_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`move_clock(hours=25)` moves this process's clock that much further."""
    moved = timedelta(0)
    real = clock._database_now

    def shifted() -> datetime:
        return real() + moved

    def move(**delta: float) -> None:
        nonlocal moved
        moved += timedelta(**delta)

    monkeypatch.setattr(clock, "_database_now", shifted)
    return move


@pytest.fixture
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time passes by two microseconds a look, and as `move_clock` moves it: however long the machine takes, nothing is late."""
    began, looks = time.monotonic(), itertools.count(step=2)
    still = SimpleNamespace(monotonic=lambda: began + next(looks) / 1_000_000)
    monkeypatch.setattr(clock, "monotonic_time", still)


@pytest.fixture
def supplier_calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Grows by one with every call of any supplier."""
    calls: list[str] = []
    reach = GuardedAdapter.__getattr__

    def reaching(adapter: GuardedAdapter, name: str) -> object:
        calls.append(name)
        return reach(adapter, name)

    monkeypatch.setattr(GuardedAdapter, "__getattr__", reaching)
    return calls
