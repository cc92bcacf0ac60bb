"""One request and its answer over an open connection, every read under the same deadline."""

import http.client
import io
import select
import socket
import ssl
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.webhooks.sender.answer import KEPT_BYTES
from apps.webhooks.sender.deadline import Deadline

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """`complete`: read to its end, or as far as it is kept. False: the time was over before."""

    status_code: int
    body: bytes
    complete: bool
    reusable: bool
    first_byte_ms: int


class ClosedBeforeAnswer(ConnectionError):
    """Not one byte came back.

    On a kept connection: the receiver had closed it, and the request may be sent anew.
    """


class Connection:
    """An open connection to a checked address; one request at a time."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self.opened_at = self.last_used_at = time.monotonic()

    def is_stale(self) -> bool:
        """Whether the other side closed it, or sent what nobody asked for.

        An idle connection has nothing to read.
        """
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        self._sock.close()

    def exchange(self, request: bytes, deadline: Deadline) -> RawAnswer:
        """Send and read. Raises ClosedBeforeAnswer, TimeoutError, other OSErrors and HTTPException."""
        incoming = _Incoming(self._sock, deadline)
        try:
            self._send(request, deadline)
            sent_at = time.monotonic()
            response = http.client.HTTPResponse(_Wire(incoming), method="POST")  # type: ignore[arg-type]
            response.begin()
        except (ConnectionError, ssl.SSLError) as failure:
            if incoming.first_byte_at is None:
                raise ClosedBeforeAnswer from failure
            raise
        body, complete = _read_body(response)
        self.last_used_at = time.monotonic()
        return RawAnswer(
            status_code=response.status,
            body=body,
            complete=complete,
            reusable=complete and not response.will_close and _is_read(response),
            first_byte_ms=round(((incoming.first_byte_at or sent_at) - sent_at) * 1000),
        )

    def _send(self, request: bytes, deadline: Deadline) -> None:
        # Not sendall: over TLS its timeout is per write, not total.
        rest = memoryview(request)
        while rest:
            self._sock.settimeout(deadline.remaining())
            rest = rest[self._sock.send(rest) :]


def _read_body(response: http.client.HTTPResponse) -> tuple[bytes, bool]:
    """The first 8 KiB, and whether that is all that will be kept.

    An answer cut short still counts by its status.
    """
    body = b""
    try:
        while len(body) < KEPT_BYTES and (piece := response.read1(KEPT_BYTES - len(body))):
            body += piece
    except TimeoutError:
        return body, False
    except (http.client.HTTPException, OSError, ValueError):
        response.will_close = True
    return body, True


def _is_read(response: http.client.HTTPResponse) -> bool:
    """Whether nothing of the answer is left on the wire."""
    return response.isclosed() or response.length == 0


class _Incoming(io.RawIOBase):
    """The socket's bytes, each read allowed only what is left of the deadline."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline
        self.first_byte_at: float | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        self._sock.settimeout(self._deadline.remaining())
        count = self._sock.recv_into(buffer)
        if count and self.first_byte_at is None:
            self.first_byte_at = time.monotonic()
        return count


class _Wire:
    """What `http.client` asks of a socket: a file to read from.

    Closing that file leaves the connection open.
    """

    def __init__(self, incoming: _Incoming) -> None:
        self._incoming = incoming

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self._incoming)
