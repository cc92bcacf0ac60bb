"""Fifty webhook endpoints that take a delivery and never answer, each with deliveries due."""

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from tests.siege.attack import Attack
from tests.siege.field import Field

if TYPE_CHECKING:
    from tests.siege.stage import Stage

ENDPOINTS = 50
PER_ENVIRONMENT = 20  # as many as an account may have in one
TESTS_EACH = 5


def endpoints(stage: "Stage") -> dict[str, Any]:
    """Fifty endpoints, of three environments; where they listen is opened by the storm."""
    places = [("heavy", "test"), ("heavy", "live"), ("attacker", "test")]
    port = stage.silent_port()
    made: dict[str, list[str]] = {}
    for number in range(ENDPOINTS):
        partner, environment = places[number // PER_ENVIRONMENT]
        answer = stage.api(partner, environment).post(
            "/v1/webhooks/endpoints",
            {"url": f"http://127.0.0.1:{port}/hooks/{number}", "events": ["booking.confirmed"]},
        )
        if answer.status == 201:
            made.setdefault(f"{partner} {environment}", []).append(answer.body["id"])
    return {"port": port, "endpoints": made}


async def deliveries(field: Field) -> None:
    """Every endpoint is sent test deliveries, which hang, as fast as its key may ask."""
    with contextlib.suppress(OSError):  # its port may be open still from the wave before
        await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", field.told["port"], backlog=200)
    paths = [
        (field.key(*whose.split()), f"/v1/webhooks/endpoints/{id}/test")
        for whose, ids in field.told["endpoints"].items()
        for id in ids
    ]

    async def test(number: int) -> None:
        key, path = paths[number % len(paths)]
        if number < len(paths) * TESTS_EACH:
            await field.ask(field.request("POST", path, b"{}", key=key))

    await field.steady(10, test)


ATTACKS = [Attack("hanging-endpoints", deliveries, prepare=endpoints, crew=True, patience=5.0)]
