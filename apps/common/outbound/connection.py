"""Connections to checked addresses: opened, used for one exchange at a time, and kept for the next with the same origin.

A name is looked up once and every address of it is checked, then a checked one is connected to: a name server that answers
differently the next moment gains nothing (DNS rebinding).
"""

import ipaddress
import select
import socket
import ssl
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import inf

from apps.common.outbound import Deadline
from apps.common.outbound.addresses import IPAddress, Resolver, as_address
from apps.common.outbound.answer import Answer, BadAnswer


class Stopwatch:
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
    peer: IPAddress | None = None  # the address that was connected to; None on a kept connection
    sent_at: float = 0.0
    received: int = 0  # bytes that came back
    timings: Timings = field(default_factory=Timings)

    @property
    def answer_began(self) -> bool:
        return self.timings.first_byte_ms is not None

    def seconds_to_connect(self) -> float:
        """How long the next stage of connecting may take. Raises DeadlinePassed."""
        return self.deadline.at_most(self.connect_seconds)

    def seconds_to_wait(self) -> float:
        """How long the next byte may take, in either direction. Raises DeadlinePassed."""
        return self.deadline.at_most(self.silence_seconds)


MayConnect = Callable[[IPAddress], bool]


class AddressRefused(Exception):
    """The name leads to an address that must not be connected to."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request goes. `host` is a name, or an IP address without brackets."""

    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Connector:
    """Opens sockets. `may_connect` says of each address whether it may be connected to."""

    resolver: Resolver
    context: ssl.SSLContext
    may_connect: MayConnect

    def open(self, origin: Origin, exchange: Exchange) -> socket.socket:
        """A socket to `origin`, with TLS verified for its host where the scheme is https.

        Raises AddressRefused and OSError: NameNotResolved, TimeoutError, ssl.SSLError and others.
        """
        watch, timings = Stopwatch(), exchange.timings
        addresses = self._checked_addresses(origin, exchange)
        looked_up_ms = watch.lap()
        timings.lookup_ms = looked_up_ms if as_address(origin.host) is None else None
        sock, exchange.peer = connect(addresses, origin.port, exchange.seconds_to_connect())
        timings.connect_ms = watch.lap()
        if origin.scheme == "https":
            sock = self._start_tls(sock, origin.host, exchange)
            timings.tls_ms = watch.lap()
        return sock

    def _checked_addresses(self, origin: Origin, exchange: Exchange) -> list[IPAddress]:
        """One address that may not be connected to condemns the name. Raises AddressRefused."""
        addresses = self.resolver.addresses_of(origin.host, origin.port, exchange.seconds_to_connect())
        for address in addresses:
            if not self.may_connect(address):
                raise AddressRefused(str(address))
        return addresses

    def _start_tls(self, sock: socket.socket, host: str, exchange: Exchange) -> ssl.SSLSocket:
        try:
            sock.settimeout(exchange.seconds_to_connect())  # of the handshake as a whole
            return self.context.wrap_socket(sock, server_hostname=host)
        except BaseException:
            sock.close()
            raise


def connect(addresses: list[IPAddress], port: int, seconds: float) -> tuple[socket.socket, IPAddress]:
    """A socket to the first address that accepts; one that does not answer gets its share of `seconds`, not all of them.

    Raises OSError, and AddressRefused where the socket's peer is another address.
    """
    deadline = Deadline(seconds)
    failure: OSError | None = None
    for position, address in enumerate(addresses):
        share = deadline.at_most(seconds) / (len(addresses) - position)
        try:
            return connect_to(address, port, share), address
        except OSError as refused:
            failure = refused
    assert failure is not None
    raise failure


def connect_to(address: IPAddress, port: int, seconds: float) -> socket.socket:
    # Not socket.create_connection: that would look the name up again.
    sock = socket.socket(socket.AF_INET if address.version == 4 else socket.AF_INET6, socket.SOCK_STREAM)
    try:
        sock.settimeout(seconds)
        sock.connect((str(address), port))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if ipaddress.ip_address(sock.getpeername()[0]) != address:
            raise AddressRefused(sock.getpeername()[0])
    except BaseException:
        sock.close()
        raise
    return sock


DEFAULT_PORTS = {"https": 443, "http": 80}
PIECE = 64 * 1024
"""More than a TLS record holds: none is left half read within OpenSSL, where `is_stale` would not see it."""

Headers = Iterable[tuple[str, str]]


class ClosedBeforeAnswer(ConnectionError):
    """The connection was closed before any byte came back. On a kept connection: the other side had closed it already."""


