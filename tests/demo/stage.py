"""Where the story plays: the service that runs already, or one of our own for as long as the demo takes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import requests

from tests.demo.partner import Partner, direct_session
from tests.demo.telling import Failed, note
from tests.support.ports import free_port
from tests.support.processes import before_exec

BASE_DIR = Path(__file__).resolve().parent.parent.parent
LOG = Path(os.environ.get("DEMO_LOG", BASE_DIR / "var" / "demo.log"))
"""What the service says; DEMO_LOG names another file, where two demos run at once."""
READY_SECONDS = 180
STOP_SECONDS = 45
CURRENCY = "EUR"
BALANCE_CENTS = 5_000_000
SCOPES = (
    "account:read,ledger:read,hotels:search,hotels:book,flights:search,flights:book,"
    "transfers:search,transfers:book,esim:read,esim:book,webhooks:manage"
)


STUB = "stub"
"""For SUPPLIERS: live keys, and stand-ins of the real suppliers behind them."""


@dataclass(frozen=True)
class Stage:
    partner: Partner
    where: str
    live: bool = False


@contextmanager
def on_live_stage() -> Iterator[Stage]:
    """A service of our own that sells live keys from the suppliers' stand-ins, and a partner with such a key."""
    from tests.demo.stand_ins import RATES, stand_ins  # what few play need not be loaded by all

    with stand_ins(), own_service() as base_url:
        note(manage("load_exchange_rates", "-", told=RATES).strip())
        note(manage("check_suppliers").rstrip().replace("\n", "\n  "))
        yield Stage(Partner(base_url, new_key(live=True)), f"{base_url}, before four stand-ins", live=True)


@contextmanager
def on_stage(port: int) -> Iterator[Stage]:
    """A service with a partner of this run's own. What runs on `port` serves if it knows that partner."""
    running = f"http://127.0.0.1:{port}"
    if is_ready(running) and (partner := known_at(running)):
        yield Stage(partner, f"{running}, which was running")
        return
    with own_service() as base_url:
        yield Stage(
            Partner(base_url, new_key()), f"{base_url}, started for this (log: {os.path.relpath(LOG)})"
        )


def known_at(base_url: str) -> Partner | None:
    """A new partner of this checkout's database, if the service at `base_url` works on the same one."""
    try:
        partner = Partner(base_url, new_key())
        partner.get("/v1/account")
    except Failed:
        return None
    return partner


def new_key(*, live: bool = False) -> str:
    """The test key, or the live one, of a new partner with money and room in its rate limits."""
    answer = manage(
        *("create_partner", "--name", "Demo Travel", "--currency", CURRENCY, "--balance-cents"),
        *(str(BALANCE_CENTS), "--scopes", SCOPES, "--rate", "SEARCH=1000,BOOKING=1000,READ=10000", "--json"),
        *(["--live"] if live else []),
    )
    key: str = json.loads(answer)["liveKey" if live else "testKey"]
    return key


def manage(*arguments: str, told: str = "") -> str:
    """What a management command printed; `told` is its standard input. Raises Failed with its last words.

    Whoever started the service has had the system checked.
    """
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments, "--skip-checks"],
        cwd=BASE_DIR,
        input=told,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        words = (done.stdout + done.stderr).strip()
        raise Failed(f"manage.py {arguments[0]} ended with code {done.returncode}:\n{words}")
    return done.stdout


@contextmanager
def own_service() -> Iterator[str]:
    """`make run` on a free port. It stops with us, whichever way we end."""
    port = free_port()
    base_url = f"http://127.0.0.1:{port}"
    note("Starting the service …")
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.embedded"],
            cwd=BASE_DIR,
            env={"REDIS_TIMEOUT_SECONDS": "2", **os.environ, "HOST": "127.0.0.1", "PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,  # a Ctrl-C is ours to pass on
            preexec_fn=before_exec(signal.SIGTERM),
        )
    try:
        wait_until_ready(base_url, process)
        yield base_url
    finally:
        stop(process)


def wait_until_ready(base_url: str, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + READY_SECONDS
    while not is_ready(base_url):
        if process.poll() is not None or time.monotonic() > give_up:
            last_words = "\n".join(LOG.read_text(errors="replace").splitlines()[-15:])
            raise Failed(f"the service did not start:\n{last_words}")
        time.sleep(0.2)


def stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def is_ready(base_url: str) -> bool:
    """Whether our service, and not something else, answers there."""
    try:
        answer = direct_session().get(f"{base_url}/health/ready", timeout=5)
        return answer.status_code == 200 and answer.json()["status"] in ("ok", "degraded")
    except (requests.RequestException, ValueError, KeyError, TypeError):
        return False
