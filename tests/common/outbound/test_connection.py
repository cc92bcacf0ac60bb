"""Exchanges over kept connections: what is used again, what is closed, and whether anything was sent."""

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Iterator

import pytest

from apps.common.outbound import Deadline
from apps.common.outbound.addresses import NameNotResolved, Resolver
from apps.common.outbound.answer import BadAnswer, read_body
from apps.common.outbound.connection import (
    AddressRefused,
    ClosedBeforeAnswer,
    Connection,
    ConnectionPool,
    Connector,
    Exchange,
    Origin,
    Request,
)
from tests.support.wire import OK, Wire, reply, wire

CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
GET = Request("GET", "/a?b=c", [("X-Test", "1")])


@pytest.fixture
def server() -> Iterator[Wire]:
    with wire() as started:
        yield started


def connector(**options: object) -> Connector:
    values = {
        "resolver": Resolver(threads=4, lookup=lambda host, port: ["127.0.0.1"]),
        "context": ssl.create_default_context(),
        "may_connect": lambda address: True,
    }
    return Connector(**{**values, **options})  # type: ignore[arg-type]


@pytest.fixture
def pool() -> Iterator[ConnectionPool]:
    pool = ConnectionPool(connector(), kept=2)
    yield pool
    pool.close_old(everything=True)


def origin_of(server: Wire) -> Origin:
    return Origin("http", "supplier.example", int(server.url.rsplit(":", 1)[1]))


def exchange(seconds: float = 60.0, **limits: float) -> Exchange:
    return Exchange(Deadline(seconds), **limits)


def connection_to(pool: ConnectionPool, server: Wire, under: Exchange) -> Connection:
    origin = origin_of(server)
    return pool.take(origin) or pool.open(origin, under)


def asked(pool: ConnectionPool, server: Wire, request: Request = GET) -> bytes:
    under = exchange()
    with pool.ask(connection_to(pool, server, under), request, under) as answer:
        return read_body(answer, max_bytes=1_000_000)


# --- What goes out ---------------------------------------------------------------------------------------------


def test_the_request_is_what_was_given_and_a_host(server: Wire, pool: ConnectionPool) -> None:
    server.acts.append(server.serves())
    asked(pool, server, request=Request("POST", "/x?y=1", [("Content-Length", "2")], b"{}"))
    host = f"supplier.example:{origin_of(server).port}"
    assert server.heard == [f"POST /x?y=1 HTTP/1.1\r\nHost: {host}\r\nContent-Length: 2\r\n\r\n{{}}".encode()]


@pytest.mark.parametrize(
    ("origin", "header"),
    [
        (Origin("https", "a.example", 443), "a.example"),
        (Origin("https", "a.example", 8443), "a.example:8443"),
        (Origin("http", "127.0.0.1", 443), "127.0.0.1:443"),
        (Origin("https", "2606:4700::1111", 443), "[2606:4700::1111]"),
        (Origin("https", "2606:4700::1111", 8443), "[2606:4700::1111]:8443"),
    ],
)
def test_host_names_the_port_unless_it_is_the_schemes_own(origin: Origin, header: str) -> None:
    ours, theirs = socket.socketpair()
    connection = Connection(origin, ours)
    theirs.sendall(OK)
    connection.ask("GET", "/", [], b"", exchange())
    assert theirs.recv(1000).split(b"\r\n")[1] == f"Host: {header}".encode()
    connection.close()
    theirs.close()


@pytest.mark.parametrize(
    "header", [("X-A", "1\r\nX-B: 2"), ("X-A\r\nX-B", "2"), ("X-A", "1\nX-B: 2"), ("X-A", "1\rX-B: 2")]
)
def test_no_header_brings_another_one_along(
    server: Wire, pool: ConnectionPool, header: tuple[str, str]
) -> None:
    server.acts.append(server.serves())
    with pytest.raises(ValueError, match="line break"):
        asked(pool, server, request=Request("GET", "/", [header]))
    assert server.heard == []


# --- Whether anything was sent ---------------------------------------------------------------------------------


def test_nothing_began_where_the_address_is_refused(server: Wire) -> None:
    pool = ConnectionPool(connector(may_connect=lambda address: False), kept=1)
    under = exchange()
    with pytest.raises(AddressRefused):
        pool.open(origin_of(server), under)
    assert (under.began, server.connections) == (False, 0)


def test_nothing_began_where_the_name_is_unknown(server: Wire) -> None:
    pool = ConnectionPool(connector(resolver=Resolver(threads=1, lookup=lambda host, port: [])), kept=1)
    under = exchange()
    with pytest.raises(NameNotResolved):
        pool.open(origin_of(server), under)
    assert not under.began


def test_nothing_began_before_the_request(server: Wire, pool: ConnectionPool) -> None:
    server.acts.append(server.hangs)
    under = exchange(silence_seconds=0.3)
    connection = pool.open(origin_of(server), under)
    assert not under.began
    with pytest.raises(TimeoutError), pool.ask(connection, GET, under):
        pass
    assert under.began
    assert not under.answer_began


