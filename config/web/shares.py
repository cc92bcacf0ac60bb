"""Shares of a process's threads: nobody holds so many that the others wait (docs/web-server.md has the figures).

A call that finds its share taken waits outside the threads, in its turn; where too many of its kind wait already it is
refused at once. Turns go to live before test before unknown, and then to whoever holds the fewest threads.
"""

import math
import threading
import time
from collections import OrderedDict, deque
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple
from urllib.parse import unquote

WAIT_SECONDS = 10.0
"""How long a call waits for its turn at most."""
WAITING_OF_PROCESS = 256
MAX_KNOWN_KEYS = 10_000


DEAR_SECONDS = 0.02
"""Of the processor: about two usual searches."""
MAX_KNOWN_COSTS = 10_000
CallKind = tuple[str, str, str]
"""Holder, method, path."""


class Kind(IntEnum):
    """What is called, and for whom as far as that is known before the key is checked. A lower one is served first."""

    PROBE = 0
    LIVE = 1
    TEST = 2
    UNKNOWN = 3
    """A call of /v1 whose key has not been accepted by this process before."""
    PAGE = 4

    __hash__ = (
        int.__hash__
    )  # that of an enumeration is written in Python, and every call looks its kind up a dozen times


class Holder(NamedTuple):
    """Who holds threads: an account's environment, or the address of a caller who is not known."""

    kind: Kind
    name: str


class Refused(Exception):
    """The share is taken and too many wait for it."""

    def __init__(self, *, whole_process: bool) -> None:
        super().__init__()
        self.whole_process = whole_process


Line = tuple[Holder, bool]
"""Whose calls wait for their turn, and whether they are dear ones."""


@dataclass(slots=True)
class Ticket:
    """A call's place. The gateway writes down in it whose key was accepted."""

    holder: Holder
    job: Any
    dear: bool = False
    """It computes for long: threads of a process compute one at a time, so that a process runs one such call at a time."""
    token: int | None = None
    """The key's number in `KnownKeys`."""
    address: str = ""
    """Where the call comes from: the caller's, and not that of a proxy in front."""
    computes: bool = True
    """Until it waits for a supplier."""
    since: float = field(default_factory=time.monotonic)
    called: bool = False
    """`relieve` took it out of its line: it goes before those who wait there."""

    account: tuple[str, str] | None = None
    """(account id, environment) of the accepted key."""
    unanswered: bool = False
    """The connection ends without an answer: the sandbox was asked to lose it."""

    @property
    def line(self) -> Line:
        """Where it waits: a holder's dear calls do not keep its other ones waiting."""
        return self.holder, self.dear


