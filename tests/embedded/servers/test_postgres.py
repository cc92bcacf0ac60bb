import os
import threading
from pathlib import Path

import psycopg
import pytest

from config.embedded.processes import children_of
from config.embedded.servers import Postgres
from tests.embedded.support import Watched, eventually

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
    return psycopg.connect(
        host=str(server.sockets), port=5432, user="postgres", dbname="travel_partner", autocommit=True
    )


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
    family = [Watched(pid) for pid in children_of(postgres.process.pid)]
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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs the server as another user")
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
