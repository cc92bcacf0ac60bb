"""Mutants before their tests, in a process that has imported everything and made its database once.

A mutant costs a fork and those tests that run its function. What survives so, and what shows only when its module is imported, is
left to `afresh.py`.
"""

import itertools
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum

import pytest
from _pytest.runner import runtestprotocol
from pytest_django.plugin import blocking_manager_key

from tests.mutants.forks import die_in, in_a_fork
from tests.mutants.mutant import Mutant
from tests.mutants.swap import Functions, tell

OWN_PROCESSES = {"service", "stack", "running", "crew"}
"""Fixtures behind which other processes run the code, where the fault is not."""
BASELINE_SECONDS = 1800.0
QUIET = [
    "-q",
    "-p",
    "no:cacheprovider",
    "--no-header",
    "--no-summary",
    "--tb=no",
    "-n",
    "0",
    "--import-mode=importlib",
]


@dataclass
class Patience:
    """How long tests may take, in seconds on a usual machine."""

    most: float = 15.0
    """Of tests for one mutant."""
    longest_test: float = 8.0
    """What takes longer waits for other processes, or tries hundreds of cases: too dear for every mutant."""
    least: float = 8.0
    """Before a test counts as stuck."""

    def grow(self, factor: float) -> None:
        """On a machine that is slower by so much: otherwise fewer tests would be tried, and more would survive."""
        self.most, self.longest_test, self.least = (
            factor * each for each in (self.most, self.longest_test, self.least)
        )


PATIENCE = Patience()


class End(Enum):
    """What became of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    TIMEOUT = "timeout"


@dataclass
class Baseline:
    """A test without any fault: whether it passes, how long it takes, which functions it runs."""

    passed: bool = True
    seconds: float = 0.0
    cost: float = 0.0
    """Seconds of this process at work, whatever else the machine has to do."""
    runs: set[tuple[str, str]] = field(default_factory=set)
    """Modules and qualified names."""


Tests = dict[str, Baseline]
"""By the test's id."""
TestsOf = Callable[[str], Sequence[str]]
"""The files of the tests that have to notice a module's faults."""
Tell = Callable[[object], None]


def try_warm(mutants: Sequence[Mutant], tests_of: TestsOf, tell: Tell) -> None:
    """Tells of the tests first (`Tests`), then of each mutant `(mutant, End, name of the test)`."""
    files = sorted({file for mutant in mutants for file in tests_of(mutant.module)})
    code = pytest.main([*QUIET, *files], plugins=[_Loop(mutants, tests_of, tell)])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        tell(f"pytest ended with {code}")


def seconds_for(test: Baseline) -> float:
    """How long a test may take before a mutant; a fault that makes it so much slower is noticed too."""
    return PATIENCE.least + 5 * test.seconds


class _OnlySession:
    """As the next test of a test: everything is torn down but what lasts for the session, which is the database."""

    def __init__(self, session: pytest.Session) -> None:
        self._session = session

    def listchain(self) -> list[pytest.Session]:
        return [self._session]


class _Loop:
    """pytest's own loop replaced: each test once, then each mutant in a fork."""

    def __init__(self, mutants: Sequence[Mutant], tests_of: TestsOf, tell: Tell) -> None:
        self._mutants = mutants
        self._tests_of = tests_of
        self._modules = sorted({mutant.module for mutant in mutants})
        self._tell = tell

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items if is_in_process(item)}
        self._make_database(list(items.values()), session)
        functions = Functions(self._modules)
        said = in_a_fork(lambda: _each(list(items.values()), functions, session), BASELINE_SECONDS).said
        if not isinstance(said, dict):
            self._tell(f"no baseline: {said}")
            return True
        tests: Tests = said
        self._tell(tests)
        for mutant in self._mutants:
            chosen = chosen_of(mutant, tests, self._tests_of(mutant.module))
            job = _job(functions, mutant, {items[name]: tests[name] for name in chosen}, session)
            ended = in_a_fork(job, PATIENCE.most * 10)
            if ended.late:
                _end_connections(session)
            match ended.said:
                case str(trouble):
                    self._tell(f"{mutant}: {trouble}")
                case (End() as end, by):
                    self._tell((mutant, end, by))
            if ended.late:
                self._tell((mutant, End.TIMEOUT, ""))
        return True

    def _make_database(self, items: list[pytest.Item], session: pytest.Session) -> None:
        """By running a test that needs it; whoever is forked finds it there."""
        first = next(
            (i for i in items if i.get_closest_marker("django_db") or "db" in getattr(i, "fixturenames", ())),
            None,
        )
        if first is not None:
            runtestprotocol(first, log=False, nextitem=_OnlySession(session))  # type: ignore[arg-type]
            from django.db import connections

            connections.close_all()