class Shares:
    """Places of one process with `threads` threads for /v1. Pages and probes have threads beside them."""

    def __init__(self, threads: int) -> None:
        quarter = max(1, threads // 4)
        self.pages = max(2, threads // 2)
        self.probes = 3
        """One for each probe at a time: two that hang with the database leave one for `/health`."""
        self.spare = 1
        """Threads that no call may hold: one reads, refuses and accepts, whatever happens."""
        self.threads = threads
        self._of_kind = {
            Kind.PROBE: self.probes,
            Kind.LIVE: threads,
            Kind.TEST: max(1, threads - quarter),
            Kind.UNKNOWN: quarter,
            Kind.PAGE: self.pages,
        }
        half = max(1, math.ceil(threads / 2))
        self._of_holder = {
            Kind.PROBE: 1,
            Kind.LIVE: half,
            Kind.TEST: half,
            Kind.UNKNOWN: max(1, quarter // 2),
            Kind.PAGE: quarter,
        }
        self._computing_of_holder = max(2, quarter)
        """Threads of a process compute one at a time: more of one holder's would only slow down the others'."""
        self._waiting_of_holder = {
            Kind.PROBE: 16,
            Kind.LIVE: 4 * threads,
            Kind.TEST: 4 * threads,
            Kind.UNKNOWN: 8 * threads,
            Kind.PAGE: 2 * threads,
        }
        self._lock = threading.Lock()
        self._running: dict[Holder, int] = {}
        self._running_of_kind = dict.fromkeys(Kind, 0)
        self._computing: dict[Holder, int] = {}
        self._waiting: dict[Line, deque[Ticket]] = {}
        """By whose turn it is: a line that had one goes to the end."""
        self._waits = 0
        self._dear = False

    @property
    def all_threads(self) -> int:
        """How many threads the process needs for all places."""
        return self.threads + self.pages + self.probes + self.spare

    def enter(self, ticket: Ticket) -> bool:
        """True: run it now, then `leave`. False: it waits, and somebody's `leave` will return it. Raises Refused."""
        line = ticket.line
        with self._lock:
            if (ticket.called or line not in self._waiting) and self._has_place(ticket):
                self._take(ticket)
                return True
            if not ticket.called:
                self._refuse_too_many(line)
            queue = self._waiting.setdefault(line, deque())
            if ticket.called:
                queue.appendleft(ticket)
            else:
                queue.append(ticket)
            self._waits += 1
            return False

    def leave(self, ticket: Ticket) -> Ticket | None:
        """Give the place back. The ticket returned has a place now: run it."""
        holder = ticket.holder
        with self._lock:
            self._stop_computing(ticket)
            self._running_of_kind[holder.kind] -= 1
            count_down(self._running, holder)
            return self._next() if self._waits else None

    def relieve(self, ticket: Ticket) -> Ticket | None:
        """A running call is about to wait for a supplier. Takes out the next that waits, to `enter` again as `called`."""
        if not ticket.computes:
            return None
        with self._lock:
            self._stop_computing(ticket)
            line = self._next_line() if self._waits else None
            return None if line is None else self._first_of(line)

    def expired(self, now: float) -> list[Ticket]:
        """Take out what has waited too long."""
        late: list[Ticket] = []
        if not self._waits:
            return late
        with self._lock:
            for line in list(self._waiting):
                queue = self._waiting[line]
                while queue and queue[0].since + WAIT_SECONDS < now:
                    late.append(queue.popleft())
                    self._waits -= 1
                if not queue:
                    del self._waiting[line]
        return late

    def recalled(self, token: int) -> list[Ticket]:
        """Take out what waits under a key that has just become known: it has the share of an account now."""
        found: list[Ticket] = []
        if not self._waits:
            return found
        with self._lock:
            for line in [one for one in self._waiting if one[0].kind is Kind.UNKNOWN]:
                queue = self._waiting.pop(line)
                found += [ticket for ticket in queue if ticket.token == token]
                if rest := deque(ticket for ticket in queue if ticket.token != token):
                    self._waiting[line] = rest
            self._waits -= len(found)
        return found

    @property
    def idle(self) -> bool:
        """Whether nothing runs and nothing waits."""
        return not self._running and not self._waits

    def _refuse_too_many(self, line: Line) -> None:
        if self._waits >= WAITING_OF_PROCESS:
            raise Refused(whole_process=True)
        if len(self._waiting.get(line, ())) >= self._waiting_of_holder[line[0].kind]:
            raise Refused(whole_process=False)

    def _next(self) -> Ticket | None:
        line = self._next_line()
        if line is None:
            return None
        ticket = self._first_of(line)
        self._take(ticket)
        return ticket

    def _next_line(self) -> Line | None:
        """Live before test before unknown, then who holds the fewest threads, then whose turn is the longest ago."""
        able = [line for line, queue in self._waiting.items() if self._has_place(queue[0])]
        return min(able, key=lambda one: (one[0].kind, self._running.get(one[0], 0)), default=None)

    def _first_of(self, line: Line) -> Ticket:
        queue = self._waiting.pop(line)
        ticket = queue.popleft()
        if queue:
            self._waiting[line] = queue
        self._waits -= 1
        return ticket

    def _has_place(self, ticket: Ticket) -> bool:
        holder, kind = ticket.holder, ticket.holder.kind
        if ticket.dear and self._dear:
            return False
        if self._running_of_kind[kind] >= self._of_kind[kind]:
            return False
        if self._running.get(holder, 0) >= self._of_holder[kind]:
            return False
        if self._computing.get(holder, 0) >= self._computing_of_holder:
            return False
        if kind in (Kind.PROBE, Kind.PAGE):
            return True
        busy = self._running_of_kind
        return busy[Kind.LIVE] + busy[Kind.TEST] + busy[Kind.UNKNOWN] < self.threads

    def _take(self, ticket: Ticket) -> None:
        holder = ticket.holder
        self._dear = self._dear or ticket.dear
        self._running[holder] = self._running.get(holder, 0) + 1
        self._running_of_kind[holder.kind] += 1
        self._computing[holder] = self._computing.get(holder, 0) + 1

    def _stop_computing(self, ticket: Ticket) -> None:
        if ticket.computes:
            ticket.computes = False
            self._dear = self._dear and not ticket.dear
            count_down(self._computing, ticket.holder)


def count_down(counts: dict[Holder, int], holder: Holder) -> None:
    """One less; who has none left is forgotten."""
    if counts[holder] > 1:
        counts[holder] -= 1
    else:
        del counts[holder]


class Costs:
    """How long the threads that carried out calls of one kind computed: of each holder, method and path."""

    def __init__(self, most: int = MAX_KNOWN_COSTS) -> None:
        self._seconds: OrderedDict[CallKind, float] = OrderedDict()
        self._most = most
        self._lock = threading.Lock()

    def is_dear(self, kind: CallKind) -> bool:
        """Whether such calls take long, as far as this process knows."""
        return self._seconds.get(kind, 0.0) > DEAR_SECONDS

    def note(self, kind: CallKind, seconds: float) -> None:
        """Count the processor's `seconds` of one more call; the last few say most."""
        with self._lock:
            known = self._seconds.pop(kind, seconds)
            self._seconds[kind] = (known + seconds) / 2
            if len(self._seconds) > self._most:
                self._seconds.popitem(last=False)


class KnownKeys:
    """Whose key a token is, as this process has seen it accepted. Says nothing of what the key may do."""

    def __init__(self, most: int = MAX_KNOWN_KEYS) -> None:
        self._accounts: OrderedDict[int, tuple[str, str]] = OrderedDict()
        self._most = most
        self._lock = threading.Lock()

    def get(self, token: int) -> tuple[str, str] | None:
        return self._accounts.get(token)

    def learn(self, token: int, account: tuple[str, str]) -> bool:
        """Whether this is news."""
        if self._accounts.get(token) == account:
            return False
        with self._lock:
            self._accounts[token] = account
            if len(self._accounts) > self._most:
                self._accounts.popitem(last=False)
        return True


def holder_of(path: str, authorization: str, address: str, known: KnownKeys) -> tuple[Holder, int | None]:
    """Who calls, before anything is looked up, and the token's number in `known`. `path` may be percent-encoded."""
    if "%" in path:
        path = unquote(path)
    if path in ("/health", "/health/ready", "/health/full", "/v1/ping"):
        return Holder(Kind.PROBE, path), None
    if path == "/metrics":  # it reads much the same
        return Holder(Kind.PROBE, "/health/full"), None
    if not path.startswith(("/v1/", "/sandbox/")):
        return Holder(Kind.PAGE, address), None
    token = hash(authorization) if authorization else None
    account = known.get(token) if token is not None else None
    if account is None:
        return Holder(Kind.UNKNOWN, address), token
    kind = Kind.LIVE if account[1] == "live" else Kind.TEST
    return Holder(kind, account[0]), token
