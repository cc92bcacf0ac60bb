"""Floods that need no key: pings, wrong keys, and the document asked for before anybody has."""

from typing import TYPE_CHECKING

from tests.siege.attack import Attack
from tests.siege.field import Field

if TYPE_CHECKING:
    from tests.siege.stage import Stage

PINGS_PER_SECOND = 200
WRONG_KEYS_PER_SECOND = 100
COLD = 30


async def pings(field: Field) -> None:
    ask = field.request("GET", "/v1/ping")
    await field.steady(PINGS_PER_SECOND, lambda number: field.ask(ask))


async def wrong_keys(field: Field) -> None:
    ask = field.request("GET", "/v1/account", key=field.key("nobody"))
    await field.steady(WRONG_KEYS_PER_SECOND, lambda number: field.ask(ask))


async def cold_document(field: Field) -> None:
    ask = field.request("GET", "/v1/openapi.json")
    await field.volley([ask] * COLD)


def fresh_processes(stage: "Stage") -> dict[str, object]:
    """The document is cold once in the life of a process."""
    stage.restart_web()
    return {}


ATTACKS = [
    Attack("ping-flood", pings, patience=5.0),
    Attack("wrong-keys-flood", wrong_keys, patience=5.0),
    Attack("cold-document", cold_document, prepare=fresh_processes, patience=20.0, rounds=1),
]
