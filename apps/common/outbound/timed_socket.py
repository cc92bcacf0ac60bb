"""The socket as `http.client` sees it: each wait ends at the deadline of the exchange under way, and what is read has a limit."""

import http.client
import io
import select
import socket
import time
from typing import TYPE_CHECKING

from apps.common.outbound.http_exchange import Exchange

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer


class TimedSocket:
    """What `http.client.HTTPResponse` asks of a socket, which is `makefile`, and what a connection does with one.

    `exchange` is the one under way.
    """

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

    def makefile(self, mode: str) -> io.BufferedReader:
        """The answer's bytes. Closing this leaves the socket open."""
        return io.BufferedReader(_Incoming(self._sock, self.exchange))

    def has_input(self) -> bool:
        """Whether there is something to read. On an idle connection: the other side closed it, or sent what nobody asked for."""
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        self._sock.close()


class _Incoming(io.RawIOBase):
    """The socket's bytes. Raises TimeoutError, and HTTPException past `max_bytes`."""

    def __init__(self, sock: socket.socket, exchange: Exchange) -> None:
        self._sock = sock
        self._exchange = exchange
        self._bytes_left = exchange.max_bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        exchange = self._exchange
        if self._bytes_left <= 0:
            raise http.client.HTTPException(f"an answer of more than {exchange.max_bytes} bytes")
        self._sock.settimeout(exchange.seconds_to_wait())
        count = self._sock.recv_into(buffer)
        self._bytes_left -= count
        if count and not exchange.answer_began:
            exchange.timings.first_byte_ms = round((time.monotonic() - exchange.sent_at) * 1000)
        return count
