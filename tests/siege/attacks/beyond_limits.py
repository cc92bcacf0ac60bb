"""A partner at ten times its limits with one key, and one with twenty keys, each at its limit."""

import asyncio
import json

from tests.siege.attack import Attack
from tests.siege.field import Field
from tests.siege.goods import FLIGHT

PER_SECOND = {"READ": 300 / 60, "SEARCH": 60 / 60}
"""The usual limits of a key."""


async def one_key(field: Field) -> None:
    await asyncio.gather(
        field.steady(10 * PER_SECOND["READ"], lambda number: read(field, field.key())),
        field.steady(10 * PER_SECOND["SEARCH"], lambda number: search(field, field.key())),
    )


async def twenty_keys(field: Field) -> None:
    keys: list[str] = field.partners["crowd"]["liveKeys"]
    await asyncio.gather(
        field.steady(len(keys) * PER_SECOND["READ"], lambda number: read(field, keys[number % len(keys)])),
        field.steady(
            len(keys) * PER_SECOND["SEARCH"], lambda number: search(field, keys[number % len(keys)])
        ),
    )


async def read(field: Field, key: str) -> None:
    await field.ask(field.request("GET", "/v1/account", key=key))


async def search(field: Field, key: str) -> None:
    await field.ask(field.request("POST", "/v1/flights/searches", json.dumps(FLIGHT).encode(), key=key))


ATTACKS = [
    Attack("ten-times-limits", one_key, patience=5.0),
    Attack("twenty-keys-at-limits", twenty_keys, patience=5.0),
]
