"""A partner's webhook receiver: a real HTTP server on loopback that remembers what came and answers as told."""

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One scripted answer. `wait`: seconds before it; `drip`: seconds between single bytes of the whole answer."""

    status: int = 200
    body: bytes = b"ok"
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    drip: float = 0.0
    raw: bytes | None = None
    """Sent as it is instead of an HTTP answer; then the connection is closed."""


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes
    at: float

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Receiver:
    """`answer` decides about each request: a Reply, or a function of it. `script` goes first, one Reply a request."""

    def __init__(
        self,
        answer: Reply | Callable[[Received], Reply] = Reply(),
        *,
        script: list[Reply] | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.answer = answer
        self.script = list(script or [])
        self.requests: list[Received] = []
        self.connections = 0
        self.in_flight = self.most_in_flight = 0
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        if tls is not None:
            self._server.socket = tls.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._scheme = "https" if tls else "http"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.port}/hooks"

    def stop(self) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()

    def take(self, received: Received) -> Reply:
        with self._lock:
            self.requests.append(received)
            if self.script:
                return self.script.pop(0)
        return self.answer(received) if callable(self.answer) else self.answer

    def pause(self, seconds: float) -> None:
        """Wait, but not beyond the end of the test."""
        self._stopping.wait(seconds)

    def entered(self, change: int) -> None:
        with self._lock:
            self.in_flight += change
            self.most_in_flight = max(self.most_in_flight, self.in_flight)

    def connected(self) -> None:
        with self._lock:
            self.connections += 1


@contextmanager
def receiving(
    answer: Reply | Callable[[Received], Reply] = Reply(),
    *,
    script: list[Reply] | None = None,
    tls: ssl.SSLContext | None = None,
) -> Iterator[Receiver]:
    receiver = Receiver(answer, script=script, tls=tls)
    try:
        yield receiver
    finally:
        receiver.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A sender that hung up is nothing to print a traceback for."""


def _handler(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            receiver.connected()
            super().setup()

        def do_POST(self) -> None:
            receiver.entered(1)
            try:
                answer, drip = self._answer()
                while drip and len(answer) > 1:
                    self.wfile.write(answer[:1])
                    receiver.pause(drip)
                    answer = answer[1:]
            finally:
                receiver.entered(
                    -1
                )  # before the end of it: whoever has all of the answer may send the next request
            self.wfile.write(answer)

        def _answer(self) -> tuple[bytes, float]:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            reply = receiver.take(Received(self.path, dict(self.headers.items()), body, time.monotonic()))
            receiver.pause(reply.wait)
            if reply.raw is not None:
                self.close_connection = True
                return reply.raw, 0.0
            return self._encoded(reply), reply.drip

        def _encoded(self, reply: Reply) -> bytes:
            headers = {"Content-Length": str(len(reply.body)), **reply.headers}
            lines = [
                f"HTTP/1.1 {reply.status} Reply",
                *(f"{name}: {value}" for name, value in headers.items()),
            ]
            return "\r\n".join([*lines, "", ""]).encode() + reply.body

        def log_message(self, *args: Any) -> None:
            pass

    return Handler