class Connection:
    """An open connection to a checked address.

    All its waits end at the deadline of the exchange under way, and no more is read from it than that allows.
    """

    def __init__(self, origin: Origin, sock: socket.socket) -> None:
        self.origin = origin
        self._sock = sock
        self._host = _host_of(origin)
        self.opened_at = self.last_used_at = time.monotonic()

    def ask(self, method: str, target: str, headers: Headers, body: bytes, exchange: Exchange) -> Answer:
        """Send a request; its answer, of which the body is yet to be read.

        Raises ClosedBeforeAnswer, TimeoutError, other OSErrors and BadAnswer; ValueError for a line break in a header.
        """
        head = _head([f"{method} {target} HTTP/1.1", f"Host: {self._host}", *map(": ".join, headers)])
        try:
            self._send(head + body, exchange)
            return Answer(partial(self._receive, exchange))
        except (ConnectionError, ssl.SSLError) as failure:
            if not exchange.answer_began:
                raise ClosedBeforeAnswer from failure
            raise

    def is_stale(self) -> bool:
        """Whether there is something to read while it is idle: the other side closed it, or sent unrequested data."""
        poll = select.poll()
        poll.register(self._sock, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        self._sock.close()

    def _send(self, data: bytes, exchange: Exchange) -> None:
        """Not the socket's `sendall`: over TLS its timeout is per write, not total."""
        exchange.began = True
        rest = memoryview(data)
        while rest:
            self._sock.settimeout(exchange.seconds_to_wait())
            rest = rest[self._sock.send(rest) :]
        exchange.sent_at = time.monotonic()

    def _receive(self, exchange: Exchange) -> bytes:
        """The next bytes, b"" at the end of the connection. Raises TimeoutError, and BadAnswer past `max_bytes`."""
        left = exchange.max_bytes - exchange.received
        if left <= 0:
            raise BadAnswer(f"a response of more than {exchange.max_bytes} bytes")
        self._sock.settimeout(exchange.seconds_to_wait())
        piece = self._sock.recv(int(min(PIECE, left)))
        exchange.received += len(piece)
        if piece and not exchange.answer_began:
            exchange.timings.first_byte_ms = round((time.monotonic() - exchange.sent_at) * 1000)
        return piece


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


@dataclass(frozen=True, slots=True)
class Request:
    """`target` is the path with its query. The Host header is added; all others are given, Content-Length included."""

    method: str
    target: str
    headers: Headers
    body: bytes = b""


class ConnectionPool:
    """Idle connections by origin, `kept` of each at most, closed after `idle_seconds` without use or `life_seconds` in all.

    Safe for threads: a connection is idle in here or in use by one thread, never both.
    """

    def __init__(
        self, connector: Connector, *, kept: int, idle_seconds: float = inf, life_seconds: float = inf
    ) -> None:
        self._connector = connector
        self._kept = kept
        self._idle_seconds = idle_seconds
        self._life_seconds = life_seconds
        self._lock = threading.Lock()
        self._idle: dict[Origin, list[Connection]] = defaultdict(list)

    def take(self, origin: Origin) -> Connection | None:
        """The idle connection that was used last, where one is still good; it is the caller's now."""
        while True:
            with self._lock:
                idle = self._idle.get(origin)
                if not idle:
                    return None
                connection = idle.pop()
            if not self._is_old(connection) and not connection.is_stale():
                return connection
            connection.close()

    def open(self, origin: Origin, exchange: Exchange) -> Connection:
        """A new connection. Raises AddressRefused and OSError: see `Connector.open`."""
        return Connection(origin, self._connector.open(origin, exchange))

    @contextmanager
    def ask(self, connection: Connection, request: Request, exchange: Exchange) -> Iterator[Answer]:
        """The answer to `request`, its body to be read inside the block.

        Afterwards the connection is kept where nothing of the answer is left to read, and closed otherwise. Raises what
        `Connection.ask` raises.
        """
        keep = False
        try:
            answer = connection.ask(request.method, request.target, request.headers, request.body, exchange)
            yield answer
            keep = answer.leaves_connection_usable
        finally:
            if keep:
                self._give(connection)
            else:
                connection.close()

    def close_old(self, *, everything: bool = False) -> None:
        with self._lock:
            for origin, idle in list(self._idle.items()):
                for connection in [one for one in idle if everything or self._is_old(one)]:
                    idle.remove(connection)
                    connection.close()
                if not idle:
                    del self._idle[origin]

    def _give(self, connection: Connection) -> None:
        connection.last_used_at = time.monotonic()
        with self._lock:
            idle = self._idle[connection.origin]
            if len(idle) < self._kept:
                idle.append(connection)
                return
        connection.close()

    def _is_old(self, connection: Connection) -> bool:
        now = time.monotonic()
        return (
            now - connection.last_used_at > self._idle_seconds
            or now - connection.opened_at > self._life_seconds
        )
