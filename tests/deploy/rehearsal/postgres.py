"""Two PostgreSQL servers, a primary and its synchronous standby."""

import shutil
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import LiteralString

import psycopg

from tests.deploy.rehearsal.programs import Program, own, postgres_program, run, unprivileged
from tests.support.ports import free_port
from tests.support.stack import ROOT

SUPERUSER = "rehearsal"
DATABASE, OWNER, SERVICE = "travel_partner", "travel_partner_owner", "travel_partner_service"
PASSWORD = "only-for-the-rehearsal"
IN_STEP_SECONDS = 60
SETTINGS = """
listen_addresses = '127.0.0.1'
max_connections = 300
shared_buffers = 256MB
wal_level = replica
wal_keep_size = 512MB
max_wal_senders = 6
hot_standby = on
synchronous_commit = on
archive_mode = on
archive_command = 'cp %p {archive}/%f.part && mv {archive}/%f.part {archive}/%f'
unix_socket_directories = '{directory}'
timezone = 'UTC'
"""


@dataclass
class Node:
    """One server: its files, its port, and its process while it runs."""

    directory: Path
    archive: Path
    port: int = field(default_factory=free_port)
    process: Program | None = None

    @property
    def data(self) -> Path:
        return self.directory / "data"

    def make(self) -> None:
        """An empty cluster of its own."""
        self._ask_for(self.directory)
        self._run(
            "initdb", f"--username={SUPERUSER}", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "-D"
        )
        with (self.data / "postgresql.conf").open("a") as file:
            file.write(SETTINGS.format(archive=self.archive, directory=self.directory))

    def copy_of(self, other: "Node") -> None:
        """A standby of `other`, from a base backup; what was here is thrown away."""
        shutil.rmtree(self.data, ignore_errors=True)
        self._ask_for(self.directory)
        source = f"host=127.0.0.1 port={other.port} user={SUPERUSER} application_name=standby"
        self._run("pg_basebackup", "--dbname", source, "--checkpoint=fast", "--write-recovery-conf", "-D")
        with (self.data / "postgresql.auto.conf").open("a") as file:
            file.write(f"synchronous_standby_names = ''\nunix_socket_directories = '{self.directory}'\n")

    def start(self) -> None:
        words = [postgres_program("postgres"), "-D", self.data, "-p", str(self.port)]
        self.process = Program(words, self.directory.with_suffix(".log"), user=unprivileged())
        self.process.wait_for_port(self.port)
        self._wait_until(lambda: self.ask("SELECT 1") == 1, "does not answer")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()

    def end(self) -> None:
        if self.process is not None:
            self.process.end(signal.SIGINT)

    def archive_all(self) -> None:
        """Returns once the log of all that is committed by now rests in the archive.

        The commit before the switch is one to stop at: PostgreSQL refuses to restore to a second
        after which the archive has no commit.
        """
        self.ask("SELECT pg_current_xact_id()")
        last = self.ask("SELECT pg_walfile_name(pg_switch_wal())")
        self._wait_until(lambda: (self.archive / str(last)).exists(), f"did not archive {last}")

    def promote(self) -> None:
        """Returns once it takes writes."""
        run([postgres_program("pg_ctl"), "-D", self.data, "--wait", "promote"], user=unprivileged())

    def wait_until_promoted(self) -> None:
        self._wait_until(lambda: self.ask("SELECT pg_is_in_recovery()") is False, "is still in recovery")

    def ask(self, statement: LiteralString, database: str = "postgres", timeout: float = 2) -> object:
        """The first value of the first row. Raises psycopg.OperationalError where nobody answers."""
        address = f"host=127.0.0.1 port={self.port} user={SUPERUSER} dbname={database}"
        with psycopg.connect(address, autocommit=True, connect_timeout=int(timeout)) as connection:
            cursor = connection.execute(statement)
            row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None

    def require_standby(self, required: bool) -> None:
        """Whether a commit waits for the standby. Waits itself until that has been in step."""
        if required:
            state: LiteralString = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"
            self._wait_until(lambda: self.ask(state) == 1, "has no standby")
        names: LiteralString = "'*'" if required else "''"
        self.ask(f"ALTER SYSTEM SET synchronous_standby_names = {names}")
        self.ask("SELECT pg_reload_conf()")
        if required:
            state = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
            self._wait_until(lambda: self.ask(state) == 1, "has no standby in step")

    def _ask_for(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        own(directory)

    def _run(self, name: str, *words: str) -> None:
        run([postgres_program(name), *words, self.data], user=unprivileged())

    def _wait_until(self, holds: Callable[[], bool], otherwise: str) -> None:
        give_up = time.monotonic() + IN_STEP_SECONDS
        while time.monotonic() < give_up and (self.process is None or self.process.alive):
            try:
                if holds():
                    return
            except psycopg.OperationalError:
                pass
            time.sleep(0.05)
        said = self.process.said() if self.process else ""
        raise RuntimeError(f"PostgreSQL at port {self.port} {otherwise}: {said}")


class Pair:
    """The primary, the standby that each commit waits for, and the two roles of `deploy/postgresql`."""

    def __init__(self, directory: Path) -> None:
        archive = directory / "archive"
        archive.mkdir(parents=True)
        own(archive)
        self.primary, self.standby = Node(directory / "one", archive), Node(directory / "two", archive)
        self.primary.make()
        self.primary.start()
        self._psql("roles.sql", "postgres", owner_password=PASSWORD, service_password=PASSWORD)
        self.follow()

    def grant(self) -> None:
        """After each migration."""
        self._psql("grants.sql", DATABASE, role=OWNER)

    def follow(self) -> None:
        """The other server becomes a standby of the primary; from then on commits wait for it."""
        self.standby.copy_of(self.primary)
        self.standby.start()
        self.primary.require_standby(True)

    def fail_over(self) -> None:
        """The standby becomes the primary, which nobody follows yet: commits wait for nobody until `follow`."""
        self.standby.promote()
        self.primary, self.standby = self.standby, self.primary

    def end(self) -> None:
        self.standby.end()
        self.primary.end()

    @property
    def owner_url(self) -> str:
        return f"postgres://{OWNER}:{PASSWORD}@127.0.0.1:{self.primary.port}/{DATABASE}"

    @property
    def url(self) -> str:
        """Of the service's role: libpq takes whichever of the two is the primary."""
        ports = (self.primary.port, self.standby.port)
        hosts = ",".join(f"127.0.0.1:{port}" for port in sorted(ports))
        return f"postgres://{SERVICE}:{PASSWORD}@{hosts}/{DATABASE}?target_session_attrs=read-write"

    def _psql(self, script: str, database: str, role: str = SUPERUSER, **variables: str) -> None:
        told = [part for name, value in variables.items() for part in ("--set", f"{name}={value}")]
        where = f"host=127.0.0.1 port={self.primary.port} user={role} dbname={database}"
        file = ROOT / "deploy/postgresql" / script
        run([postgres_program("psql"), "--quiet", "--no-psqlrc", *told, "--file", file, where])
