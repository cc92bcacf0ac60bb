"""The base of the suppliers' stand-ins: a real HTTP server with routes, told to make trouble, that remembers what it heard.

    class Duffel(SupplierStub):
        def authorised(self, heard): return heard.headers.get("authorization") == "Bearer t"
        @route("GET", "/air/orders/{order}")
        def read_order(self, heard, order): return 200, {"data": self.orders[order]}

    with serving(Duffel()) as stub:
        stub.trouble("POST", "/air/orders", Trouble(end="hang"))

A handler runs under the stub's lock and returns (status, body) or (status, body, headers). As a process of its own
(`run(Duffel)`): `--port`, and `POST /_control` with the fields of a Trouble beside `method` and `path`; `GET /_store` is what
`store()` returns.
"""

import argparse
import gzip
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qs, urlsplit

LONGEST_SECONDS = 60.0
TOO_LATE = 60.0
"""`Trouble(wait=TOO_LATE)`: an answer for which nobody waited, however slow the machine is."""

Answer = tuple[int, Any] | tuple[int, Any, Mapping[str, str]]
Stub = TypeVar("Stub", bound="SupplierStub")


@dataclass(frozen=True)
class Heard:
    """One request. Header names are in lower case; `query` and `form` hold the last value of each name."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        return {name: values[-1] for name, values in parse_qs(self.body.decode()).items()}


@dataclass(frozen=True)
class Trouble:
    """What happens to the next `times` requests (-1: to all until `calm`).

    `accept`: whether the request is carried out at all. Then it is answered (with `status` and `body` instead of the
    handler's, where given) after `wait` seconds, or once `until` is set; or the stub hangs, or cuts the connection. `half` of
    an answer is sent, or it drips: a byte at a time, for ever.
    """

    end: Literal["answer", "hang", "reset", "half", "drip"] = "answer"
    accept: bool = True
    wait: float = 0.0
    until: threading.Event | None = None
    status: int | None = None
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    times: int = 1


def refusal(status: int, body: Any = None, *, times: int = 1, **headers: str) -> Trouble:
    """An answer instead of doing it; `Retry_After="1"` becomes a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Trouble(accept=False, status=status, body=body, headers=named, times=times)


def route(method: str, path: str) -> Callable[[Any], Any]:
    """`{name}` stands for one part of the path, handed to the handler by that name."""

    def mark(handler: Any) -> Any:
        handler.route = (method, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)))
        return handler

    return mark


