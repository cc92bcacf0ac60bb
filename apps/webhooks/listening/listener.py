"""One key's events, passed on to one URL."""

import time
from collections.abc import Iterator
from typing import Any

import orjson
import requests

from apps.webhooks.listening.api import Api, ListenError, Say
from apps.webhooks.listening.position import Position
from apps.webhooks.sender.client import USER_AGENT
from apps.webhooks.signatures import signature_headers

FORWARD_SECONDS = 10
PAGE = 100
FORGOTTEN = "What happened since the last time is no longer all there; going on with the oldest event."


class ReceiverAway(Exception):
    """Nobody answers at the forwarding URL."""


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
        """Where no position is known: forward only what happens from now on."""
        if self._position.after is None:
            for page in self._pages():
                self._position.passed(page["nextAfter"])

    def catch_up(self) -> int:
        """Forward what is new, oldest first. Returns how many events. After ReceiverAway the next call goes on from there."""
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
