"""Bytes as they travel: requests written out, and an answer read from a socket. No client library stands between."""

import json
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LIMIT = 64 * 1024 * 1024


@dataclass(frozen=True)
class Answer:
    """What came: `status` 0 where the connection ended, or the time did, before a status line."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    end: str = "answered"
    """`answered`, `closed` (the other side ended the connection), `reset` or `silent` (nothing within the time)."""
    seconds: float = 0.0

    @property
    def json(self) -> Any:
        """None where the body is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def is_enveloped(self) -> bool:
        """Whether it is a refusal as /v1 words them."""
        body = self.json
        error = body.get("error") if isinstance(body, dict) else None
        return isinstance(error, dict) and {"type", "message", "requestId"} <= error.keys()


def head(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def request(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> bytes:
    """With a Host, and the length of the body where there is one or a POST has none."""
    length = {"Content-Length": str(len(body))} if body or method in {"POST", "PATCH"} else {}
    return head(method, path, {"Host": "127.0.0.1", **headers, **length}) + body


def call(
    port: int, raw: bytes, *, source: str = "127.0.0.1", seconds: float = 10.0, half_close: bool = False
) -> Answer:
    """Send `raw` over a connection of its own, and read one answer. Never raises: what went wrong is the `end`."""
    began = time.monotonic()
    try:
        with socket.create_connection(
            ("127.0.0.1", port), timeout=seconds, source_address=(source, 0)
        ) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                connection.sendall(raw)
                if half_close:
                    connection.shutdown(socket.SHUT_WR)
            except (BrokenPipeError, ConnectionResetError):
                pass  # refused before all was sent: the answer may be there
            return read(connection, began + seconds, began, has_body=not raw.startswith(b"HEAD "))
    except TimeoutError:
        return Answer(0, end="silent", seconds=time.monotonic() - began)
    except OSError:
        return Answer(0, end="reset", seconds=time.monotonic() - began)


def connected(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def read_by(connection: socket.socket, *, seconds: float) -> Answer:
    """One answer, within so many seconds; what was read beyond it is lost but for a next answer's beginning."""
    return read(connection, time.monotonic() + seconds)


def received(connection: socket.socket, *, until: bytes, seconds: float) -> bytes:
    """Everything up to the bytes that are waited for, with the rest of what came with them; or what came in that time."""
    give_up, data = time.monotonic() + seconds, b""
    try:
        while until not in data:
            connection.settimeout(max(0.001, give_up - time.monotonic()))
            chunk = connection.recv(65_536)
            data += chunk
            if not chunk:
                break
    except OSError:
        pass
    return data


def read(  # noqa: C901 - the protocol, from the first byte to the last
    connection: socket.socket, give_up: float, began: float | None = None, *, has_body: bool = True
) -> Answer:
    """One answer, interim ones (100) passed over."""
    began = time.monotonic() if began is None else began
    data = bytearray()

    def ended(how: str) -> Answer:
        return Answer(0, body=bytes(data), end=how, seconds=time.monotonic() - began)

    def more() -> str:
        connection.settimeout(max(0.001, give_up - time.monotonic()))
        try:
            chunk = connection.recv(262_144)
        except TimeoutError:
            return "silent"
        except OSError:
            return "reset"
        data.extend(chunk)
        return "" if chunk and len(data) < LIMIT else "closed"

    while True:
        while b"\r\n\r\n" not in data:
            if how := more():
                return ended(how)
        lines, _, rest = bytes(data).partition(b"\r\n\r\n")
        status_line, *named = lines.decode("latin-1").split("\r\n")
        status = int(status_line.split(" ")[1]) if status_line.startswith("HTTP/") else -1
        if 100 <= status < 200 and status != 101:
            data = bytearray(rest)
            continue
        break
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (one.partition(":") for one in named)
    }
    data = bytearray(rest)
    if not has_body:
        pass
    elif "content-length" in headers:
        while len(data) < int(headers["content-length"]):
            if how := more():
                return ended(how)
    elif headers.get("transfer-encoding") == "chunked":
        while not data.endswith(b"0\r\n\r\n"):
            if how := more():
                return ended(how)
        data = unchunked(data)
    elif status not in {101, 204, 304} and headers.get("connection") == "close":
        while not more():
            pass
    return Answer(status, headers, bytes(data), seconds=time.monotonic() - began)


def unchunked(data: bytes | bytearray) -> bytearray:
    whole, rest = bytearray(), bytes(data)
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size.split(b";")[0], 16)
        whole += rest[:length]
        rest = rest[length + 2 :]
    return whole
