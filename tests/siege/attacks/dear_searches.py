"""Sixty searches at once that are valid and cost as much as one may ask for."""

import json

from tests.siege.attack import Attack
from tests.siege.field import Field
from tests.siege.goods import FLIGHT, TRANSFER

COUNT = 60
DEAR = [
    ("/v1/hotels/searches", {"limit": 100, "rooms": [{"adults": 2, "childrenAges": [3, 5]}] * 3}),
    (
        "/v1/flights/searches",
        {
            **FLIGHT,
            "limit": 100,
            "passengers": {"adults": 6, "children": 2, "infants": 1},
            "maxConnections": 2,
        },
    ),
    ("/v1/transfers/searches", {**TRANSFER, "adults": 8, "limit": 100}),
]


async def all_at_once(field: Field) -> None:
    """Once a wave: a key may ask for sixty a minute."""
    searches = [DEAR[number % len(DEAR)] for number in range(COUNT)]
    await field.volley(
        field.request("POST", path, json.dumps(body).encode(), key=field.key("heavy"))
        for path, body in searches
    )


ATTACKS = [Attack("dear-searches", all_at_once, patience=20.0)]
