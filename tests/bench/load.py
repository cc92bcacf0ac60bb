"""A small closed-loop load generator: raw sockets kept open, a few processes of a few threads, bounded in time."""

import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from threading import Thread

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


@dataclass(frozen=True)
class Volley:
    """What came of a shot: requests a second, and the latencies' median, 95th and 99th percentile in milliseconds."""

    per_second: float
    median: float
    p95: float
    p99: float


def fire(shot: Shot, port: int, seconds: float, seed: str, expected: tuple[int, ...] = (200, 201)) -> Volley:
    """Send `shot` as fast as answers come, for `seconds`. Raises on an unexpected status."""
    with ProcessPoolExecutor(PROCESSES) as pool:
        jobs = [
            pool.submit(_process, shot.raw, port, seconds, f"{seed}-{number}", expected)
            for number in range(PROCESSES)
        ]
        latencies = sorted(latency for job in jobs for latency in job.result())
    return Volley(
        per_second=len(latencies) / seconds,
        median=latencies[len(latencies) // 2] * 1000,
        p95=latencies[int(len(latencies) * 0.95)] * 1000,
        p99=latencies[int(len(latencies) * 0.99)] * 1000,
    )


def alternate(shot: Shot, ports: Sequence[int], seconds: float) -> int:
    """Send `shot` to the servers at `ports` in turn, each answer awaited; how many calls each of them got.

    Whatever else the machine does in these milliseconds meets them all.
    """
    with ProcessPoolExecutor(PROCESSES) as pool:
        jobs = [
            pool.submit(_alternating_process, shot.raw[0].encode(), ports, seconds) for _ in range(PROCESSES)
        ]
        return sum(job.result() for job in jobs)


def _alternating_process(request: bytes, ports: Sequence[int], seconds: float) -> int:
    with ThreadPoolExecutor(THREADS) as pool:
        orders = [ports if number % 2 else ports[::-1] for number in range(THREADS)]
        jobs = [pool.submit(_alternating, request, order, seconds) for order in orders]
        return sum(job.result() for job in jobs)


def _alternating(request: bytes, ports: Sequence[int], seconds: float) -> int:
    end, calls = time.monotonic() + seconds, 0
    with ExitStack() as stack:
        connections = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30)) for port in ports
        ]
        while time.monotonic() < end:
            for connection in connections:
                connection.sendall(request)
                status, answer = _read(connection)
                if status != 200:
                    raise RuntimeError(f"answered {status}: {answer[:300]!r}")
            calls += 1
    return calls


def _process(
    raw: tuple[str, ...], port: int, seconds: float, seed: str, expected: tuple[int, ...]
) -> list[float]:
    latencies: list[float] = []
    failures: list[BaseException] = []
    threads = [
        Thread(target=_thread, args=(raw, port, seconds, f"{seed}-{n}", expected, latencies, failures))
        for n in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise RuntimeError(repr(failures[0]))
    return latencies


def _thread(
    raw: tuple[str, ...],
    port: int,
    seconds: float,
    seed: str,
    expected: tuple[int, ...],
    latencies: list[float],
    failures: list[BaseException],
) -> None:
    try:
        latencies.extend(_loop(_requests(raw, seed), port, seconds, expected))
    except BaseException as failure:
        failures.append(failure)


def _requests(raw: tuple[str, ...], seed: str) -> Callable[[], bytes]:
    numbers = count()
    if len(raw) == 1 and "{unique}" not in raw[0]:
        fixed = raw[0].encode()
        return lambda: fixed

    def next_request() -> bytes:
        number = next(numbers)
        return raw[(first + number) % len(raw)].format(unique=f"bench-{seed}-{number}").encode()

    first = hash(seed)  # threads begin at different ones
    return next_request


def _loop(
    request: Callable[[], bytes], port: int, seconds: float, expected: tuple[int, ...]
) -> Iterator[float]:
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        end = time.monotonic() + seconds
        while (began := time.monotonic()) < end:
            connection.sendall(request())
            status, answer = _read(connection)
            if status not in expected:
                raise RuntimeError(f"answered {status}: {answer[:300]!r}")
            yield time.monotonic() - began


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
