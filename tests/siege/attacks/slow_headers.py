"""Headers that never end."""

from tests.siege.attack import Attack
from tests.siege.field import Field

COUNT = 200
PATIENCE = 35.0
OPENING = b"GET /v1/account HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


async def silent(field: Field) -> None:
    await field.relentless(COUNT, lambda number: field.hold(OPENING))


async def dripping(field: Field) -> None:
    await field.relentless(COUNT, lambda number: field.hold(OPENING, drip=b"a"))


ATTACKS = [
    Attack("slow-headers", silent, patience=PATIENCE, must_end=True),
    Attack("slow-headers-drip", dripping, patience=PATIENCE, must_end=True),
]
