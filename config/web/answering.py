"""What a connection is to send: the head and body of an answer, and how much of it its reader has taken."""

import time
from collections.abc import Iterable
from email.utils import formatdate
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import Any

from config.web.reading import Request

NO_BODY = frozenset({204, 304})
PIECE_BYTES = 256 * 1024
Headers = list[tuple[str, str]]


class Started:
    """`start_response`: keeps what the application says first."""

    __slots__ = ("headers", "status")

    def __init__(self) -> None:
        self.status = "500 Internal Server Error"
        self.headers: Headers = []

    def __call__(self, status: str, headers: Headers, exc_info: Any = None) -> None:
        self.status, self.headers = status, headers


class Outgoing:
    """An answer on its way out. `pieces` are sent in order; a long body waits in a file."""

    __slots__ = ("_file", "last", "pieces", "size")

    def __init__(self, pieces: list[memoryview], size: int, *, last: bool, file: Any = None) -> None:
        self.pieces, self.size, self.last = pieces, size, last
        self._file = file

    @property
    def in_memory(self) -> int:
        """Bytes that wait in memory."""
        return sum(len(piece) for piece in self.pieces)

    def taken(self, count: int) -> None:
        """The reader's system took `count` bytes of the pieces."""
        while count:
            first = self.pieces[0]
            if count < len(first):
                self.pieces[0] = first[count:]
                return
            count -= len(first)
            self.pieces.pop(0)

    def refill(self) -> bool:
        """Read on from the file; whether there is more to send."""
        if not self.pieces and self._file is not None:
            piece = self._file.read(PIECE_BYTES)
            if piece:
                self.pieces.append(memoryview(piece))
            else:
                self.close()
        return bool(self.pieces)

    def close(self) -> None:
        self.pieces.clear()
        if self._file is not None:
            self._file.close()
            self._file = None


def outgoing(
    request: Request, started: Started, result: Iterable[bytes], *, last: bool, memory_bytes: int
) -> Outgoing:
    """The answer of the application as bytes to send. Reads `result` to its end; whoever reads slowly holds no thread."""
    status = int(started.status[:3])
    bodiless = request.method == "HEAD" or status in NO_BODY
    body, length, file = _collect(result, memory_bytes)
    head = [f"HTTP/1.1 {started.status}\r\n"]
    measured = status in NO_BODY
    for name, value in started.headers:
        head.append(f"{name}: {value}\r\n")
        measured = measured or (len(name) == 14 and name.lower() == "content-length")
    if not measured:
        head.append(f"Content-Length: {length}\r\n")
    return _sealed(head, [] if bodiless else body, None if bodiless else file, length, last=last)


def refusal(status: int, body: bytes, headers: Headers) -> Outgoing:
    """An answer of the server itself. Nothing more is read from its connection."""
    head = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n"]
    head += [f"{name}: {value}\r\n" for name, value in [*headers, ("Content-Length", str(len(body)))]]
    return _sealed(head, [body], None, len(body), last=True)


def _sealed(head: list[str], body: list[bytes], file: Any, length: int, *, last: bool) -> Outgoing:
    head.append(f"Date: {_date()}\r\nConnection: close\r\n\r\n" if last else f"Date: {_date()}\r\n\r\n")
    first = "".join(head).encode("latin-1")
    return Outgoing(
        [memoryview(piece) for piece in [first, *body] if piece], len(first) + length, last=last, file=file
    )


def _collect(result: Iterable[bytes], memory_bytes: int) -> tuple[list[bytes], int, Any]:
    """The body's pieces, its length, and the file it waits in where it is longer than `memory_bytes`."""
    pieces: list[bytes] = []
    length = 0
    parts = iter(result)
    for part in parts:
        pieces.append(part)
        length += len(part)
        if length > memory_bytes and not isinstance(result, list):
            break
    else:
        return pieces, length, None
    file = SpooledTemporaryFile(max_size=1)  # noqa: SIM115  # closed with the connection
    for part in pieces:
        file.write(part)
    for part in parts:
        file.write(part)
        length += len(part)
    file.seek(0)
    return [], length, file


_dated: tuple[int, str] = (0, "")


def _date() -> str:
    """The Date header, made once a second."""
    global _dated
    now = int(time.time())
    if _dated[0] != now:
        _dated = (now, formatdate(now, usegmt=True))
    return _dated[1]
