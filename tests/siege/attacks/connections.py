"""Connections as such: many that say nothing, many a second, requests in one go, connections kept and never used."""

import asyncio
import time

from tests.siege.attack import Attack
from tests.siege.field import Field

IDLE = 2_000
PER_SECOND = 500
PIPELINED = 50
PATIENCE = 40.0


async def idle(field: Field) -> None:
    await field.relentless(IDLE, lambda number: field.hold(b""))


async def flood(field: Field) -> None:
    """Opened and closed at once."""

    async def one(number: int) -> None:
        began = time.monotonic()
        try:
            (await field.connect()).close()
            field.tally.note("opened", time.monotonic() - began)
        except OSError as refused:
            field.tally.note(type(refused).__name__, time.monotonic() - began)

    await field.steady(PER_SECOND, one)


async def pipelined(field: Field) -> None:
    """Fifty requests in one go on each of twenty connections, the answers not taken."""
    ask = field.request("GET", "/v1/ping") * PIPELINED
    await field.relentless(20, lambda number: field.hold(ask, receive_buffer=2_304, reads=False))


async def kept_and_not_used(field: Field) -> None:
    """One request, its answer, then silence."""
    loop = asyncio.get_running_loop()
    ask = field.request("GET", "/v1/ping")

    async def one(number: int) -> None:
        began = time.monotonic()
        try:
            connection = await field.connect()
        except OSError as refused:
            return field.tally.note(type(refused).__name__, time.monotonic() - began)
        try:
            await loop.sock_sendall(connection, ask)
            while await loop.sock_recv(connection, 65_536):
                pass
            field.tally.note("closed", time.monotonic() - began)
        except OSError:
            field.tally.note("cut", time.monotonic() - began)
        except asyncio.CancelledError:
            field.tally.still_held += 1
            raise
        finally:
            connection.close()
        return None

    await field.relentless(200, one)


ATTACKS = [
    Attack("idle-connections", idle, patience=PATIENCE),
    Attack("connection-flood", flood, patience=5.0),
    Attack("pipelined", pipelined, patience=5.0),
    Attack("kept-not-used", kept_and_not_used, patience=PATIENCE),
]
