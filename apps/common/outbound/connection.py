"""An HTTP connection to a checked address; one exchange at a time."""

import http.client
import ssl
import time
from collections.abc import Iterable

from apps.common.outbound.connecting import Origin
from apps.common.outbound.http_exchange import Exchange
from apps.common.outbound.timed_socket import TimedSocket

MAX_INTERIM = 10
"""Answers 100, 102 or 103 before the final one."""
DEFAULT_PORTS = {"https": 443, "http": 80}

Headers = Iterable[tuple[str, str]]


class ClosedBeforeAnswer(ConnectionError):
    """The connection was closed before any byte came back. On a kept connection: the other side had closed it already."""


class FinalAnswer(http.client.HTTPResponse):
    """The final answer: those before it (1xx) are read and dropped. Raises HTTPException where there are more than ten."""

    _heads = 0

    def begin(self) -> None:
        super().begin()
        # http.client drops 100 alone. 101 is final: nobody asked for another protocol.
        while 100 <= self.status <= 199 and self.status != 101:
            self.headers = self.msg = None  # type: ignore[assignment]  # begin() returns at once where they are known
            super().begin()

    def _read_status(self) -> tuple[str, int, str]:
        """Called by `begin` for each head, also for those that it drops itself."""
        self._heads += 1
        if self._heads > MAX_INTERIM + 1:
            raise http.client.HTTPException(f"more than {MAX_INTERIM} interim answers")
        status: tuple[str, int, str] = super()._read_status()  # type: ignore[misc]
        return status

    @property
    def is_read(self) -> bool:
        """Whether nothing of it is left on the wire. After a failed read `will_close` says so: the caller sets it."""
        if self.status == 101:
            return False
        return self.isclosed() if self.length is None else self.length == 0


class Connection:
    """An open connection to a checked address."""

    def __init__(self, origin: Origin, sock: TimedSocket) -> None:
        self.origin = origin
        self._sock = sock
        self._host = _host_of(origin)
        self.opened_at = self.last_used_at = time.monotonic()

    def ask(self, method: str, target: str, headers: Headers, body: bytes, exchange: Exchange) -> FinalAnswer:
        """Send a request; its answer, of which the body is yet to be read.

        Raises ClosedBeforeAnswer, TimeoutError, other OSErrors and HTTPException; ValueError for a line break in a header.
        """
        self._sock.exchange = exchange
        head = _head([f"{method} {target} HTTP/1.1", f"Host: {self._host}", *map(": ".join, headers)])
        try:
            self._sock.sendall(head + body)
            answer = FinalAnswer(self._sock, method=method)  # type: ignore[arg-type]
            answer.begin()
        except (ConnectionError, ssl.SSLError) as failure:
            if not exchange.answer_began:
                raise ClosedBeforeAnswer from failure
            raise
        return answer

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
