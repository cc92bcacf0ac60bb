"""Several calls under one bound."""

import socket
import time

import pytest

from apps.suppliers.errors import Unavailable
from apps.suppliers.http import Limits, SupplierHTTP, all_within
from tests.support.wire import Wire

LONG = Limits(connect=5, read=60)
ONE = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"


def ask_again_and_again(http: SupplierHTTP) -> None:
    for _ in range(100):
        http.read("GET", "/a", limits=LONG)


def test_slow_answers_together_take_no_longer_than_allowed(server: Wire) -> None:
    def slow(sock: socket.socket) -> None:
        server.hear(sock)
        server.over.wait(0.4)
        sock.sendall(ONE)

    server.acts.append(slow)
    http = SupplierHTTP("acme", base_url=server.url)
    began = time.monotonic()
    with all_within(1.0), pytest.raises(Unavailable):
        ask_again_and_again(http)
    assert 1.0 <= time.monotonic() - began < 20
    assert len(server.heard) <= 3
    assert http.read("GET", "/a", limits=LONG).status == 200  # afterwards its own limits count


@pytest.mark.parametrize("verb", ["read", "write"])
def test_once_the_time_is_over_nothing_is_sent(server: Wire, verb: str) -> None:
    with all_within(0.0), pytest.raises(Unavailable):
        getattr(SupplierHTTP("acme", base_url=server.url), verb)("POST", "/a", limits=LONG)
    assert server.connections == 0


def test_a_bound_inside_another_cannot_loosen_it(server: Wire) -> None:
    server.acts.append(server.serves())
    http = SupplierHTTP("acme", base_url=server.url)
    with all_within(0.0), all_within(60), pytest.raises(Unavailable):
        http.read("GET", "/a", limits=LONG)
    with all_within(60):
        with all_within(0.0):
            pass
        assert http.read("GET", "/a", limits=LONG).status == 200
