"""A partner who lost an answer: asks GET /v1/operations, and does blindly what `next` says, until nothing is left to do.

Each answer on the way is held against the judge's books: what was told must have been true when it was told.
"""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from django.db import connection

from apps.bookings.models import OPEN_STATES, Operation
from apps.gateway.models import IdempotencyRecord
from tests.chaos.persistence import GIVE_UP_SECONDS
from tests.judge.process import Judge
from tests.support.api import Reply
from tests.support.stack import HttpApi, NoAnswer

LONGEST_PAUSE = 0.3
"""Seconds: to ask sooner than `afterSeconds` says does no harm, and sees more states."""
OPEN_ENDED = ("running", "unknown")


@dataclass(frozen=True)
class Facts:
    """What is really so, apart from what is told: read from the judge, and from rows."""

    made: frozenset[str]
    """Which of our references the supplier has something under."""
    references: frozenset[str]
    """Those of the operations that began under the key."""
    is_open: bool
    look_ups: int

    @property
    def stands(self) -> bool:
        return bool(self.made & self.references)


def facts_of(judge: Judge, key: str) -> Facts:
    """The judge is asked first: the operation of what it has made is among the rows."""
    made = frozenset(judge.written())
    record_ids = IdempotencyRecord.objects.filter(key=key).values("pk")
    operations = list(Operation.objects.filter(idempotency_record_id__in=record_ids))
    return Facts(
        made,
        frozenset(operation.client_ref for operation in operations),
        any(operation.state in OPEN_STATES for operation in operations),
        sum(operation.lookups for operation in operations),
    )


@dataclass
class Followed:
    """How one partner's request ended, what was told on the way, and what of that was wrong."""

    keys: list[str]
    told: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    """`unknown` after the look-up that had told it."""
    asked: int = 0
    booking: dict[str, Any] | None = None
    seconds: float = 0.0


@dataclass
class Follower:
    """`send` makes the request with a key. `watches`: does nothing itself before its state is known."""

    api: HttpApi
    judge: Judge
    send: Callable[[str], Reply]
    key: str
    watches: bool = False
    _seen: dict[str, tuple[bool, int]] = field(default_factory=dict)
    """By key: whether the supplier was seen to have it, and how many look-ups had ended by then."""

    def follow(self) -> Followed:
        """Send once, and then only what `next` says."""
        found, began = Followed([self.key]), time.monotonic()
        try:
            self.try_to_send(self.key)
            while not self.took_next_step(found):
                assert time.monotonic() - began < GIVE_UP_SECONDS, f"{self.key}: {found.told[-9:]}"
            found.seconds = time.monotonic() - began
            return found
        finally:
            connection.close()

    def took_next_step(self, found: Followed) -> bool:
        """Ask, and do as told. Returns whether nothing is left to do."""
        key = found.keys[-1]
        told = self.ask(found, key)
        if told is None:
            time.sleep(LONGEST_PAUSE)
            return False
        action = told["next"]["action"]
        watching = self.watches and told["state"] in OPEN_ENDED
        if action == "wait" or watching:
            time.sleep(min(LONGEST_PAUSE, told["next"]["afterSeconds"] or LONGEST_PAUSE))
        elif action == "retry_same_key":
            self.try_to_send(key)
        elif action == "use_new_key":
            found.keys.append(f"{key}-again")
            self.try_to_send(found.keys[-1])
        else:
            found.booking = told["booking"]
            return True
        return False

    def ask(self, found: Followed, key: str) -> dict[str, Any] | None:
        """What is told now, compared with what is so. None where there was no answer: the process was hit."""
        before = facts_of(self.judge, key)
        try:
            reply = self.api.get(f"/v1/operations?idempotencyKey={quote(key)}")
        except NoAnswer:
            return None
        if reply.status >= 500:  # no turn came: so few processes are left
            return None
        after = facts_of(self.judge, key)
        assert reply.status == 200, reply.body
        told: dict[str, Any] = reply.body
        found.asked += 1
        found.told.append(f"{told['state']}, {told['next']['action']}")
        found.wrong += [f"{key} {found.told[-1]}: {fault}" for fault in faults(told, before, after)]
        if told["state"] == "unknown" and self.was_found(key, before):
            found.late.append(f"{key} {found.told[-1]}")
        return told

    def was_found(self, key: str, before: Facts) -> bool:
        """Whether a look-up has ended since the supplier was seen to have it."""
        had_it, look_ups = self._seen.get(key, (False, before.look_ups))
        self._seen[key] = (before.stands, before.look_ups if not had_it else look_ups)
        return had_it and before.look_ups > look_ups

    def try_to_send(self, key: str) -> None:
        """Whatever comes of it: the outcome is asked for in any case."""
        with contextlib.suppress(NoAnswer):
            self.send(key)


def faults(told: dict[str, Any], before: Facts, after: Facts) -> Iterator[str]:
    """What was told, and was not so at any moment between the two looks at the facts."""
    state, action = told["state"], told["next"]["action"]
    if state == "done" and not after.stands:
        yield "the supplier has nothing"
    if state in ("failed", "not_seen") and before.stands:
        yield "the supplier has it"
    if state == "not_seen" and before.references:
        yield "an operation had begun"
    if state == "unknown" and not (before.is_open or after.is_open):
        yield "no operation is open"
    if action in ("use_new_key", "none") and (before.stands or before.is_open):
        yield "it may yet stand"
    if state == "done" and told["booking"] is None:
        yield "no booking is named"


def all_follow(followers: Iterable[Follower]) -> list[Followed]:
    """Many such partners at once."""
    followers = list(followers)
    with ThreadPoolExecutor(len(followers)) as pool:
        return list(pool.map(Follower.follow, followers))
