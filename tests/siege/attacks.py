"""`python -m tests.siege.attacks NAME PORT KEYS`: one attack, in a process of its own, until its standard input ends.

Attackers call from 127.0.0.2. In the end it prints how their connections and calls ended, as JSON.
"""

import asyncio
import json
import socket
import sys
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

ADDRESS = "127.0.0.2"
PAUSE_SECONDS = 1.0  # what was refused comes again after so long
DAY = (datetime.now(UTC) + timedelta(days=60)).date().isoformat()
FLIGHT = {"origin": "LIS", "destination": "BER", "departureDate": DAY, "limit": 5}
SLOW = "X-Partner-Customer-Ref: sbx_slow\r\n"


class Attackers:
    def __init__(self, port: int, keys: dict[str, dict[str, str]]) -> None:
        self.port, self.keys = port, keys
        self.ends: Counter[str] = Counter()

    def request(self, method: str, path: str, key: str = "", body: object = None, more: str = "") -> bytes:
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{more}"
        head += f"Authorization: Bearer {key}\r\nIdempotency-Key: siege-{uuid.uuid4()}\r\n" if key else ""
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n" if content else ""
        return head.encode() + b"\r\n" + content

    async def call(self, opening: bytes, drip: bytes = b"", every: float = 1.0, reads: bool = True) -> None:
        """Send `opening`, then `drip` again and again until the server answers or ends it. Without `reads` nothing is taken."""
        connection = socket.socket()
        connection.setblocking(False)
        if not reads:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_304)  # the least that Linux gives
        loop, first = asyncio.get_running_loop(), b""
        try:
            connection.bind((ADDRESS, 0))
            await loop.sock_connect(connection, ("127.0.0.1", self.port))
            await loop.sock_sendall(connection, opening)
            while not reads:
                await asyncio.sleep(every)
            while True:
                try:
                    got = await asyncio.wait_for(loop.sock_recv(connection, 65_536), every if drip else None)
                except TimeoutError:
                    await loop.sock_sendall(connection, drip)
                    continue
                first = first or got[9:12]
                if not got:
                    break
            self.ends[first.decode("latin-1") or "closed"] += 1
        except OSError as error:
            self.ends[first.decode("latin-1") or type(error).__name__] += 1
        except asyncio.CancelledError:
            self.ends["held"] += 1
            raise
        finally:
            connection.close()

    async def relentless(self, count: int, opening: Callable[[], bytes], **how: object) -> None:
        """`count` attackers, each of whom begins again a moment after its end."""

        async def one() -> None:
            while True:
                await self.call(opening(), **how)  # type: ignore[arg-type]
                await asyncio.sleep(PAUSE_SECONDS)

        await asyncio.gather(*(one() for _ in range(count)))

    async def steady(self, per_second: float, opening: Callable[[], bytes]) -> None:
        """A new call at an even pace, whether or not the former ones were answered."""
        async with asyncio.TaskGroup() as calls:
            while True:
                calls.create_task(self.call(opening()))
                await asyncio.sleep(1 / per_second)


def half_bodies(a: Attackers) -> Awaitable[object]:
    """A length is promised, one byte comes."""
    whole = a.request("POST", "/v1/hotels/searches", a.keys["heavy"]["test"], {"limit": 5, "name": "x" * 500})
    return a.relentless(200, lambda: whole[:-500])


def two_byte_chunks(a: Attackers) -> Awaitable[object]:
    head = a.request(
        "POST", "/v1/hotels/searches", more="Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n"
    )
    return a.relentless(200, lambda: head, drip=b"2\r\n  \r\n", every=0.1)


def slow_headers(a: Attackers) -> Awaitable[object]:
    return a.relentless(200, lambda: b"GET /v1/account HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", drip=b"a")


def slow_readers(a: Attackers) -> Awaitable[object]:
    """The largest answer, of which nothing is taken."""
    return a.relentless(100, lambda: a.request("GET", "/v1/openapi.json"), reads=False)


def ten_times_limits(a: Attackers) -> Awaitable[object]:
    key = a.keys["attacker"]["test"]
    return asyncio.gather(
        a.steady(50, lambda: a.request("GET", "/v1/account", key)),
        a.steady(10, lambda: a.request("POST", "/v1/flights/searches", key, FLIGHT)),
    )


def slow_sandbox(a: Attackers) -> Awaitable[object]:
    """32 slow calls of one partner at once."""
    key = a.keys["heavy"]["test"]
    return a.relentless(32, lambda: a.request("POST", "/v1/flights/searches", key, FLIGHT, SLOW))


def hung_supplier(a: Attackers) -> Awaitable[object]:
    key = a.keys["heavy"]["live"]
    return a.relentless(40, lambda: a.request("POST", "/v1/flights/searches", key, FLIGHT))


def health_flood(a: Attackers) -> Awaitable[object]:
    return a.steady(200, lambda: a.request("GET", "/health/ready"))


def wrong_keys(a: Attackers) -> Awaitable[object]:
    return a.steady(100, lambda: a.request("GET", "/v1/account", "svc_test_" + "0" * 38))


ATTACKS: dict[str, Callable[[Attackers], Awaitable[object]]] = {
    "half-bodies": half_bodies,
    "two-byte-chunks": two_byte_chunks,
    "slow-headers": slow_headers,
    "slow-readers": slow_readers,
    "ten-times-limits": ten_times_limits,
    "slow-sandbox": slow_sandbox,
    "hung-supplier": hung_supplier,
    "health-flood": health_flood,
    "wrong-keys": wrong_keys,
}


async def main(name: str, port: str, keys: str) -> None:
    attackers = Attackers(int(port), json.loads(keys))
    storm = asyncio.ensure_future(ATTACKS[name](attackers))
    await asyncio.to_thread(sys.stdin.read)
    storm.cancel()
    await asyncio.wait([storm])
    await asyncio.sleep(0)  # those who held a connection count it
    print(json.dumps(attackers.ends))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
