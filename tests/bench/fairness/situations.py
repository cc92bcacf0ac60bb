"""Four of the siege's attacks, and one that is all four at once."""

import asyncio
from dataclasses import replace
from functools import cache
from typing import Any

from tests.siege.attack import Attack
from tests.siege.attacks import ATTACKS, hanging_endpoints
from tests.siege.field import Field
from tests.siege.stage import Stage

GREEDY, STORM, HUNG = ATTACKS["ten-times-limits"], ATTACKS["dear-searches"], ATTACKS["hung-hotels"]


@cache
def endpoints(stage: Stage) -> dict[str, Any]:
    """Made once: an account may have so many."""
    return hanging_endpoints.endpoints(stage)


RECEIVERS = replace(ATTACKS["hanging-endpoints"], prepare=endpoints)


async def at_once(field: Field) -> None:
    await asyncio.gather(*(attack.storm(field) for attack in (GREEDY, STORM, RECEIVERS, HUNG)))


def told(stage: Stage) -> dict[str, Any]:
    assert HUNG.prepare is not None
    return {**endpoints(stage), **HUNG.prepare(stage)}


TOGETHER = Attack(
    "all-at-once", at_once, prepare=told, patience=5.0, hung=HUNG.hung, crew=True, rounds=HUNG.rounds
)
SITUATIONS = {
    "a partner at ten times its limits": GREEDY,
    "a storm of dear searches": STORM,
    "receivers hang": RECEIVERS,
    "the hotels' supplier hangs": HUNG,
    "all of these at once": TOGETHER,
}
