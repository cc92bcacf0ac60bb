"""The service as it runs: the Procfile's web server on a database of its own, with a partner whose limits are out of the way."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.support import databases
from tests.support.own_service import own_database
from tests.support.ports import free_port
from tests.support.processes import children_of
from tests.support.stack import READY_SECONDS
from tests.support.web import web_command

DATABASE = "travel_partner_bench"
LIMITS = "SEARCH=100000000,BOOKING=100000000,READ=100000000"


@dataclass(frozen=True)
class Server:
    port: int
    secret: str
    environment: dict[str, str]
    pid: int = 0
    """The parent's; its children answer."""

    @property
    def cpu_seconds(self) -> float:
        """Processor time that the answering processes have used so far."""
        ticks = 0
        for child in children_of(self.pid):
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def call(self, method: str, path: str, body: dict[str, object] | None = None) -> dict[str, object]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={
                "Authorization": f"Bearer {self.secret}",
                "Content-Type": "application/json",
                "Idempotency-Key": f"prepare-{time.monotonic_ns()}",
            },
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            found: dict[str, object] = json.load(answer)
            return found


@contextmanager
def served(workers: int = 2, threads: int = 4, **variables: str) -> Iterator[Server]:
    """A running server with these settings; its database is dropped afterwards."""
    with own_database(DATABASE) as url:
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "REDIS_URL": another_redis(),
            "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
            **variables,
        }
        partner = json.loads(
            manage(
                environment,
                *(
                    "create_partner",
                    "--name",
                    "Bench",
                    "--currency",
                    "EUR",
                    "--balance-cents",
                    "900000000000",
                ),
                *("--rate", LIMITS, "--search-quota", "100000000", "--json"),
            )
        )
        with web_server(environment, workers, threads) as (port, pid):
            yield Server(port, partner["testKey"], environment, pid)


@contextmanager
def another(server: Server, workers: int = 2, threads: int = 4, **variables: str) -> Iterator[Server]:
    """A second server on the database of the first, with other settings."""
    environment = {**server.environment, **variables}
    with web_server(environment, workers, threads) as (port, pid):
        yield Server(port, server.secret, environment, pid)


@contextmanager
def web_server(
    environment: dict[str, str], workers: int, threads: int, application: str = "config.wsgi:application"
) -> Iterator[tuple[int, int]]:
    """The port that it listens on, and its process."""
    port = free_port()
    command = [
        sys.executable,
        *web_command(port=port, workers=workers, threads=threads, application=application),
    ]
    own = {"PORT": str(port), "WEB_THREADS": str(threads)}
    process = subprocess.Popen(command, env={**environment, **own})
    try:
        wait_until_ready(port)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(40)


def fresh_database(name: str = DATABASE) -> dict[str, str]:
    """A database without tables on the embedded PostgreSQL, and another number of its Redis."""
    drop_database(name)
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    url = os.environ["DATABASE_URL"].replace("/travel_partner", f"/{name}", 1)
    return {"DATABASE_URL": url, "REDIS_URL": another_redis()}


def another_redis() -> str:
    """A number of the Redis that the product does not use; the tests have numbers of their own already."""
    return os.environ["REDIS_URL"].replace("db=0", "db=15")


def drop_database(name: str = DATABASE) -> None:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        databases.drop_database(connection, name)


def manage(environment: dict[str, str], *arguments: str) -> str:
    """What the command printed; what went wrong with it goes to our own stderr."""
    command = [sys.executable, "manage.py", *arguments]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


def wait_until_ready(port: int) -> None:
    give_up = time.monotonic() + READY_SECONDS
    while time.monotonic() < give_up:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5)
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("the server did not become ready")