def is_in_process(item: pytest.Item) -> bool:
    """Whether it runs the code in this process, where the fault is."""
    return item.get_closest_marker("stack") is None and not OWN_PROCESSES & set(
        getattr(item, "fixturenames", ())
    )


def _each(items: list[pytest.Item], functions: Functions, session: pytest.Session) -> Tests:
    """Every test without a fault."""
    found: Tests = {}
    functions.watch()
    for item in items:
        test = found[item.nodeid] = Baseline()
        tell(test.runs.add)
        began, worked = time.monotonic(), time.process_time()
        test.passed = _passes(item, session)
        test.seconds, test.cost = time.monotonic() - began, time.process_time() - worked
    return found


def file_of(name: str) -> str:
    """Where a test is."""
    return name.partition("::")[0]


def chosen_of(mutant: Mutant, tests: Tests, files: Sequence[str], *, afresh: bool = False) -> list[str]:
    """Of the tests in `files` those that run the mutant's function: the module's own first, then the quickest.

    The slowest are left out, and what comes after `PATIENCE.most` seconds of them. A function that none of them runs may be one
    that runs as its module is imported, such as one that writes a statement: `afresh`, all of them are chosen. One that a cached
    function calls is run by the first test that asks, whichever it is: `afresh`, all of the module's own are chosen.
    """
    at_import = afresh and not any(_runs(test, mutant) for test in tests.values())
    able = [
        name
        for name, test in tests.items()
        if test.passed
        and test.seconds <= PATIENCE.longest_test
        and file_of(name) in files
        and (at_import or (afresh and file_of(name) == files[0]) or _runs(test, mutant))
    ]
    able.sort(key=lambda name: (file_of(name) != files[0], tests[name].cost))
    costs = itertools.accumulate(tests[name].cost for name in able)
    return [name for name, cost in zip(able, costs, strict=True) if cost <= PATIENCE.most]


def _runs(test: Baseline, mutant: Mutant) -> bool:
    """Whether the test runs the mutant's function, or one within it. What is at the top of a module all of them run."""
    if not mutant.function:
        return True
    return any(
        module == mutant.module and f"{name}.".startswith(f"{mutant.function}.") for module, name in test.runs
    )


def _job(
    functions: Functions, mutant: Mutant, tests: dict[pytest.Item, Baseline], session: pytest.Session
) -> Callable[[], tuple[End, str] | None]:
    def job() -> tuple[End, str] | None:
        if not tests or not functions.swap(mutant):
            return None
        _forget_redis()
        for item, test in tests.items():
            die_in(seconds_for(test))
            if not _passes(item, session):
                return End.KILLED, item.nodeid
        return End.SURVIVED, ""

    return job


def _passes(item: pytest.Item, session: pytest.Session) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=_OnlySession(session))  # type: ignore[arg-type]
    return not any(report.failed for report in reports)


def _forget_redis() -> None:
    """What the mutant before left there."""
    import redis

    redis.Redis.from_url(os.environ["REDIS_URL"]).flushdb()


def _end_connections(session: pytest.Session) -> None:
    """What a mutant that was killed still holds goes, and what it committed."""
    from django.db import connection, connections
    from django.test import TransactionTestCase

    from tests.support.emptying import empty_quickly

    with session.config.stash[blocking_manager_key].unblock():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        empty_quickly(TransactionTestCase())
        connections.close_all()
