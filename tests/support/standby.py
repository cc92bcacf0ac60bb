"""A PostgreSQL primary and its streaming standby, of a test's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from config.embedded.servers import Postgres, ServerError
from config.embedded.servers.postgres import PORT
from config.embedded.servers.roles import SUPERUSER

TRUST = "local all all trust\nlocal replication all trust\n"
"""Its socket is its user's alone, who has no name by which the kernel could vouch for it."""
FAR = "far" * 36
"""So long a name that sockets lie in a short place of their own, which the standby can enter as well."""


class Primary(Postgres):
    """As the embedded one, but that a standby may follow it."""

    def prepare(self) -> None:
        super().prepare()
        self._give("pg_hba.conf", TRUST)


class Standby(Postgres):
    """Begins as a copy of the running primary, and follows it for as long as both live."""

    def __init__(self, directory: Path, primary: Primary) -> None:
        super().__init__(directory)
        self.user = primary.user
        self._primary = primary

    def answers(self) -> bool:
        try:
            psycopg.connect(self.superuser_url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def follows(self) -> bool:
        """Whether it has replayed all that the primary has written."""
        with psycopg.connect(self._primary.superuser_url) as primary:
            [place] = primary.execute("SELECT pg_current_wal_lsn()::text").fetchone()
        with psycopg.connect(self.superuser_url) as standby:
            replayed = "SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn"
            return bool(standby.execute(replayed, [place]).fetchone()[0])

    def carry_out(self, statement: str) -> None:
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            connection.execute(statement)

    def _make_cluster(self) -> None:
        unfinished = self.directory / "data.new"
        self.own(unfinished)
        follow = f"host={self._primary.sockets} port={PORT} user={SUPERUSER}"
        options = ["-R", "-X", "stream", "-c", "fast", "-d", follow, "-D", "/proc/self/cwd"]
        copied = self.spawn([self.program("pg_basebackup"), *options], unfinished)
        if copied.wait() != 0:
            raise ServerError(f"pg_basebackup failed. The end of {self.log}:\n{self.log_end()}")
        unfinished.rename(self.data)


@contextmanager
def primary_and_standby(directory: Path) -> Iterator[tuple[Primary, Standby]]:
    primary = Primary(directory / FAR)
    primary.start()
    standby = Standby(directory / "standby", primary)
    try:
        standby.start()
        yield primary, standby
    finally:
        for server in (standby, primary):
            server.stop("immediate")
