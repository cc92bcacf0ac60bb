"""The Procfile's web server on a database of its own, with the processor time that it takes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.support.databases import drop_database
from tests.support.ports import free_port
from tests.support.processes import children_of
from tests.support.service_processes import Environment
from tests.support.stack import wait_until_ready
from tests.support.web import web_command


@dataclass(frozen=True)
class Server:
    port: int
    environment: Environment
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


@contextmanager
def web_server(
    environment: dict[str, str], workers: int, threads: int, application: str = "config.wsgi:application"
) -> Iterator[Server]:
    port = free_port()
    command = [
        sys.executable,
        *web_command(port=port, workers=workers, threads=threads, application=application),
    ]
    own = {"PORT": str(port), "WEB_THREADS": str(threads)}
    process = subprocess.Popen(command, env={**environment, **own})
    try:
        wait_until_ready(f"http://127.0.0.1:{port}")
        yield Server(port, environment, process.pid)
    finally:
        process.terminate()
        process.wait(40)


@contextmanager
def empty_database(name: str) -> Iterator[str]:
    """The URL of a database without tables, dropped afterwards."""
    name += os.environ.get("PYTEST_XDIST_WORKER", "")
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as admin:
        drop_database(admin, name)
        admin.execute(f"CREATE DATABASE {name}")
        yield os.environ["DATABASE_URL"].replace("/travel_partner", f"/{name}", 1)
        drop_database(admin, name)
