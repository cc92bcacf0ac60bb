"""Large answers that are asked for and not taken: small windows, and a byte a second at most."""

import json

from tests.siege.attack import Attack
from tests.siege.field import Field

COUNT = 200
PATIENCE = 35.0
WINDOW = 2_304  # bytes: the least that Linux gives a socket


async def of_the_document(field: Field) -> None:
    ask = field.request("GET", "/v1/openapi.json")
    await field.relentless(COUNT, lambda number: field.hold(ask, receive_buffer=WINDOW, reads=False))


async def of_a_search(field: Field) -> None:
    """The largest answer that a partner can ask for: each search by a limit of its own, so that none is a replay."""
    body = json.dumps({"limit": 100}).encode()

    async def one(number: int) -> None:
        ask = field.request("POST", "/v1/hotels/searches", body, key=field.key("heavy"))
        await field.hold(ask, receive_buffer=WINDOW, reads=False)

    await field.relentless(COUNT // 10, one)


ATTACKS = [
    Attack("slow-readers-document", of_the_document, patience=PATIENCE),
    Attack("slow-readers-search", of_a_search, patience=PATIENCE),
]
