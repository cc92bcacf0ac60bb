"""`migrate` takes its time, gives up a lock soon, and tries again."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.commands import migrate as of_django
from django.db import OperationalError, connection, transaction
from pytest_django import Settings

from apps.accounts.models import Account
from tests.factories.accounts import AccountFactory
from tests.support.locks import locked

pytestmark = pytest.mark.django_db(transaction=True)
Work = Callable[[], None]
TIMEOUTS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")


def timeouts() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f"current_setting('{name}')" for name in TIMEOUTS))
        return list(cursor.fetchone())


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it waited between its tries, in seconds."""
    waited: list[float] = []
    monkeypatch.setattr("apps.common.management.commands.migrate.sleep", waited.append)
    return waited


@pytest.fixture
def migrating(monkeypatch: pytest.MonkeyPatch) -> Callable[[Work], None]:
    """What the migrations of the next run do."""

    def does(work: Work) -> None:
        monkeypatch.setattr(of_django.Command, "handle", lambda self, *args, **options: work())

    return does


@pytest.fixture
def an_account() -> Account:
    return AccountFactory()


def lock_accounts() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE accounts_account IN ACCESS EXCLUSIVE MODE")


def test_it_runs_under_timeouts_of_its_own_and_leaves_the_usual_ones(
    migrating: Callable[[Work], None], settings: Settings
) -> None:
    settings.MIGRATE_LOCK_TIMEOUT_MS = 1_500
    seen: list[list[str]] = []
    before = timeouts()
    migrating(lambda: seen.append(timeouts()))
    call_command("migrate")
    assert seen == [["0", "1500ms", "0"]]
    assert timeouts() == before != seen[0]


def test_a_busy_table_is_tried_again_with_growing_pauses(
    migrating: Callable[[Work], None], settings: Settings, pauses: list[float], an_account: Account
) -> None:
    settings.MIGRATE_LOCK_TIMEOUT_MS, settings.MIGRATE_LOCK_TRIES = 20, 8
    migrating(lock_accounts)
    said = StringIO()
    with (
        locked(Account.objects.filter(pk=an_account.pk)),
        pytest.raises(OperationalError, match="lock timeout"),
    ):
        call_command("migrate", stderr=said)
    assert pauses == [0.5, 1, 2, 4, 8, 10, 10]
    assert said.getvalue().splitlines()[0] == "A table was busy; trying again in 0.5 s (7 tries left)."


def test_it_ends_well_once_the_table_is_free(
    migrating: Callable[[Work], None], settings: Settings, pauses: list[float], an_account: Account
) -> None:
    settings.MIGRATE_LOCK_TIMEOUT_MS = 20
    held = locked(Account.objects.filter(pk=an_account.pk))
    tries: list[str] = []

    def work() -> None:
        tries.append("again")
        if len(tries) == 3:
            held.__exit__(None, None, None)
        lock_accounts()

    migrating(work)
    held.__enter__()
    call_command("migrate", stderr=StringIO())
    assert (len(tries), pauses) == (3, [0.5, 1.0])


def test_another_error_is_not_tried_again(migrating: Callable[[Work], None], pauses: list[float]) -> None:
    tries: list[str] = []

    def work() -> None:
        tries.append("once")
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = 1")
            cursor.execute("SELECT pg_sleep(1)")

    migrating(work)
    with pytest.raises(OperationalError, match="statement timeout"):
        call_command("migrate")
    assert (tries, pauses) == (["once"], [])


def test_the_command_is_ours_and_there_is_nothing_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("migrate", "--no-input")
    assert "No migrations to apply." in capsys.readouterr().out


def test_inside_a_transaction_the_connection_is_left_alone(migrating: Callable[[Work], None]) -> None:
    seen: list[Any] = []
    with transaction.atomic():
        before = timeouts()
        migrating(lambda: seen.append(timeouts()))
        call_command("migrate")
    assert seen == [before]


def test_a_call_and_a_migration_that_wait_for_each_other_end_with_the_call(
    migrating: Callable[[Work], None], settings: Settings, pauses: list[float], an_account: Account
) -> None:
    """The call holds an account and wants a partner's wallet; the migration has that, and wants the accounts."""
    holds, wants = threading.Event(), threading.Event()
    tries: list[str] = []

    def call() -> str:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("LOCK TABLE accounts_account IN ROW SHARE MODE")
                holds.set()
                wants.wait(60)
                cursor.execute("LOCK TABLE ledger_wallet IN ROW SHARE MODE")
            return "answered"
        finally:
            connection.close()

    def work() -> None:
        tries.append("again")
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE ledger_wallet IN ACCESS EXCLUSIVE MODE")
            wants.set()
            cursor.execute("LOCK TABLE accounts_account IN ACCESS EXCLUSIVE MODE")

    migrating(work)
    with ThreadPoolExecutor(1) as calls:
        answered = calls.submit(call)
        holds.wait(60)
        call_command("migrate", stderr=StringIO())
        assert answered.result() == "answered"
    assert len(tries) == len(pauses) + 1 > 1


def test_it_gives_way_before_postgresql_looks_for_deadlocks(settings: Settings) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT setting::int FROM pg_settings WHERE name = 'deadlock_timeout'")
        (milliseconds,) = cursor.fetchone()
    assert milliseconds > 2 * settings.MIGRATE_LOCK_TIMEOUT_MS
