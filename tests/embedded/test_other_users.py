"""Another user of the machine, and the servers themselves: what they may not do.

As root we become `nobody`, in directories that anybody may enter up to `var`; as somebody else we look at permissions.
"""

import pwd
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from config.embedded.processes import User
from config.embedded.servers import Postgres, Redis
from tests.embedded.support import Command, Watched, as_user, eventually, server
from tests.support.tools import needs_root

pytestmark = pytest.mark.stack


def nobody() -> User:
    account = pwd.getpwnam("nobody")
    return User(account.pw_uid, account.pw_gid)


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A directory that everybody may enter; the one that pytest gives is root's alone."""
    directory = Path(tempfile.mkdtemp(dir="/tmp"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture(scope="module")
def environment(place: Path) -> Iterator[dict[str, str]]:
    """Of a command whose servers run under `place`/var."""
    command = Command(place / "var")
    yield command.environment()
    running = [server(place / "var", kind) for kind in ("postgres", "redis")]
    keepers = [each.parent for each in running]
    command.kill()
    assert eventually(lambda: not any(each.alive for each in running + keepers))


@needs_root
def test_a_stranger_reaches_neither_server_and_no_file(place: Path, environment: dict[str, str]) -> None:
    var = place / "var"
    (place / "open").write_text("for everybody")
    files = [var, *sorted(var.rglob("*"))]
    named = {str(path.relative_to(place)) for path in files}
    assert named >= KEPT
    tasks = [["read", str(path)] for path in files]
    tasks += [["create" if path.is_dir() else "write", str(path)] for path in files]
    tasks += [["psycopg", environment["DATABASE_URL"]], ["redis", environment["REDIS_URL"]]]

    assert as_user(nobody(), [["read", str(place / "open")]]) == ["done"]
    outcomes = as_user(nobody(), tasks)
    let_in = [
        task for task, outcome in zip(tasks, outcomes, strict=True) if "ermission denied" not in outcome
    ]
    assert let_in == []


KEPT = {
    *("var/secret_key", "var/field_encryption_keys"),
    *(
        "var/postgres/url",
        "var/postgres/keeper.log",
        "var/postgres/postgres.log",
        "var/postgres/data/pg_hba.conf",
    ),
    *("var/redis/url", "var/redis/keeper.log", "var/redis/redis.log", "var/redis/password"),
    *("var/postgres/run/.s.PGSQL.5432", "var/redis/run/redis.sock"),
}


def test_all_that_is_kept_is_its_owners_alone(place: Path, environment: dict[str, str]) -> None:
    var = place / "var"
    modes = {str(path.relative_to(place)): mode_of(path) for path in (var, *var.rglob("*"))}
    assert modes.keys() >= KEPT
    assert [name for name, mode in modes.items() if mode & (stat.S_IRWXG | stat.S_IRWXO)] == []


def mode_of(path: Path) -> int:
    """0 for a link, and for what a server has removed again since it was listed."""
    try:
        return 0 if path.is_symlink() else path.stat().st_mode
    except FileNotFoundError:
        return 0


@needs_root
def test_who_would_come_as_far_as_a_socket_is_still_refused(tmp_path: Path) -> None:
    """The directories and sockets opened to all: PostgreSQL sees who asks, Redis wants the password."""
    directory = Path(tempfile.mkdtemp(dir="/tmp"))
    servers = Postgres(directory / "postgres"), Redis(directory / "redis")
    try:
        for each in servers:
            each.start()
            each.directory.chmod(0o755)
            each.sockets.chmod(0o755)
            each.socket.chmod(0o777)
        directory.chmod(0o755)
        database, cache = servers
        outcomes = as_user(
            nobody(),
            [
                ["psycopg", database.url],
                ["psycopg", database.superuser_url],
                ["redis", f"unix://{cache.socket}?db=0"],
                ["redis", f"unix://service:guessed@{cache.socket}?db=0"],
                ["redis", cache.url],  # the password, and nothing else, is what opens
            ],
        )
    finally:
        for each in servers:
            each.stop()
        shutil.rmtree(directory)
    assert ['Peer authentication failed for user "service"' in outcomes[0]] == [True]
    assert ['Peer authentication failed for user "postgres"' in outcomes[1]] == [True]
    assert outcomes[2:] == [
        "AuthenticationError: Authentication required.",
        "AuthenticationError: invalid username-password pair or user is disabled.",
        "done",
    ]


@needs_root
def test_each_server_is_a_user_of_its_own_without_any_right_of_roots(
    place: Path, environment: dict[str, str]
) -> None:
    found = {kind: status_of(server(place / "var", kind)) for kind in ("postgres", "redis")}
    users = {kind: each["Uid"].split()[0] for kind, each in found.items()}
    assert len(set(users.values()) - {"0", str(nobody().uid)}) == 2
    for kind, each in found.items():
        assert set(each["Uid"].split()) == set(each["Gid"].split()) == {users[kind]}
        assert each["Groups"] == ""
        assert {int(each[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {0}
        assert each["NoNewPrivs"] == "1"


def status_of(process: Watched) -> dict[str, str]:
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def test_no_secret_is_in_a_servers_arguments_or_environment(place: Path, environment: dict[str, str]) -> None:
    secrets = [environment["SECRET_KEY"], environment["FIELD_ENCRYPTION_KEYS"]]
    secrets += [(place / "var/redis/password").read_text().strip("=")]
    for kind in ("postgres", "redis"):
        process = server(place / "var", kind)
        told = b"".join(
            Path(f"/proc/{each.pid}/{file}").read_bytes()
            for each in (process, process.parent)
            for file in (("cmdline", "environ") if each is process else ("cmdline",))
        )
        assert kind.encode() in told
        assert [secret for secret in secrets if secret.encode() in told] == []


@needs_root
def test_a_superuser_of_the_database_cannot_write_what_is_roots(tmp_path: Path) -> None:
    ours = Path(tempfile.mkdtemp(dir="/tmp"))
    ours.chmod(0o755)
    target = ours / "of-root"
    target.write_text("unchanged")
    target.chmod(0o600)
    database = Postgres(tmp_path / "postgres")
    database.start()
    try:
        with psycopg.connect(database.superuser_url, autocommit=True) as connection:
            assert connection.execute("SHOW is_superuser").fetchone() == ("on",)
            for statement in (
                f"COPY (SELECT 1) TO '{target}'",
                f"COPY (SELECT 1) TO PROGRAM 'cat > {target}'",
                f"COPY (SELECT 1) TO '{ours}/planted'",
                f"SELECT pg_read_file('{target}')",
            ):
                with pytest.raises(psycopg.Error) as refused:
                    connection.execute(statement)
                assert "ermission denied" in str(refused.value) or "exited with exit code" in str(
                    refused.value
                )
        assert ([path.name for path in ours.iterdir()], target.read_text()) == (["of-root"], "unchanged")
    finally:
        database.stop()
        shutil.rmtree(ours)


@pytest.mark.parametrize(
    "statement",
    [
        "COPY (SELECT 1) TO PROGRAM 'true'",
        "COPY (SELECT 1) TO '/tmp/planted'",
        "SELECT pg_read_file('postgresql.conf')",
        "ALTER SYSTEM SET fsync = off",
        "CREATE ROLE another SUPERUSER",
        "SET ROLE postgres",
        "LOAD 'auto_explain'",
    ],
)
def test_the_services_role_is_no_superuser(environment: dict[str, str], statement: str) -> None:
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("service",)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement)


@pytest.mark.parametrize(
    "command",
    [
        "CONFIG SET dir /",
        "CONFIG REWRITE",
        "MODULE LIST",
        "DEBUG SLEEP 0",
        "SAVE",
        "BGSAVE",
        "BGREWRITEAOF",
        "REPLICAOF localhost 1",
        "SLAVEOF localhost 1",
        "MIGRATE localhost 1 key 0 1",
        "ACL SETUSER another on",
        "SHUTDOWN NOSAVE",
        "MONITOR",
    ],
)
def test_the_services_redis_user_does_not_govern_the_server(
    environment: dict[str, str], command: str
) -> None:
    client = redis.Redis.from_url(environment["REDIS_URL"])
    with pytest.raises(redis.exceptions.NoPermissionError):
        client.execute_command(*command.split())
    lua = ", ".join(f"'{word}'" for word in command.split())
    with pytest.raises(redis.ResponseError, match=r"can't run this command|not allowed from script"):
        client.eval(f"return redis.call({lua})", 0)
    assert client.eval("return redis.call('SET', 'answer', 42)", 0) == b"OK"
