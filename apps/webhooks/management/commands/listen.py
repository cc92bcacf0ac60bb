import hashlib
import signal
import threading
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.keys.secrets import is_plausible
from apps.webhooks.listening.api import Api, ListenError
from apps.webhooks.listening.listener import Listener, ReceiverAway
from apps.webhooks.listening.position import Position
from apps.webhooks.signatures import new_secret

POLL_SECONDS = 2.0


class Command(BaseCommand):
    help = (
        "Forward a test partner's events to a local URL, each once and signed as a webhook, and catch up what "
        "it missed. Needs the API alone, no database; the key needs webhooks:manage."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--key", required=True, help="svc_test_…")
        parser.add_argument("--forward-to", required=True, help="http://localhost:3000/hooks")
        parser.add_argument("--api", default=settings.PUBLIC_BASE_URL, help="where the service is")
        parser.add_argument("--secret", default="", help="whsec_… to sign with; a new one where not given")
        parser.add_argument("--all", action="store_true", help="at the first start, forward the past as well")
        parser.add_argument("--once", action="store_true", help="catch up, then end")
        parser.add_argument(
            "--position", type=Path, help="the file that keeps the position; by default one under var/"
        )

    def handle(self, *, key: str, forward_to: str, api: str, once: bool, **options: Any) -> None:
        if not (key.startswith("svc_test_") and is_plausible(key)):
            raise CommandError("--key must be a test key (svc_test_…).")
        secret = options["secret"] or new_secret()
        listener = Listener(
            api=Api(api, key, self.stdout.write),
            forward_to=forward_to,
            secret=secret,
            position=Position.read(options["position"] or _position_path(key, forward_to)),
            say=self.stdout.write,
        )
        self._stop = threading.Event()
        if not once:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: self._stop.set())
        self.stdout.write(f"Forwarding to {forward_to}, signed with {secret}")
        try:
            if not options["all"]:
                listener.start_now()
            self._listen(listener, once=once)
        except ListenError as refused:
            raise CommandError(str(refused)) from None
        if not once:
            self.stdout.write("Stopped.")

    def _listen(self, listener: Listener, *, once: bool) -> None:
        waiting = False
        while not self._stop.is_set():
            try:
                listener.catch_up()
                waiting = False
            except ReceiverAway:
                if not waiting:
                    self.stdout.write("Nobody answers there yet; nothing is lost.")
                waiting = True
            if once:
                return
            self._stop.wait(POLL_SECONDS)


def _position_path(key: str, forward_to: str) -> Path:
    """One file for each key and URL, named without showing either."""
    name = hashlib.sha256(f"{key} {forward_to}".encode()).hexdigest()[:16]
    return Path(settings.BASE_DIR) / "var" / "listen" / f"{name}.json"
