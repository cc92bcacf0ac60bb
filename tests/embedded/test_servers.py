"""One PostgreSQL and one Redis for all commands of a checkout, for as long as one of them lives."""

import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from tests.embedded.support import Command

pytestmark = pytest.mark.slow


@pytest.fixture
def var(server_directory: Path) -> Path:
    return Path(tempfile.mkdtemp(dir=server_directory))


@pytest.fixture
def start(var: Path) -> Iterator[Callable[..., Command]]:
    commands: list[Command] = []

    def start_command(**environment: str) -> Command:
        commands.append(Command(var, **environment))
        return commands[-1]

    yield start_command
    for command in commands:
        command.leave()


def servers(var: Path) -> list[int]:
    """Their process ids."""
    files = [var / "embedded/postgres/postmaster.pid", var / "embedded/redis/redis.pid"]
    return [int(file.read_text().split()[0]) for file in files if file.exists()]


def running(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def check(environment: dict[str, str]) -> None:
    """As the service: a role that is no superuser, on a durable cluster that listens on its socket only."""
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        names = ("is_superuser", "fsync", "server_encoding", "listen_addresses", "timezone")
        settings = [connection.execute(f"SHOW {name}").fetchone()[0] for name in names]
        assert settings == ["off", "on", "UTF8", "", "UTC"]
        assert connection.execute("SELECT upper('é')").fetchone() == ("É",)
    cache = redis.Redis.from_url(environment["REDIS_URL"], decode_responses=True)
    wanted = {"maxmemory-policy": "noeviction", "save": "", "appendonly": "no", "port": "0"}
    assert {name: cache.config_get(name)[name] for name in wanted} == wanted


def test_commands_start_from_nothing_share_the_servers_and_the_last_one_stops_them(var, start):
    first, second = start(), start()  # at the same time
    environment = first.environment()
    assert second.environment() == environment
    check(environment)
    shared = servers(var)
    assert len(shared) == 2

    first.leave()
    check(environment)
    second.process.terminate()
    second.process.wait()
    assert [running(pid) for pid in shared] == [False, False]
    assert servers(var) == []


def test_servers_of_a_killed_command_are_used_again_and_then_stopped(var, start):
    killed = start()
    killed.environment()
    shared = servers(var)
    killed.kill()
    assert [running(pid) for pid in shared] == [True, True]
    second = start()
    check(second.environment())
    assert servers(var) == shared
    second.leave()
    assert [running(pid) for pid in shared] == [False, False]


def test_what_a_crash_leaves_behind_does_not_block_a_start(var, start):
    first = start()
    with psycopg.connect(first.environment()["DATABASE_URL"]) as connection:
        connection.execute("CREATE TABLE committed AS SELECT 42 AS answer")
    first.kill()
    lock_files = [var / "embedded/postgres" / name for name in ("postmaster.pid", ".s.PGSQL.5432.lock")]
    left = {file: file.read_text() for file in lock_files}
    for pid in servers(var):
        os.kill(pid, signal.SIGKILL)
    for file, text in left.items():  # the number is another process's after a reboot
        _, *rest = text.splitlines()
        file.write_text("\n".join([str(os.getpid()), *rest, ""]))

    environment = start().environment()
    check(environment)
    with psycopg.connect(environment["DATABASE_URL"]) as connection:
        assert connection.execute("SELECT answer FROM committed").fetchone() == (42,)


def test_an_interrupted_first_start_is_begun_again(var, start):
    (var / "embedded/postgres.new/base").mkdir(parents=True)
    check(start().environment())
    assert not (var / "embedded/postgres.new").exists()


def test_only_what_the_environment_does_not_name_is_started(var, start):
    environment = start(DATABASE_URL="postgres://elsewhere/x").environment()
    assert environment["DATABASE_URL"] == "postgres://elsewhere/x"
    assert "SECRET_KEY" not in environment
    assert not (var / "embedded/postgres").exists()
    assert redis.Redis.from_url(environment["REDIS_URL"]).ping()


def test_their_directories_are_closed_to_other_users(var, start):
    start().environment()
    modes = [(var / "embedded" / name).stat().st_mode & 0o777 for name in ("postgres", "redis")]
    assert modes == [0o700, 0o700]
    assert {path.stat().st_mode & 0o077 for path in var.glob("*_key*")} == {0}
