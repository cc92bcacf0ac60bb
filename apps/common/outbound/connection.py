"""An HTTP connection to a checked address; one exchange at a time."""

import ssl
import time
from collections.abc import Iterable

from apps.common.outbound.answer import Answer
from apps.common.outbound.connecting import Origin
from apps.common.outbound.http_exchange import Exchange
from apps.common.outbound.timed_socket import TimedSocket

DEFAULT_PORTS = {"https": 443, "http": 80}

Headers = Iterable[tuple[str, str]]


class ClosedBeforeAnswer(ConnectionError):
    """The connection was closed before any byte came back. On a kept connection: the other side had closed it already."""


class Connection:
    """An open connection to a checked address."""

    def __init__(self, origin: Origin, sock: TimedSocket) -> None:
        self.origin = origin
        self._sock = sock
        self._host = _host_of(origin)
        self.opened_at = self.last_used_at = time.monotonic()

    def ask(self, method: str, target: str, headers: Headers, body: bytes, exchange: Exchange) -> Answer:
        """Send a request; its answer, of which the body is yet to be read.

        Raises ClosedBeforeAnswer, TimeoutError, other OSErrors and BadAnswer; ValueError for a line break in a header.
        """
        self._sock.exchange = exchange
        head = _head([f"{method} {target} HTTP/1.1", f"Host: {self._host}", *map(": ".join, headers)])
        try:
            self._sock.sendall(head + body)
            return Answer(self._sock.receive)
        except (ConnectionError, ssl.SSLError) as failure:
            if not exchange.answer_began:
                raise ClosedBeforeAnswer from failure
            raise

    def is_stale(self) -> bool:
        """Whether the other side closed it while it was idle, or sent what nobody asked for."""
        return self._sock.has_input()

    def close(self) -> None:
        self._sock.close()


def _host_of(origin: Origin) -> str:
    """The Host header: with the port unless it is the scheme's own, IPv6 in brackets."""
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    return host if origin.port == DEFAULT_PORTS[origin.scheme] else f"{host}:{origin.port}"


def _head(lines: list[str]) -> bytes:
    """Raises ValueError where a line would end before its end, and begin another header."""
    head = "\r\n".join([*lines, "", ""])
    if not head.count("\n") == head.count("\r") == len(lines) + 1:
        raise ValueError("a header with a line break")
    return head.encode("latin-1")
