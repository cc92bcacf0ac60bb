"""PostgreSQL."""

import os
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import psycopg

from config.embedded.servers.base import Server, ServerError, binary

DATABASE = "travel_partner"
PORT = 5432  # part of the socket's name; nothing listens on TCP


class Postgres(Server):
    """PostgreSQL as production runs it: durable, in UTF-8. Who may enter the socket's directory is let in."""

    name = "postgres"
    socket_name = f".s.PGSQL.{PORT}"
    stop_signals: ClassVar = {"fast": signal.SIGINT, "smart": signal.SIGTERM, "immediate": signal.SIGQUIT}

    @property
    def data(self) -> Path:
        return self.directory / "data"

    @property
    def url(self) -> str:
        return f"postgres://postgres@:{PORT}/{DATABASE}?host={quote(str(self.sockets))}"

    def command(self) -> list[str]:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": '"' + str(self.sockets).replace('"', '""') + '"',
            "port": str(PORT),
            "max_connections": "200",
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return [str(binary("postgres")), "-D", str(self.data), *settings]

    def answers(self) -> bool:
        try:
            self._create_database()
        except psycopg.OperationalError:
            return False
        return True

    def hindered(self) -> bool:
        return "shared memory block" in self.log_end()

    def prepare(self) -> None:
        if self.data.exists():
            self._forget_reused_pid()
            return
        unfinished = self.directory / "data.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        self.own(unfinished)
        if not any(self._initdb(unfinished, locale) for locale in ("C.UTF-8", "C")):
            raise ServerError(f"initdb failed. The end of {self.log}:\n{self.log_end()}")
        unfinished.rename(self.data)

    def _initdb(self, data: Path, locale: str) -> bool:
        options = ["--username=postgres", "--auth=trust", "--encoding=UTF8", f"--locale={locale}"]
        return self.spawn([str(binary("initdb")), *options, "-D", str(data)]).wait() == 0

    def _create_database(self) -> None:
        with psycopg.connect(
            host=str(self.sockets), port=PORT, user="postgres", connect_timeout=5, autocommit=True
        ) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE}")

    def _forget_reused_pid(self) -> None:
        """After a crash and a reboot (of a container, say) the number in postmaster.pid may be anybody's.

        PostgreSQL takes any live process of that number for one of its own and refuses to start.
        """
        for lock in (self.data / "postmaster.pid", self.sockets / f"{self.socket_name}.lock"):
            with suppress(OSError, ValueError, IndexError):
                pid = int(lock.read_text().split()[0])
                if os.fsencode(self.data) not in Path(f"/proc/{pid}/cmdline").read_bytes():
                    lock.unlink()
