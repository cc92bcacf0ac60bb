import os
import pwd
import threading
from pathlib import Path

import psycopg
import pytest

from config.embedded.servers import Postgres
from tests.embedded.support import eventually, watched_children
from tests.support.tools import needs_root

pytestmark = pytest.mark.stack


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    server = Postgres(tmp_path_factory.mktemp("postgres"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def connection(postgres):
    with connect(postgres) as connection:
        yield connection


def connect(server: Postgres) -> psycopg.Connection:
    return psycopg.connect(server.url, autocommit=True)


def settings(connection: psycopg.Connection, *names: str) -> list[str]:
    return [connection.execute(f"SHOW {name}").fetchone()[0] for name in names]


def test_it_is_durable_speaks_utf_8_and_listens_on_its_socket_only(connection):
    assert settings(connection, "fsync", "synchronous_commit", "server_encoding", "listen_addresses") == [
        "on",
        "on",
        "UTF8",
        "",
    ]
    assert connection.execute("SELECT upper('é')").fetchone() == ("É",)


def test_only_its_user_may_enter_its_directories(postgres):
    assert [oct(path.stat().st_mode & 0o777) for path in (postgres.data, postgres.sockets)] == ["0o700"] * 2


def test_what_was_committed_survives_a_kill(postgres):
    with connect(postgres) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    postgres.kill()
    assert not postgres.running
    postgres.start()
    with connect(postgres) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_a_pause_holds_an_open_connection_until_it_is_resumed(postgres, connection):
    answers: list[object] = []
    postgres.pause()
    asking = threading.Thread(target=lambda: answers.append(connection.execute("SELECT 1").fetchone()))
    asking.start()
    asking.join(0.5)
    assert answers == []
    postgres.resume()
    asking.join(30)
    assert answers == [(1,)]


def test_a_paused_one_that_is_killed_leaves_nothing_behind(postgres, connection):
    family = watched_children(postgres.process.pid)
    assert len(family) > 3
    postgres.pause()
    postgres.kill()
    assert eventually(lambda: not any(each.alive for each in family))
    postgres.start()


def test_a_pid_file_with_the_number_of_another_process_does_not_stop_it(postgres):
    postgres.kill()
    lock = postgres.data / "postmaster.pid"
    _, *rest = lock.read_text().splitlines()
    lock.write_text("\n".join([str(os.getppid()), *rest]))
    postgres.start()
    with connect(postgres) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_an_unfinished_first_start_is_begun_again(tmp_path):
    (tmp_path / "data.new" / "base").mkdir(parents=True)
    server = Postgres(tmp_path)
    server.start()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "postgres.log", "postgres.pid", "run"]
    server.stop()


@needs_root
def test_root_runs_it_as_another_user_below_a_directory_closed_to_that_user(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    server = Postgres(closed / ("long path, with a comma % and spaces " * 5))
    server.start()
    try:
        with connect(server) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
        assert Path(f"/proc/{server.process.pid}").stat().st_uid != 0
        assert closed.stat().st_mode & 0o777 == 0o700
        assert len(os.fsencode(server.socket)) <= 107
    finally:
        server.stop()
    assert not server.sockets.exists()


def test_a_paused_one_stops_when_asked(postgres):
    process = postgres.process
    postgres.pause()
    postgres.stop()
    assert process.returncode == 0
    postgres.start()


def test_what_an_older_checkout_left_is_taken_over(tmp_path):
    """Then the superuser owned all, everybody who came to the socket was let in, and root's servers were nobody's."""
    server = Postgres(tmp_path)
    server.start()
    with psycopg.connect(server.superuser_url, dbname="postgres", autocommit=True) as connection:
        for statement in ("DROP DATABASE travel_partner", "DROP OWNED BY service", "DROP ROLE service"):
            connection.execute(statement)
        connection.execute("CREATE DATABASE travel_partner")
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (id int GENERATED ALWAYS AS IDENTITY, answer int)")
        connection.execute("INSERT INTO kept (answer) VALUES (42)")
        connection.execute("CREATE SEQUENCE counted; CREATE VIEW seen AS SELECT answer FROM kept")
        connection.execute("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'")
    server.stop()
    (server.data / "pg_hba.conf").write_text("local all all trust\n")
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        for path in (server.data, *server.data.rglob("*"), server.directory / "run"):
            os.chown(path, nobody.pw_uid, nobody.pw_gid)
    tmp_path.chmod(0o755)

    server = Postgres(tmp_path)
    server.start()
    try:
        with connect(server) as connection:
            owners = connection.execute(OWNERS).fetchall()
            assert owners == [
                (name, "service") for name in ("counted", "kept", "kept_id_seq", "refuse", "seen")
            ]
            connection.execute("ALTER TABLE kept ADD COLUMN later int")
            assert connection.execute("SELECT seen.answer, later FROM seen, kept").fetchall() == [(42, None)]
        assert {path.stat().st_uid for path in (server.data, *server.data.rglob("*"))} == {
            server.user.uid if server.user else os.geteuid()
        }
        assert (server.data / "pg_hba.conf").read_text() == "local all all peer map=keeper\n"
        assert tmp_path.stat().st_mode & 0o777 == 0o700
    finally:
        server.stop()


OWNERS = """
    SELECT relname::text, relowner::regrole::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION SELECT proname, proowner::regrole::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    ORDER BY 1"""
