"""`make run`: services, migrations, a demo partner, the Procfile; then says where everything is."""

import json
import os
import re
import socket
import sys
import threading
import time
import urllib.request
import uuid
import warnings
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from honcho.environ import parse_procfile

from config.embedded import preloaded
from config.embedded.commands import output_of
from config.embedded.environment import prepare_environment
from config.embedded.sharing import BASE_DIR
from config.embedded.supervisor import Supervisor

READY_SECONDS = 120
FIRST = (  # migrating looks through everything for mistakes, which need not be looked for three times
    ("migrate", "--no-input", "--verbosity", "0"),
    ("sync_esim_plans", "--skip-checks"),
    ("demo_partner", "--json", "--skip-checks"),
)
# Celery says it in six lines each time; on a developer's machine, or in a container, root is what there is.
SAID_ONCE = "You're running the worker with superuser privileges"


def main() -> int:
    host, port = os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))
    if problem := _cannot_listen(host, port):
        print(f"error: {problem}", file=sys.stderr)
        return 1
    supervisor = Supervisor(_procfile(), preloaded=True)  # from now on it knows its parent
    print("Preparing PostgreSQL, Redis and the database …", flush=True)
    prepare_environment()
    _load()
    partner: dict[str, str] = json.loads(output_of(*FIRST))
    base_url = f"http://{host}:{port}"
    print("Starting web, workers and beat …", flush=True)
    ready = Readiness(f"{base_url}/health/ready", lambda: _welcome(base_url, partner))
    try:
        return supervisor.run(_environment(), ready.tick)
    except preloaded.Born as born:
        words = born.words
    preloaded.run_line(words)
    return 0


def _cannot_listen(host: str, port: int) -> str:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return (
                f"cannot listen on {host}:{port} ({error.strerror}). Choose another port: make run PORT=8001"
            )
    return ""


def _procfile() -> dict[str, str]:
    return dict(parse_procfile((BASE_DIR / "Procfile").read_text()).processes)


def _environment() -> dict[str, str]:
    """Ours, with the programs of this virtual environment first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {"PYTHONWARNINGS": f"ignore:{SAID_ONCE}", **os.environ, "PATH": path}


def _load() -> None:
    warnings.filterwarnings("ignore", re.escape(SAID_ONCE))
    preloaded.load()


class Readiness:
    """Announces once that the address answers. The asking is a thread's, started after the processes are."""

    def __init__(self, url: str, announce: Callable[[], None]) -> None:
        self.url, self.announce = url, announce
        self.asking: threading.Thread | None = None
        self.answered = threading.Event()
        self.announced = False

    def tick(self) -> None:
        if self.asking is None:
            self.asking = threading.Thread(target=self._ask, daemon=True)
            self.asking.start()
        if self.answered.is_set() and not self.announced:
            self.announced = True
            self.announce()

    def _ask(self) -> None:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        give_up = time.monotonic() + READY_SECONDS
        while not self.answered.is_set() and time.monotonic() < give_up:
            try:
                with opener.open(self.url, timeout=5):
                    self.answered.set()
            except OSError:
                time.sleep(0.1)
        if not self.answered.is_set():
            print(f"{self.url} has not answered within {READY_SECONDS} s", file=sys.stderr)


def _welcome(base_url: str, partner: dict[str, str]) -> None:
    departure = (datetime.now(UTC) + timedelta(days=60)).date().isoformat()
    search = json.dumps({"origin": "LHR", "destination": "JFK", "departureDate": departure})
    print(
        f"""
Travel Partner API is ready. On this machine alone: in production nginx or Caddy stands in front (deploy/).

  API       {base_url}/v1
  Document  {base_url}/v1/openapi.json
  Test key  {partner["testKey"]}
  Docs      {base_url}/docs/
  Portal    {base_url}/portal/
  Staff     {base_url}/admin/  (manage.py createsuperuser makes the first of them)
  Log in    {partner["portalEmail"]}  {partner["portalPassword"]}

A flight search to try (Ctrl-C stops everything):

curl {base_url}/v1/flights/searches -H 'Authorization: Bearer {partner["testKey"]}' \
-H 'Idempotency-Key: {uuid.uuid4()}' -H 'Content-Type: application/json' -d '{search}'
""",
        flush=True,
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:  # while it prepared
        sys.exit(130)
