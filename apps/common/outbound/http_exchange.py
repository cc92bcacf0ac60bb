"""One HTTP request and its answer: what they may take, and how far they came."""

import time
from dataclasses import dataclass, field
from math import inf

from apps.common.outbound.addresses import IPAddress
from apps.common.outbound.deadline import Deadline


class Stopwatch:
    """Milliseconds from lap to lap."""

    def __init__(self) -> None:
        self._at = time.monotonic()

    def lap(self) -> int:
        before, self._at = self._at, time.monotonic()
        return round((self._at - before) * 1000)


@dataclass(slots=True)
class Timings:
    """Milliseconds of each stage. None: the stage was not reached, or not needed on a kept connection."""

    lookup_ms: int | None = None
    connect_ms: int | None = None
    tls_ms: int | None = None
    first_byte_ms: int | None = None


@dataclass(slots=True)
class Exchange:
    """The limits of one exchange, and what is known of it afterwards.

    `deadline` bounds everything. `connect_seconds` bounds each stage of connecting (name look-up, TCP, TLS), `silence_seconds`
    each wait for a byte. `max_bytes` bounds what is read from the socket, heads and framing included.
    """

    deadline: Deadline
    connect_seconds: float = inf
    silence_seconds: float = inf
    max_bytes: float = inf
    began: bool = False
    """True just before the first byte of the request is handed to the kernel. False: the other side certainly heard nothing."""
    peer: IPAddress | None = None
    """The address that was connected to; None on a kept connection."""
    sent_at: float = 0.0
    received: int = 0
    """Bytes that came back."""
    timings: Timings = field(default_factory=Timings)

    @property
    def answer_began(self) -> bool:
        """Whether any byte came back."""
        return self.timings.first_byte_ms is not None

    def seconds_to_connect(self) -> float:
        """How long the next stage of connecting may take. Raises DeadlinePassed."""
        return self.deadline.at_most(self.connect_seconds)

    def seconds_to_wait(self) -> float:
        """How long the next byte may take, in either direction. Raises DeadlinePassed."""
        return self.deadline.at_most(self.silence_seconds)