def test_a_connection_closed_before_any_answer_is_told_apart(server: Wire, pool: ConnectionPool) -> None:
    server.acts += [server.resets, server.answers(b"HTTP/1.1 2")]
    for raised in (ClosedBeforeAnswer, BadAnswer):
        with pytest.raises(raised):
            asked(pool, server)


# --- What is used again ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", [OK, CHUNKED, reply("204 None", b"")])
def test_a_connection_is_used_again_once_its_answer_is_read(
    server: Wire, pool: ConnectionPool, answer: bytes
) -> None:
    server.acts.append(server.serves(answer))
    for _ in range(3):
        asked(pool, server)
    assert server.connections == 1


@pytest.mark.parametrize("answer", [OK, CHUNKED])
def test_a_connection_with_half_an_answer_is_never_used_again(
    server: Wire, pool: ConnectionPool, answer: bytes
) -> None:
    server.acts.append(server.serves(answer))
    for _ in range(3):
        under = exchange()
        with pool.ask(connection_to(pool, server, under), GET, under) as half_read:
            assert next(half_read.pieces()) == b"{}"
    assert server.connections == 3


def test_a_connection_is_not_used_again_after_a_failure_inside_the_block(
    server: Wire, pool: ConnectionPool
) -> None:
    server.acts.append(server.serves())
    under = exchange()

    def fails_after_reading() -> None:
        with pool.ask(connection_to(pool, server, under), GET, under) as answer:
            read_body(answer, max_bytes=1_000_000)
            raise KeyError

    with pytest.raises(KeyError):
        fails_after_reading()
    asked(pool, server)
    assert server.connections == 2


@pytest.mark.parametrize(
    "answer",
    [
        reply("200 OK", Connection="close"),
        b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 101 Other\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
    ],
    ids=["close", "1.0", "another protocol", "no chunk"],
)
def test_an_answer_after_which_nothing_can_be_said_is_the_last(
    server: Wire, pool: ConnectionPool, answer: bytes
) -> None:
    server.acts.append(server.serves(answer))
    for _ in range(2):
        with contextlib.suppress(BadAnswer):
            asked(pool, server)
    assert server.connections == 2


def test_unasked_input_on_an_idle_connection_is_not_taken_for_an_answer(
    server: Wire, pool: ConnectionPool
) -> None:
    idle = threading.Event()

    def talks(sock: socket.socket) -> None:
        server.hear(sock)
        sock.sendall(OK)
        idle.wait(60)
        sock.sendall(reply("500 Unasked"))
        server.over.wait(60)

    server.acts += [talks, server.serves()]
    under = exchange()
    first = pool.open(origin_of(server), under)
    with pool.ask(first, GET, under) as answer:
        read_body(answer, max_bytes=1_000_000)
    idle.set()
    give_up = time.monotonic() + 60
    while not first.is_stale():
        assert time.monotonic() < give_up
        time.sleep(0.005)
    assert asked(pool, server) == b"{}"
    assert server.connections == 2


@pytest.mark.parametrize("limit", ["idle_seconds", "life_seconds"])
def test_a_connection_is_closed_after_its_time(server: Wire, limit: str) -> None:
    server.acts.append(server.serves())
    pool = ConnectionPool(connector(), kept=2, **{limit: 0.05})
    asked(pool, server)
    time.sleep(0.1)
    asked(pool, server)
    assert server.connections == 2
    pool.close_old(everything=True)


# --- Limits ----------------------------------------------------------------------------------------------------


def test_the_deadline_counts_from_the_look_up_to_the_last_byte(server: Wire) -> None:
    """Each stage alone would be in time."""

    def slow_lookup(host: str, port: int) -> list[str]:
        time.sleep(0.2)
        return ["127.0.0.1"]

    def slow(sock: socket.socket) -> None:
        server.hear(sock)
        for piece in (b"HTTP/1.1 200 OK\r\n", b"Content-Length: 2\r\n\r\n", b"{", b"}"):
            time.sleep(0.2)
            sock.sendall(piece)

    server.acts.append(slow)
    pool = ConnectionPool(connector(resolver=Resolver(threads=1, lookup=slow_lookup)), kept=1)
    began, under = time.monotonic(), exchange(0.7)

    def whole_answer() -> None:
        with pool.ask(pool.open(origin_of(server), under), GET, under) as answer:
            read_body(answer, max_bytes=1_000_000)

    with pytest.raises(TimeoutError):
        whole_answer()
    assert time.monotonic() - began >= 0.7


def test_what_is_read_has_its_limit(server: Wire, pool: ConnectionPool) -> None:
    server.acts.append(server.serves(reply("200 OK", b"x" * 100_000)))
    under = exchange(max_bytes=50_000)
    connection = connection_to(pool, server, under)
    with pytest.raises(BadAnswer), pool.ask(connection, GET, under) as answer:
        read_body(answer, max_bytes=1_000_000)
