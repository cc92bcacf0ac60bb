"""Where attacks take place: cheap connections, many at once in one thread, and a tally of what became of each."""

import asyncio
import contextlib
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.siege.wire import request

ATTACKERS = "127.0.0.2"
"""Where attacks come from: not the victims' address, which is 127.0.0.1."""
AGAIN_SECONDS = 1.0  # what is refused comes again after this long


@dataclass
class Tally:
    """What attackers were answered, or how their connections ended, and after how many seconds."""

    ends: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    still_held: int = 0
    """Connections that the server had neither answered nor ended when we gave up."""

    def note(self, end: str, seconds: float) -> None:
        self.ends[end] += 1
        self.seconds.append(seconds)

    def as_json(self) -> dict[str, Any]:
        return {"ends": dict(self.ends), "seconds": sorted(self.seconds), "held": self.still_held}


@dataclass
class Field:
    """What an attack needs to know: where, and with which keys. `told` is what its preparation found out."""

    port: int
    partners: dict[str, Any]
    told: dict[str, Any] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    over: bool = False
    """Set when no new connections are to be made; those that are open wait for their end."""

    def key(self, partner: str = "attacker", environment: str = "live") -> str:
        return str(self.partners[partner][f"{environment}Key"])

    def request(self, method: str, path: str, body: bytes = b"", *, key: str = "", **headers: str) -> bytes:
        """With an Idempotency-Key of its own where a key is given and the method is POST."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if key:
            named |= {"Authorization": f"Bearer {key}"}
            if method == "POST":
                named |= {"Idempotency-Key": f"siege-{time.monotonic_ns()}"}
        if body:
            named.setdefault("Content-Type", "application/json")
        return request(method, path, named, body)

    async def connect(self, source: str = ATTACKERS, *, receive_buffer: int = 0) -> socket.socket:
        """A socket that reads and writes without blocking."""
        connection = socket.socket()
        connection.setblocking(False)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        try:
            connection.bind((source, 0))
            await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self.port))
        except BaseException:
            connection.close()
            raise
        return connection

    async def hold(
        self,
        opening: bytes,
        *,
        drip: bytes = b"",
        source: str = ATTACKERS,
        receive_buffer: int = 0,
        reads: bool = True,
    ) -> None:
        """Send `opening`, then nothing, or `drip` once a second, until the server ends it. Notes what came first.

        Without `reads` what comes is left lying, but for one byte a second: only the end of the connection counts.
        """
        began = time.monotonic()
        loop = asyncio.get_running_loop()
        try:
            connection = await self.connect(source, receive_buffer=receive_buffer)
        except OSError as refused:
            self.tally.note(type(refused).__name__, time.monotonic() - began)
            return
        first = b""
        try:
            await loop.sock_sendall(connection, opening)
            while True:
                if reads:
                    try:
                        got = await asyncio.wait_for(
                            loop.sock_recv(connection, 65_536), 1.0 if drip else None
                        )
                    except TimeoutError:
                        await loop.sock_sendall(connection, drip)
                        continue
                else:
                    await asyncio.sleep(1.0)
                    got = await loop.sock_recv(connection, 1)
                first = first or got[:12]
                if not got or reads:
                    break
            self.tally.note(self._named(first), time.monotonic() - began)
        except asyncio.CancelledError:
            self.tally.still_held += 1
            raise
        except OSError:
            self.tally.note(self._named(first) if reads else "cut", time.monotonic() - began)
        finally:
            connection.close()

    async def ask(self, raw: bytes, *, source: str = ATTACKERS) -> str:
        """One request, its answer read to the end; the status, or how it failed instead."""
        began = time.monotonic()
        try:
            connection = await self.connect(source)
        except OSError as refused:
            self.tally.note(type(refused).__name__, time.monotonic() - began)
            return type(refused).__name__
        try:
            end = await self._exchange(connection, raw)
        except asyncio.CancelledError:
            self.tally.still_held += 1
            raise
        except OSError:
            end = "cut"
        finally:
            connection.close()
        self.tally.note(end, time.monotonic() - began)
        return end

    async def _exchange(self, connection: socket.socket, raw: bytes) -> str:
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):  # refused before all was sent: the answer may be there
            await loop.sock_sendall(connection, raw)
        data = b""
        while b"\r\n\r\n" not in data:
            got = await loop.sock_recv(connection, 65_536)
            if not got:
                return self._named(data)
            data += got
        lines, _, body = data.partition(b"\r\n\r\n")
        _, said, length = lines.lower().partition(b"content-length:")
        missing = int(length.split(b"\r\n")[0]) - len(body) if said else 0
        while missing > 0:
            got = await loop.sock_recv(connection, 262_144)
            missing -= len(got)
            if not got:
                return "cut"
        return self._named(data)

    @staticmethod
    def _named(first: bytes) -> str:
        return first[9:12].decode("latin-1") if first.startswith(b"HTTP/1.") else "closed"

    async def relentless(
        self, count: int, script: Callable[[int], Awaitable[object]], *, pause: float = AGAIN_SECONDS
    ) -> None:
        """`count` attackers, each of whom begins again a moment after it was refused, until it is over."""

        async def one(number: int) -> None:
            while not self.over:
                await script(number)
                if not self.over:
                    await asyncio.sleep(pause)

        await together(one(number) for number in range(count))

    async def volley(self, requests: Iterable[bytes], *, source: str = ATTACKERS) -> None:
        """All at once, each once."""
        await together(self.ask(raw, source=source) for raw in requests)

    async def steady(self, per_second: float, script: Callable[[int], Awaitable[object]]) -> None:
        """A new one at an even pace, whether or not the former ones were answered, until it is over."""
        running: set[asyncio.Task[object]] = set()
        number, began = 0, time.monotonic()
        try:
            while not self.over:
                task = asyncio.ensure_future(script(number))
                running.add(task)
                task.add_done_callback(running.discard)
                number += 1
                await asyncio.sleep(max(0.0, began + number / per_second - time.monotonic()))
            await asyncio.gather(*running)
        finally:
            for task in running:
                task.cancel()


async def together(scripts: Iterable[Awaitable[object]]) -> None:
    """All of them; where we are cancelled, they are, each noting that it was still held."""
    tasks = [asyncio.ensure_future(script) for script in scripts]
    try:
        await asyncio.gather(*tasks)
    except asyncio.CancelledError:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
