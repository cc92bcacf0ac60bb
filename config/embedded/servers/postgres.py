"""PostgreSQL."""

import os
import pwd
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import psycopg

from config.embedded.private import write_private
from config.embedded.processes import with_a_name
from config.embedded.servers import roles
from config.embedded.servers.base import HOME, Server
from config.embedded.servers.errors import ServerError

PORT = 5432  # part of the socket's name; nothing listens on TCP


class Postgres(Server):
    """PostgreSQL as production runs it: durable, in UTF-8.

    It asks the kernel who is at the other end of its socket (`peer`) and lets in whoever started it, nobody else.
    The service's role owns its databases and is no superuser.
    """

    name = "postgres"
    socket_name = f".s.PGSQL.{PORT}"
    stop_signals: ClassVar = {"fast": signal.SIGINT, "smart": signal.SIGTERM, "immediate": signal.SIGQUIT}

    @property
    def home(self) -> Path:
        return self.data

    @property
    def data(self) -> Path:
        return self.directory / "data"

    @property
    def url(self) -> str:
        return self._url(roles.SERVICE)

    @property
    def superuser_url(self) -> str:
        return self._url(roles.SUPERUSER)

    def command(self, sockets: str) -> list[str]:
        options = {
            "listen_addresses": "",
            "unix_socket_directories": f'"{sockets.replace(chr(34), 2 * chr(34))}"',
            "unix_socket_permissions": "0700",
            "port": str(PORT),
            "max_connections": "400",
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        return [self.program("postgres"), "-D", HOME, *settings]

    def answers(self) -> bool:
        try:
            roles.set_up(self.sockets, PORT)
        except psycopg.OperationalError:
            return False
        return True

    def hindered(self) -> bool:
        return "shared memory block" in self.log_end()

    def prepare(self) -> None:
        if self.data.exists():
            self.own(self.data)
            self._forget_reused_pid()
        else:
            self._make_cluster()
        me = pwd.getpwuid(os.geteuid()).pw_name
        self._give("pg_hba.conf", "local all all peer map=keeper\n")
        self._give("pg_ident.conf", f'keeper "{me}" {roles.SUPERUSER}\nkeeper "{me}" {roles.SERVICE}\n')

    def _make_cluster(self) -> None:
        unfinished = self.directory / "data.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        self.own(unfinished, self.user and with_a_name(self.user))
        if not any(self._initdb(unfinished, locale) for locale in ("C.UTF-8", "C")):
            raise ServerError(f"initdb failed. The end of {self.log}:\n{self.log_end()}")
        self.own(unfinished)
        unfinished.rename(self.data)

    def _initdb(self, data: Path, locale: str) -> bool:
        options = [f"--username={roles.SUPERUSER}", "--auth=reject", "--encoding=UTF8", f"--locale={locale}"]
        command = [self.program("initdb"), *options, "-D", HOME]
        return self.spawn(command, data, user=self.user and with_a_name(self.user)).wait() == 0

    def _give(self, name: str, text: str) -> None:
        write_private(self.data / name, text, self.user)

    def _url(self, role: str) -> str:
        return f"postgres://{role}@:{PORT}/{roles.DATABASE}?host={quote(str(self.sockets))}"

    def _forget_reused_pid(self) -> None:
        """After a crash and a reboot (of a container, say) the number in postmaster.pid may be anybody's.

        PostgreSQL takes any live process of that number for one of its own and refuses to start.
        """
        for lock in (self.data / "postmaster.pid", self.sockets / f"{self.socket_name}.lock"):
            with suppress(OSError, ValueError, IndexError):
                if not _is_at_home(int(lock.read_text().split()[0]), self.data):
                    lock.unlink()


def _is_at_home(pid: int, home: Path) -> bool:
    """Whether the process works in `home`. Raises OSError where there is no such process."""
    try:
        return home.samefile(f"/proc/{pid}/cwd")
    except PermissionError:  # another user's
        return False
