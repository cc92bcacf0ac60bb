"""The web server's threads on a free port, before a small application that does what its path says."""

import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import orjson
import pytest

from config.web.limits import Limits
from config.web.server import Server

KEY = "Authorization: Bearer known\r\n"


@dataclass
class Shop:
    """What the application was asked, and how it can be held up."""

    port: int
    server: Server
    go_on: threading.Event

    def connect(self, **options: int) -> socket.socket:
        sock = socket.socket()
        for name, value in options.items():
            sock.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
        sock.settimeout(60)
        sock.connect(("127.0.0.1", self.port))
        return sock

    def ask(self, target: str = "/v1/echo", headers: str = "", body: bytes = b"") -> tuple[int, bytes]:
        """Status and body of one call over a connection of its own."""
        with self.connect() as sock:
            sock.sendall(request(target, headers + "Connection: close\r\n", body))
            return parsed(read_to_end(sock))


def request(target: str, headers: str = "", body: bytes = b"") -> bytes:
    return (
        f"POST {target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode()
        + body
    )


def read_to_end(sock: socket.socket) -> bytes:
    found = b""
    while piece := sock.recv(65_536):
        found += piece
    return found


def parsed(answer: bytes) -> tuple[int, bytes]:
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), body


def application(go_on: threading.Event) -> Callable[..., Iterable[bytes]]:
    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if "HTTP_AUTHORIZATION" in environ:
            environ["web.ticket"].account = (
                environ["HTTP_AUTHORIZATION"],
                environ.get("HTTP_X_ENVIRONMENT", "test"),
            )
        if path.endswith("/wait"):
            go_on.wait(60)
        if path.endswith("/fault"):
            raise RuntimeError("planted")
        environ["web.ticket"].unanswered = path.endswith("/lost")
        start_response("200 OK", [("Content-Type", "application/json")])
        if path.endswith("/large"):
            return (b"x" * 65_536 for _ in range(int(environ["QUERY_STRING"])))
        told = {
            "body": environ["wsgi.input"].read().decode(),
            "from": environ["REMOTE_ADDR"],
            "address": environ["web.ticket"].address,
        }
        return [orjson.dumps(told)]

    return answer


@pytest.fixture
def opened() -> Iterator[Callable[..., Shop]]:
    """Opens a shop with these limits; its clock ticks often."""
    with _opening() as open_shop:
        yield open_shop


@contextmanager
def _opening() -> Iterator[Callable[..., Shop]]:
    over, shops = threading.Event(), []

    def open_shop(threads: int = 8, **limits: float) -> Shop:
        listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        go_on = threading.Event()
        server = Server([listener], application(go_on), Limits(**limits), threads)  # type: ignore[arg-type]
        server.start()
        threading.Thread(target=_tick, args=(server, over), daemon=True).start()
        shops.append((server, go_on, listener))
        return Shop(listener.getsockname()[1], server, go_on)

    yield open_shop
    over.set()
    for server, go_on, listener in shops:
        go_on.set()
        server.stop_accepting()
        server.close()
        listener.close()


def _tick(server: Server, over: threading.Event) -> None:
    while not over.is_set():
        server.keep_time()
        time.sleep(0.05)
