"""Forward a test partner's deliveries to a URL of one's own machine: what `manage.py listen` does.

It reads the partner's deliveries through the public API, so it runs anywhere, and passes each event on once with
fresh signatures of a secret that is the listener's own. Where it stopped is kept in a file; what happened
meanwhile is forwarded when it starts again.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import requests

from apps.webhooks.models import EndpointStatus
from apps.webhooks.sender.client import USER_AGENT
from apps.webhooks.signatures import signature_headers

# Deliveries that were committed a little later than their time says are still found.
LOOK_BACK = timedelta(seconds=60)
THE_BEGINNING = datetime(1970, 1, 2, tzinfo=UTC)  # the position of a key that has no deliveries yet
FORWARD_SECONDS = 10
API_SECONDS = 30
PAGE = 100
NO_ENDPOINT = (
    "No webhook endpoint is enabled, so there is nothing to forward. Register one (POST /v1/webhooks/endpoints) "
    'or enable yours (PATCH /v1/webhooks/endpoints/{id}, {"status": "enabled"}); still listening.'
)

Say = Callable[[str], object]


class ListenError(Exception):
    """The API refused, in its own words."""


class ReceiverAway(Exception):
    """Nobody answers at the forwarding URL."""


@dataclass
class Position:
    """How far a key's deliveries were forwarded: the newest time, and the events around it."""

    path: Path
    newest: datetime | None = None
    seen: dict[str, datetime] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Position":
        """As kept in `path`; an unknown one where there is no such file."""
        if not path.exists():
            return cls(path)
        kept = orjson.loads(path.read_bytes())
        seen = {event_id: datetime.fromisoformat(at) for event_id, at in kept["seen"].items()}
        return cls(path, datetime.fromisoformat(kept["newest"]), seen)

    def is_before(self, instant: datetime) -> bool:
        """Whether a delivery of `instant` may still have to be forwarded."""
        return self.newest is None or instant > self.newest - LOOK_BACK

    def passed(self, event_id: str, instant: datetime) -> None:
        """Note that the event was forwarded, and keep it: the file is replaced whole, never half written."""
        self.seen[event_id] = instant
        self.start_at(max(self.newest or instant, instant))

    def start_at(self, newest: datetime) -> None:
        self.newest = newest
        self.seen = {id: at for id, at in self.seen.items() if at > newest - LOOK_BACK}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_bytes(orjson.dumps({"newest": self.newest, "seen": self.seen}))
        fresh.replace(self.path)


class Api:
    """The partner's API, as far as listening needs it. Waits where it is told to, and where nobody answers."""

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
            except requests.RequestException:
                self._wait("The API does not answer", 5)
                continue
            if answer.status_code == 200:
                return dict(answer.json())
            if answer.status_code != 429 and answer.status_code < 500:
                raise ListenError(_refusal(answer))
            self._wait(f"The API answered {answer.status_code}", int(answer.headers.get("Retry-After", 5)))

    def _wait(self, why: str, seconds: int) -> None:
        self._say(f"{why}; again in {seconds} s.")
        time.sleep(seconds)


class Listener:
    """One key's deliveries, passed on to one URL."""

    def __init__(self, *, api: Api, forward_to: str, secret: str, position: Position, say: Say) -> None:
        self._api = api
        self._forward_to = forward_to
        self._secret = secret
        self._position = position
        self._say = say
        self._session = requests.Session()
        self._session.trust_env = False  # the partner's own machine is not behind its proxy
        self._silent = False

    def start_now(self) -> None:
        """Without a known position: forward what happens from here on."""
        if self._position.newest is not None:
            return
        newest = self._api.get("/v1/webhooks/deliveries", limit=1)["data"]
        if not newest:
            self._position.start_at(THE_BEGINNING)
            return
        self._position.seen = {
            delivery["eventId"]: _instant(delivery) for delivery in self._recent(newest[0])
        }
        self._position.start_at(_instant(newest[0]))

    def look_for_endpoints(self) -> None:
        """Say once that none is enabled, until one is: the deliveries that are forwarded are those to enabled ones."""
        endpoints = self._api.get("/v1/webhooks/endpoints", limit=PAGE)["data"]  # there are 20 at most
        silent = all(endpoint["status"] != EndpointStatus.ENABLED for endpoint in endpoints)
        if silent and not self._silent:
            self._say(NO_ENDPOINT)
        self._silent = silent

    def catch_up(self) -> int:
        """Forward what is new, oldest first; how many. Raises ReceiverAway, and goes on there the next time."""
        new = {delivery["eventId"]: delivery for delivery in self._new_deliveries()}
        for event_id, delivery in reversed(new.items()):
            self._forward(self._api.get(f"/v1/webhooks/deliveries/{delivery['id']}"))
            self._position.passed(event_id, _instant(delivery))
        return len(new)

    def _recent(self, newest: dict[str, Any]) -> Iterator[dict[str, Any]]:
        until = _instant(newest) - LOOK_BACK
        for delivery in self._deliveries():
            if _instant(delivery) <= until:
                return
            yield delivery

    def _new_deliveries(self) -> Iterator[dict[str, Any]]:
        """Newest first, down to the position; those of an event that went to several endpoints, all of them."""
        for delivery in self._deliveries():
            if not self._position.is_before(_instant(delivery)):
                return
            if delivery["eventId"] not in self._position.seen:
                yield delivery

    def _deliveries(self) -> Iterator[dict[str, Any]]:
        query: dict[str, object] = {"limit": PAGE}
        while True:
            page = self._api.get("/v1/webhooks/deliveries", **query)
            yield from page["data"]
            if not page["hasMore"]:
                return
            query["cursor"] = page["nextCursor"]

    def _forward(self, delivery: dict[str, Any]) -> None:
        body = orjson.dumps(delivery["payload"])
        headers = signature_headers(
            event_id=delivery["eventId"],
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
            self._say(f"{delivery['eventType']} {delivery['eventId']} → {type(failure).__name__}")
            return
        self._say(f"{delivery['eventType']} {delivery['eventId']} → {answer.status_code}")


def _instant(delivery: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(delivery["createdAt"])


def _refusal(answer: requests.Response) -> str:
    try:
        return f"The API answered {answer.status_code}: {answer.json()['error']['message']}"
    except (ValueError, KeyError, TypeError):
        return f"The API answered {answer.status_code}."
