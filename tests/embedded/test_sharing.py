"""One PostgreSQL and one Redis for all commands of a checkout, for as long as one of them lives."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from tests.embedded.support import BASE_DIR, Command, Watched, bare_environment, eventually, server

pytestmark = pytest.mark.stack


def ask(environment: dict[str, str]) -> tuple[str, bool]:
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        row = connection.execute("SHOW fsync").fetchone()
    assert row is not None
    return row[0], redis.Redis.from_url(environment["REDIS_URL"]).ping()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Command]]:
    commands: list[Command] = []

    def start_command(**environment: str) -> Command:
        commands.append(Command(tmp_path, **environment))
        return commands[-1]

    yield start_command
    for command in commands:
        command.kill()


def test_commands_share_servers_that_end_after_the_last_of_them(tmp_path, start):
    first, second = start(), start()  # at the same time, into an empty directory
    environment = first.environment()
    assert second.environment() == environment
    assert ask(environment) == ("on", True)
    servers = [server(tmp_path, "postgres"), server(tmp_path, "redis")]
    keepers = [each.parent for each in servers]

    first.leave()
    assert ask(environment) == ("on", True)
    second.kill()  # without a chance to say goodbye
    assert eventually(lambda: not any(each.alive for each in servers + keepers))
    assert {path.name for path in tmp_path.rglob("*.pid")} == set()


def test_only_what_the_environment_does_not_name_is_started(tmp_path, start):
    environment = start(DATABASE_URL="postgres://elsewhere/x").environment()
    assert environment["DATABASE_URL"] == "postgres://elsewhere/x"
    assert "SECRET_KEY" not in environment
    assert [path.name for path in tmp_path.iterdir()] == ["redis"]


def test_a_killed_keeper_takes_its_server_along_and_the_next_command_starts_anew(tmp_path, start):
    environment = start().environment()
    postgres, cache = server(tmp_path, "postgres"), server(tmp_path, "redis")
    keepers = [each.parent for each in (postgres, cache)]
    for keeper in keepers:
        os.kill(keeper.pid, signal.SIGKILL)
    assert eventually(lambda: not any(keeper.alive for keeper in keepers))
    assert start().environment() == environment  # the old servers may still be on their way out
    assert not postgres.alive
    assert not cache.alive
    assert ask(environment) == ("on", True)


def test_a_killed_server_is_started_again_by_its_keeper(tmp_path, start):
    environment = start().environment()
    before = server(tmp_path, "postgres")
    os.kill(before.pid, signal.SIGKILL)
    assert eventually(lambda: server_is_new(tmp_path, before))
    assert eventually(lambda: answers(environment))


def test_a_deleted_directory_ends_the_server(tmp_path, start):
    start(DATABASE_URL="postgres://elsewhere/x").environment()
    cache = server(tmp_path, "redis")
    subprocess.run(["rm", "-r", tmp_path / "redis"], check=True)
    assert eventually(lambda: not cache.alive)


def test_the_reason_why_a_server_does_not_start_reaches_the_command(tmp_path):
    (tmp_path / "postgres" / "data").mkdir(parents=True)
    command = "import sys, pathlib, config.embedded as e; e.prepare_environment(pathlib.Path(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", command, tmp_path],
        cwd=BASE_DIR,
        env=bare_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: postgres does not start. The end of ")
    assert "postgresql.conf" in done.stderr


def server_is_new(var: Path, before: Watched) -> bool:
    try:
        return server(var, "postgres").pid != before.pid
    except (OSError, IndexError, AssertionError):  # about to be written, or gone already
        return False


def answers(environment: dict[str, str]) -> bool:
    try:
        return ask(environment) == ("on", True)
    except psycopg.OperationalError:
        return False
