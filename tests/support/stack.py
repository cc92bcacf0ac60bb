"""The service as it really runs: the Procfile's web server with several processes, spoken to over HTTP."""

import contextlib
import os
import secrets
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import orjson
import urllib3
from django.db import connection

from tests.support.api import Reply
from tests.support.ports import free_port
from tests.support.programs import PythonProgram, output
from tests.support.web import web_command

ROOT = Path(__file__).resolve().parents[2]
READY_SECONDS = 180

# What the promises measure in minutes, in seconds: a lease of 2 s in place of 45 s, and so on.
SHORT_WAITS = {
    "OPERATION_LEASE_SECONDS": 2,
    "IDEMPOTENCY_LEASE_SECONDS": 2,
    "SUPPLIER_CALL_SECONDS": 1,
    "LOOKUP_FIRST_NOT_FOUND_SECONDS": 3,
    "LOOKUP_NOT_FOUND_APART_SECONDS": 1,
    "LOOKUP_BACKOFF_SECONDS": [1, 1, 1, 1, 1],
}


class NoAnswer(Exception):
    """The connection broke before an answer came: what became of the request is not known."""


@dataclass
class HttpApi:
    """A partner with a key, over a real connection. Raises NoAnswer; never repeats anything by itself."""

    url: str
    secret: str
    timeout: float = 30.0

    def get(self, path: str, **headers: str) -> Reply:
        return self.send("GET", path, None, headers)

    def post(self, path: str, body: object | None = None, key: str | None = None, **headers: str) -> Reply:
        return self.send(
            "POST", path, body, {"Idempotency-Key": key or f"call-{secrets.token_hex(12)}", **headers}
        )

    def send(self, method: str, path: str, body: object | None, headers: Mapping[str, str]) -> Reply:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            response = urllib3.request(
                method,
                self.url + path,
                body=orjson.dumps(body) if body is not None else b"",
                headers={
                    "Authorization": f"Bearer {self.secret}",
                    "Content-Type": "application/json",
                    "Connection": "close",
                    **named,
                },
                retries=False,
                timeout=self.timeout,
            )
        except urllib3.exceptions.HTTPError as error:
            raise NoAnswer(str(error)) from error
        try:
            parsed = orjson.loads(response.data) if response.data else None
        except ValueError as error:  # cut off in the middle
            raise NoAnswer(f"unreadable, status {response.status}") from error
        return Reply(response.status, parsed, response.headers, response.data)


@contextmanager
def serving(
    environment: Mapping[str, object],
    *,
    workers: int = 2,
    threads: int = 16,
    application: str = "config.wsgi:application",
    graceful_seconds: int = 3,
) -> Iterator[str]:
    """The address of a web server with these variables beside ours; dead workers come back at once.

    One account may have all threads: tests are one partner with many callers.

    One that is told to stop has `graceful_seconds` for it, all that a process does at its end included.
    """
    port = free_port()
    command = web_command(
        port=port,
        workers=workers,
        threads=threads,
        application=application,
        graceful_seconds=graceful_seconds,
    )
    url = f"http://127.0.0.1:{port}"
    own = {"PUBLIC_BASE_URL": url, "PORT": port, "WEB_THREADS": threads, "WEB_ACCOUNT_CALLS": 1_000}
    server = Supervised(
        command, {**os.environ, **variables({**own, **environment})}, patience=graceful_seconds + 10
    )
    try:
        wait_until_ready(url)
        yield url
    finally:
        server.stop()


class Supervised:
    """A Python program that is started again whenever it ends, as a process manager does."""

    def __init__(self, command: list[str], environment: dict[str, str], *, patience: float = 10.0) -> None:
        self._command, self._environment, self._patience = command, environment, patience
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            process = self._start()
            while process.poll() is None and not self._stopping.wait(0.1):
                pass
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(self._patience)
            process.kill()
            process.wait()

    def _start(self) -> PythonProgram:
        with open(os.devnull, "wb") as nothing:
            return PythonProgram(self._command, self._environment, stderr=nothing)


def variables(environment: Mapping[str, object]) -> dict[str, str]:
    """Settings as environment variables; a server process is no test run, and logs nothing."""
    spelled = {
        name: ",".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in environment.items()
    }
    return {
        "PYTEST_VERSION": "",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "CRITICAL",
        "WEBHOOK_ALLOW_LOCAL_TARGETS": "true",
        "SIMULATE_LIVE_KEYS": "true",
        "REDIS_TIMEOUT_SECONDS": "0.5",
        **spelled,
    }


def test_database_url() -> str:
    """DATABASE_URL, of the database that this test run made."""
    name = connection.settings_dict["NAME"]
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def manage(environment: Mapping[str, object], *arguments: str) -> str:
    """The output of a management command run under these variables, without the system checks, which cost half a second."""
    return output(["manage.py", *arguments, "--skip-checks"], {**os.environ, **variables(environment)})


def wait_until_ready(url: str, probe: str = "/health/ready") -> None:
    give_up = time.monotonic() + READY_SECONDS
    while time.monotonic() < give_up:
        try:
            if urllib3.request("GET", url + probe, retries=False, timeout=5).status == 200:
                return
        except urllib3.exceptions.HTTPError:
            time.sleep(0.05)
    raise RuntimeError(f"{url} did not become ready")
