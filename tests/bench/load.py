"""A small closed-loop load generator: raw sockets kept open, a few processes of a few threads, bounded in time."""

import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

PROCESSES = 2
THREADS = 4


@dataclass(frozen=True)
class Shot:
    """Requests that can be sent again and again, in turn; `{unique}` in them is a fresh Idempotency-Key each time."""

    name: str
    raw: tuple[str, ...]

    @property
    def seed(self) -> str:
        return self.name.replace(" ", "-")

    @classmethod
    def get(cls, name: str, path: str, secret: str = "") -> "Shot":
        authorization = f"Authorization: Bearer {secret}\r\n" if secret else ""
        return cls(name, (f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{authorization}\r\n",))

    @classmethod
    def post(cls, name: str, path: str, secret: str, body: str) -> "Shot":
        head = (
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secret}\r\n"
            f"Idempotency-Key: {{unique}}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return cls(name, (head + body.replace("{", "{{").replace("}", "}}"),))

    @classmethod
    def in_turn(cls, shots: Sequence["Shot"]) -> "Shot":
        return cls(shots[0].name, tuple(raw for shot in shots for raw in shot.raw))


def fire(shot: Shot, port: int, seconds: float, seed: str) -> float:
    """Send `shot` as fast as answers come; how many came a second. Raises on an unexpected status."""
    with ProcessPoolExecutor(PROCESSES) as pool:
        jobs = [
            pool.submit(_process, shot.raw, port, seconds, f"{seed}-{number}") for number in range(PROCESSES)
        ]
        return sum(job.result() for job in jobs) / seconds


def _process(raw: tuple[str, ...], port: int, seconds: float, seed: str) -> int:
    with ThreadPoolExecutor(THREADS) as pool:
        jobs = [pool.submit(_loop, _requests(raw, f"{seed}-{n}"), port, seconds) for n in range(THREADS)]
        return sum(job.result() for job in jobs)


def _requests(raw: tuple[str, ...], seed: str) -> Iterator[bytes]:
    first = hash(seed)  # threads begin at different ones
    for number in count():
        yield raw[(first + number) % len(raw)].format(unique=f"bench-{seed}-{number}").encode()


def _loop(requests: Iterator[bytes], port: int, seconds: float) -> int:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        end, calls = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            connection.sendall(next(requests))
            status, answer = _read(connection)
            if status not in (200, 201):
                raise RuntimeError(f"returned {status}: {answer[:300]!r}")
            calls += 1
        return calls


def _read(connection: socket.socket) -> tuple[int, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        data += _more(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
    while len(body) < length:
        body += _more(connection)
    return int(head.split(b" ", 2)[1]), body


def _more(connection: socket.socket) -> bytes:
    chunk = connection.recv(65536)
    if not chunk:
        raise ConnectionError("the server closed the connection")
    return chunk
