"""Forward a test partner's events to a local URL."""

import hashlib
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import requests
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.keys.secrets import is_plausible
from apps.webhooks.sender import USER_AGENT
from apps.webhooks.signatures import new_secret, signature_headers

API_SECONDS = 30
Say = Callable[[str], object]


class ListenError(Exception):
    """The API refused; the message is its own."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class Api:
    """Reads as one partner. It waits and retries if the API says so, and if it does not answer."""

    def __init__(self, base_url: str, key: str, say: Say) -> None:
        self._base_url = base_url.rstrip("/")
        self._session = requests.Session()
        self._session.headers["Authorization"] = f"Bearer {key}"
        self._say = say

    def get(self, path: str, **query: object) -> dict[str, Any]:
        """The answer's body. Raises ListenError for a refusal that waiting will not change."""
        while True:
            try:
                answer = self._session.get(
                    f"{self._base_url}{path}",
                    params={name: str(value) for name, value in query.items()},
                    timeout=API_SECONDS,
                )
                if answer.status_code == 200:
                    return dict(answer.json())
            except requests.RequestException:  # no answer, half of one, or a proxy's page
                self._wait("The API does not answer", 5)
                continue
            if answer.status_code != 429 and answer.status_code < 500:
                raise ListenError(_refusal(answer), answer.status_code)
            asked = answer.headers.get("Retry-After", "")  # a proxy may write a date
            self._wait(f"The API answered {answer.status_code}", int(asked) if asked.isdecimal() else 5)

    def _wait(self, why: str, seconds: int) -> None:
        self._say(f"{why}; retrying in {seconds} s.")
        time.sleep(seconds)


def _refusal(answer: requests.Response) -> str:
    try:
        return f"The API answered {answer.status_code}: {answer.json()['error']['message']}"
    except (ValueError, KeyError, TypeError):
        return f"The API answered {answer.status_code}."


@dataclass
class Position:
    """The event after which to continue; None if no event was ever forwarded."""

    path: Path
    after: str | None = None

    @classmethod
    def read(cls, path: Path) -> "Position":
        """The position that `path` contains; an unknown one if there is no such file."""
        if not path.exists():
            return cls(path)
        return cls(path, orjson.loads(path.read_bytes()).get("after"))

    def passed(self, event_id: str) -> None:
        """Note that all is forwarded up to this event. The file is replaced as a whole, so it is never half written."""
        self.after = event_id
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(orjson.dumps({"after": event_id}))
        fresh.replace(self.path)


FORWARD_SECONDS = 10
PAGE = 100
FORGOTTEN = "Some events since the last run are no longer stored; continuing with the oldest."


class ReceiverAway(Exception):
    """The forwarding URL does not answer."""


class Listener:
    """Forwards the events of one key to one URL; `say` prints a line to the partner."""

    def __init__(self, *, api: Api, forward_to: str, secret: str, position: Position, say: Say) -> None:
        self._api = api
        self._forward_to = forward_to
        self._secret = secret
        self._position = position
        self._say = say
        self._session = requests.Session()
        self._session.trust_env = False  # the partner's own machine is not behind its proxy

    def start_now(self) -> None:
        """Without a known position: forward only future events."""
        if self._position.after is None:
            for page in self._pages():
                self._position.passed(page["nextAfter"])

    def catch_up(self) -> int:
        """Forward what is new, oldest first. Returns how many events. After ReceiverAway the next call continues there."""
        count = 0
        for page in self._pages():
            for event in page["data"]:
                self._forward(event)
                self._position.passed(event["id"])
                count += 1
            if page["nextAfter"] != self._position.after:
                self._position.passed(page["nextAfter"])
        return count

    def _pages(self) -> Iterator[dict[str, Any]]:
        """From the position to the end of the feed. Where the position is forgotten, from the oldest event."""
        more = True
        while more:
            after = self._position.after
            query: dict[str, object] = {"limit": PAGE, **({"after": after} if after else {})}
            try:
                page = self._api.get("/v1/events", **query)
            except ListenError as refused:
                if refused.status != 410:
                    raise
                self._say(FORGOTTEN)
                self._position.after = None
                continue
            yield page
            more = page["hasMore"]

    def _forward(self, event: dict[str, Any]) -> None:
        body = orjson.dumps(event)
        headers = signature_headers(
            event_id=event["id"],
            timestamp=int(time.time()),  # there is no database here whose clock it could be
            body=body,
            signing_secrets=[self._secret],
        )
        headers |= {"Content-Type": "application/json", "User-Agent": USER_AGENT}
        try:
            answer = self._session.post(
                self._forward_to, data=body, headers=headers, timeout=FORWARD_SECONDS, allow_redirects=False
            )
        except requests.ConnectionError:
            raise ReceiverAway from None
        except requests.RequestException as failure:
            self._say(f"{event['type']} {event['id']} → {type(failure).__name__}")
            return
        self._say(f"{event['type']} {event['id']} → {answer.status_code}")


POLL_SECONDS = 2.0


class Command(BaseCommand):
    help = (
        "Forward a test partner's events to a local URL, each once and signed as a webhook, starting with those it "
        "missed. Needs the API, but no database. The key needs webhooks:manage."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--key", required=True, help="svc_test_…")
        parser.add_argument("--forward-to", required=True, help="http://localhost:3000/hooks")
        parser.add_argument("--api", default=settings.PUBLIC_BASE_URL, help="address of the service")
        parser.add_argument("--secret", default="", help="whsec_… to sign with; default: a new one")
        parser.add_argument(
            "--all", action="store_true", help="on the first start, forward past events as well"
        )
        parser.add_argument("--once", action="store_true", help="forward what is due, then exit")
        parser.add_argument(
            "--position", type=Path, help="file that stores the position; default: one under var/"
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
                    self.stdout.write("The forwarding URL does not answer yet; no event is lost.")
                waiting = True
            if once:
                return
            self._stop.wait(POLL_SECONDS)


def _position_path(key: str, forward_to: str) -> Path:
    """One file for each key and URL, named without showing either."""
    name = hashlib.sha256(f"{key} {forward_to}".encode()).hexdigest()[:16]
    return Path(settings.BASE_DIR) / "var" / "listen" / f"{name}.json"
