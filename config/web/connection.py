"""One connection: what it is doing, since when, and until when it may."""

import contextlib
import socket
import time
from enum import Enum

from config.web.answering import Outgoing
from config.web.limits import Limits
from config.web.reading import RequestReader


class Stage(Enum):
    """What a connection waits for. Each stage has a deadline of its own."""

    NEW = "the first byte"
    HEAD = "headers"
    BODY = "a body"
    CALL = "the service"
    AGAIN = "a thread"
    """A further request has arrived already."""
    ANSWER = "its reader"
    IDLE = "the next request"
    DRAIN = "the end"


class Connection:
    """Owned by one thread at a time: epoll tells each event once, and is asked anew by whoever is done with it."""

    __slots__ = (
        "answer",
        "buffered",
        "called_since",
        "fd",
        "late",
        "limits",
        "peer",
        "reader",
        "received",
        "server",
        "since",
        "sock",
        "stage",
        "unsent",
        "until",
    )

    def __init__(self, sock: socket.socket, peer: str, server: tuple[str, int], limits: Limits) -> None:
        self.sock, self.peer, self.server, self.limits = sock, peer, server, limits
        self.fd = sock.fileno()
        self.reader = RequestReader(limits)
        self.answer: Outgoing | None = None
        self.late = False
        """Its deadline has passed: whoever owns it next ends it."""
        self.called_since: float | None = None
        """Since when its call has waited, where that was taken out of its line because there is a place for it."""
        self.buffered = self.unsent = 0
        """Bytes of its body and of its answer, as the server counts them for all its connections."""
        self.received = 0
        """Bytes of its body that came, or of its answer that were taken, in this stage."""
        self.enter(Stage.NEW, limits.first_byte_seconds)

    def enter(self, stage: Stage, seconds: float) -> None:
        """Begin a stage; it must end within `seconds`."""
        self.stage, self.since = stage, time.monotonic()
        self.until = self.since + seconds
        self.received = 0

    def read_on(self) -> None:
        """Enter the stage that the bytes read so far lead to."""
        if self.reader.in_body:
            if self.stage is not Stage.BODY:
                self.enter(Stage.BODY, self.limits.body_seconds)
            self.received = self.reader.buffered
        elif self.reader.begun and self.stage is not Stage.HEAD:
            self.enter(Stage.HEAD, self.limits.head_seconds)
        elif not self.reader.begun and self.stage is not Stage.IDLE:
            self.enter(Stage.IDLE, self.limits.idle_seconds)

    def is_late(self, now: float) -> bool:
        """Whether the stage has lasted too long, or its bytes come or go too slowly."""
        if self.stage in (Stage.CALL, Stage.AGAIN):
            return False
        if now > self.until:
            return True
        counted_seconds = now - self.since - self.limits.grace_seconds
        if counted_seconds <= 0:
            return False
        if self.stage is Stage.BODY:
            return self.received < counted_seconds * self.limits.body_rate
        return self.stage is Stage.ANSWER and self.received < counted_seconds * self.limits.answer_rate

    def end(self, *, silently: bool = False) -> None:
        """Have its owner end it: a shut socket wakes whoever owns it next. From any thread.

        Where half a request has come its sender is told, unless `silently`.
        """
        self.late = True
        both = silently or self.stage not in (Stage.HEAD, Stage.BODY)
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_RDWR if both else socket.SHUT_RD)

    @property
    def can_be_ended(self) -> bool:
        """Whether ending it to make room for another stops nothing that the service has begun."""
        return self.stage not in (Stage.CALL, Stage.AGAIN)

    @property
    def has_been_asked(self) -> bool:
        """Whether a request, or the answer to one, is on its way."""
        return self.stage in (Stage.BODY, Stage.ANSWER)
