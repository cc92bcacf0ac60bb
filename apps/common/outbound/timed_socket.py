"""A socket whose waits all end at the deadline of the exchange under way, and from which no more is read than that allows."""

import select
import socket
import time
from typing import TYPE_CHECKING

from apps.common.outbound.answer import BadAnswer
from apps.common.outbound.http_exchange import Exchange

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PIECE = 64 * 1024
"""More than a TLS record holds: none is left half read within OpenSSL, where `has_input` would not see it."""


class TimedSocket:
    """`exchange` is the one under way."""

    def __init__(self, sock: socket.socket, exchange: Exchange) -> None:
        self._sock = sock
        self.exchange = exchange

    def sendall(self, data: "ReadableBuffer") -> None:
        """Raises TimeoutError. Not the socket's own `sendall`: over TLS its timeout is per write, not total."""
        exchange = self.exchange
        exchange.began = True
        rest = memoryview(data)
        while rest:
            self._sock.settimeout(exchange.seconds_to_wait())
            rest = rest[self._sock.send(rest) :]
        exchange.sent_at = time.monotonic()

    def receive(self) -> bytes:
        """The next bytes, b"" at the end of the connection. Raises TimeoutError, and BadAnswer past `max_bytes`."""
        exchange = self.exchange
        left = exchange.max_bytes - exchange.received
        if left <= 0:
            raise BadAnswer(f"an answer of more than {exchange.max_bytes} bytes")
        self._sock.settimeout(exchange.seconds_to_wait())
        piece = self._sock.recv(int(min(PIECE, left)))
        exchange.received += len(piece)
        if piece and not exchange.answer_began:
            exchange.timings.first_byte_ms = round((time.monotonic() - exchange.sent_at) * 1000)
        return piece

    def has_input(self) -> bool:
        """Whether there is something to read. On an idle connection: the other side closed it, or sent what nobody asked for."""
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        self._sock.close()
