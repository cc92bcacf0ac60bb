"""Partners who order and read through nginx without a pause, each order once, and insist on a final answer."""

import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from typing import NamedTuple

from tests.chaos.persistence import PatientShop
from tests.support.api import Reply
from tests.support.stack import HttpApi, NoAnswer

BUYERS, READERS = 4, 2
INSIST_SECONDS = 120
PAUSE_SECONDS = 0.1
LONGEST_SECONDS = 180


class Call(NamedTuple):
    """One call. `status` is 0 where no answer came; `words` is the order's id, or the error's type."""

    began: float
    ended: float
    status: int
    words: str
    kind: str

    @property
    def failed(self) -> bool:
        return self.status == 0 or self.status >= 500


class Load:
    """Runs from `with` to its end. Readers read `paths` in turn. `calls` holds every call, those that were repeated as well."""

    def __init__(self, url: str, secret: str, paths: Sequence[str] = ("/v1/account",)) -> None:
        self.api = HttpApi(url, secret)
        self.paths = paths
        self.shop = PatientShop(self.api)
        self.offer = self.shop.offer()
        self.calls: list[Call] = []
        self.acknowledged: dict[str, str] = {}
        """The order's id by its Idempotency-Key."""
        self.unanswered: list[str] = []
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._buy, daemon=True) for _ in range(BUYERS)]
        self._threads += [threading.Thread(target=self._read, daemon=True) for _ in range(READERS)]

    def __enter__(self) -> "Load":
        for thread in self._threads:
            thread.start()
        self.wait_until(lambda: len(self.acknowledged) >= 2 * BUYERS)
        return self

    def __exit__(self, *error: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_until(self, holds: Callable[[], bool]) -> None:
        give_up = time.monotonic() + LONGEST_SECONDS
        while not holds():
            assert time.monotonic() < give_up, self.statuses()
            time.sleep(0.02)

    def wait_until_served(self, since: float) -> float:
        """Until both groups and every buyer are served again. Returns when the first order had succeeded that began later."""
        self.wait_until(lambda: len(self._served(since)) >= 4 * BUYERS)
        return min(self._served(since))

    def go_on(self, seconds: float) -> None:
        time.sleep(seconds)

    def statuses(self, kind: str = "", since: float = 0, until: float = float("inf")) -> Counter[str]:
        """How many calls that began in between were answered how: `503 upstream_unavailable`, `no answer`."""
        chosen = [c for c in self.calls if kind in ("", c.kind) and since <= c.began < until]
        return Counter(
            "no answer" if c.status == 0 else str(c.status) if c.status < 400 else f"{c.status} {c.words}"
            for c in chosen
        )

    def failed(self, kind: str = "") -> int:
        return sum(call.failed for call in self.calls if kind in ("", call.kind))

    def _served(self, since: float) -> list[float]:
        return [
            c.ended for c in list(self.calls) if c.kind == "order" and c.began > since and c.status == 201
        ]

    def _buy(self) -> None:
        while not self._stop.is_set():
            self._order(f"rehearsal-{secrets.token_hex(8)}")
            time.sleep(PAUSE_SECONDS)

    def _order(self, key: str) -> None:
        """Until there is a final answer; the same key each time."""
        give_up = time.monotonic() + INSIST_SECONDS
        while time.monotonic() < give_up:
            status, words = self._call(
                "order", lambda: self.shop.order(self.offer, key, externalReference=key)
            )
            if status == 201:
                self.acknowledged[key] = words
                return
            # 429: the web process had as many calls of the account as it takes at once, and began nothing.
            if status and status < 500 and status != 429 and words != "idempotency_key_in_progress":
                self.unanswered.append(f"{key}: {status} {words}")
                return
            time.sleep(PAUSE_SECONDS)
        self.unanswered.append(f"{key}: no final answer")

    def _read(self) -> None:
        for path in cycle(self.paths):
            if self._stop.is_set():
                return
            self._call("read", partial(self.api.get, path))
            time.sleep(PAUSE_SECONDS)

    def _call(self, kind: str, send: Callable[[], Reply]) -> tuple[int, str]:
        began = time.monotonic()
        try:
            reply = send()
        except NoAnswer as lost:
            status, words = 0, str(lost)
        else:
            body = reply.body if isinstance(reply.body, dict) else {}
            status, words = reply.status, str(body.get("id") or reply.error_type)
        self.calls.append(Call(began, time.monotonic(), status, words, kind))
        return status, words