class SupplierStub:
    """`prefix` stands before every route, as the supplier's own base address has it (`/v2`)."""

    prefix = ""

    def __init__(self, *, port: int = 0) -> None:
        self.lock = threading.RLock()
        self.heard: list[Heard] = []
        self.over = threading.Event()
        self._troubles: dict[tuple[str, str], Trouble] = {}
        members = [getattr(self, name) for name in dir(type(self)) if not name.startswith("__")]
        self._handlers = [member for member in members if hasattr(member, "route")]
        self._server = _Server(("127.0.0.1", port), _request_handler(self))
        self.url = f"http://127.0.0.1:{self._server.server_port}{self.prefix}"

    # --- for the vendor's stub to override ----------------------------------------------------------------------

    def authorised(self, heard: Heard) -> bool:
        return True

    def unauthorised(self) -> Answer:
        return 401, {"error": "unauthorised"}

    def unknown(self) -> Answer:
        return 404, {"error": "no such path"}

    def store(self) -> Any:
        """What the supplier would say was really booked: for `GET /_store`."""
        return None

    # --- control ------------------------------------------------------------------------------------------------

    def trouble(self, method: str, path: str, trouble: Trouble) -> None:
        """For requests to this path, as the route spells it."""
        with self.lock:
            self._troubles[method, path] = trouble

    def calm(self) -> None:
        with self.lock:
            self._troubles.clear()

    def heard_by(self, method: str, path: str) -> list[Heard]:
        """The requests to a route, refused ones included."""
        pattern = re.compile(re.sub(r"\{(\w+)\}", r"[^/]+", path))
        with self.lock:
            return [one for one in self.heard if one.method == method and pattern.fullmatch(one.path)]

    def await_heard(self, method: str, path: str, times: int = 1) -> None:
        """Until so many requests to a route were carried out: who gives up early may be back before the stub has begun."""
        gives_up = time.monotonic() + LONGEST_SECONDS
        while len(self.heard_by(method, path)) < times:
            assert time.monotonic() < gives_up, f"{method} {path} was not heard {times} times"
            time.sleep(0.005)

    def serve(self) -> None:
        """Until `stop`."""
        self._server.serve_forever(poll_interval=0.01)

    def stop(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()

    # --- inside -------------------------------------------------------------------------------------------------

    def receive(self, heard: Heard) -> tuple[Trouble, Answer]:
        """What to answer, and how."""
        with self.lock:
            if heard.path.startswith("/_"):
                return Trouble(), self._controlled(heard)
            self.heard.append(heard)
            trouble = self._take_trouble(heard)
            return trouble, self._answer(heard) if trouble.accept else (trouble.status or 500, trouble.body)

    def _answer(self, heard: Heard) -> Answer:
        if not self.authorised(heard):
            return self.unauthorised()
        for handler in self._handlers:
            method, pattern = handler.route
            if heard.method == method and (match := pattern.fullmatch(heard.path)):
                return handler(heard, **match.groupdict())  # type: ignore[no-any-return]
        return self.unknown()

    def _take_trouble(self, heard: Heard) -> Trouble:
        for (method, path), trouble in self._troubles.items():
            pattern = re.sub(r"\{(\w+)\}", r"[^/]+", path)
            if method == heard.method and trouble.times and re.fullmatch(pattern, heard.path):
                self._troubles[method, path] = replace(trouble, times=trouble.times - 1)
                return trouble
        return Trouble()

    def _controlled(self, heard: Heard) -> Answer:
        match heard.method, heard.path:
            case "POST", "/_control":
                told = heard.json
                self.trouble(told.pop("method"), told.pop("path"), Trouble(**told))
                return 200, {}
            case "POST", "/_calm":
                self.calm()
                return 200, {}
            case "GET", "/_store":
                return 200, self.store()
            case "GET", "/_heard":
                return 200, [{**asdict(one), "body": one.body.decode()} for one in self.heard]
        return 404, {}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A caller that hung up is no news here."""


def _request_handler(stub: SupplierStub) -> type[BaseHTTPRequestHandler]:  # noqa: C901 - a class in a function
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body leave together

        def _do(self) -> None:
            address = urlsplit(self.path)
            path = address.path
            if not path.startswith("/_"):
                path = path.removeprefix(stub.prefix)
            heard = Heard(
                self.command,
                path,
                {name: values[-1] for name, values in parse_qs(address.query).items()},
                {name.lower(): value for name, value in self.headers.items()},
                self.rfile.read(int(self.headers.get("Content-Length", 0))),
            )
            trouble, (status, body, *rest) = stub.receive(heard)
            if trouble.end == "reset":
                return self._cut()
            if trouble.until is not None:
                trouble.until.wait(LONGEST_SECONDS)
            if trouble.end == "hang" or stub.over.wait(trouble.wait):
                stub.over.wait()
                return self._cut()
            headers = {**(rest[0] if rest else {}), **trouble.headers}
            if trouble.status is not None:
                status, body = trouble.status, trouble.body
            return self._send(status, body, headers, trouble.end)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _do  # noqa: N815

        def _send(self, status: int, body: Any, headers: Mapping[str, str], end: str = "answer") -> None:
            content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
            self.send_response(status)
            packed = "Content-Encoding" in headers
            if "gzip" in self.headers.get("Accept-Encoding", "") and len(content) > 1024 and not packed:
                content = gzip.compress(content, 1)
                self.send_header("Content-Encoding", "gzip")
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            if status != 204:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if end in ("half", "drip"):
                self._send_some_of(content, end)
            elif status != 204 and self.command != "HEAD":
                self.wfile.write(content)

        def _send_some_of(self, content: bytes, end: str) -> None:
            self.close_connection = True
            self.wfile.write(content[: len(content) // 2] if end == "half" else b"")
            self.wfile.flush()
            while end == "drip" and not stub.over.wait(0.02):
                self.wfile.write(b" ")
                self.wfile.flush()

        def _cut(self) -> None:
            """Closes with a reset instead of an end."""
            self.close_connection = True
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()

        def log_message(self, format: str, *args: Any) -> None:
            """Silent: what was heard is remembered."""

    return Handler


@contextmanager
def serving(stub: Stub) -> Iterator[Stub]:
    """`stub`, serving from a thread for the length of the block."""
    thread = threading.Thread(target=stub.serve, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.stop()
        thread.join()


def run(stub: Callable[..., SupplierStub]) -> None:
    """The main function of a stub in a process of its own; prints its address when it serves."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    started = stub(port=parser.parse_args().port)
    print(started.url, flush=True)
    with suppress(KeyboardInterrupt):
        started.serve()
