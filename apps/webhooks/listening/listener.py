"""One key's deliveries, passed on to one URL."""

import time
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import orjson
import requests

from apps.webhooks.listening.api import Api, Say
from apps.webhooks.listening.position import LOOK_BACK, THE_BEGINNING, Position
from apps.webhooks.models import EndpointStatus
from apps.webhooks.sender.client import USER_AGENT
from apps.webhooks.signatures import signature_headers

FORWARD_SECONDS = 10
PAGE = 100
NO_ENDPOINT = (
    "No webhook endpoint is enabled, so there is nothing to forward. Register one (POST /v1/webhooks/endpoints) "
    'or enable yours (PATCH /v1/webhooks/endpoints/{id}, {"status": "enabled"}); still listening.'
)


class ReceiverAway(Exception):
    """Nobody answers at the forwarding URL."""


class Listener:
    """Forwards the deliveries of one key to one URL; `say` prints a line to the partner."""

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
        """Where no position is known: forward only what happens from now on."""
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
        """Say once that no endpoint is enabled: only deliveries to enabled endpoints can be forwarded."""
        endpoints = self._api.get("/v1/webhooks/endpoints", limit=PAGE)["data"]  # there are 20 at most
        silent = all(endpoint["status"] != EndpointStatus.ENABLED for endpoint in endpoints)
        if silent and not self._silent:
            self._say(NO_ENDPOINT)
        self._silent = silent

    def catch_up(self) -> int:
        """Forward what is new, oldest first. Returns how many events. After ReceiverAway the next call goes on from there."""
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
        """Newest first, down to the position. An event that went to several endpoints comes once for each."""
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
