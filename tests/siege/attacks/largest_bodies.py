"""A hundred of the largest bodies that are let in, of each operation that takes one, in the shapes that cost the most."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tests.siege.attack import Attack
from tests.siege.field import Field

if TYPE_CHECKING:
    from tests.siege.stage import Stage

COUNT = 100
LARGEST = 256 * 1024  # bytes: MAX_BODY_BYTES
OPERATIONS = (
    "searchHotels",
    "createHotelBooking",
    "cancelHotelBooking",
    "searchFlights",
    "createFlightOrder",
    "cancelFlightOrder",
    "listFlightChangeOptions",
    "changeFlightOrder",
    "acceptFlightScheduleChange",
    "searchTransfers",
    "createTransferOrder",
    "cancelTransferOrder",
    "createEsimOrder",
    "createEsimTopUp",
    "createWebhookEndpoint",
    "updateWebhookEndpoint",
    "rotateWebhookSecret",
    "testWebhookEndpoint",
    "resendWebhookDelivery",
)


def with_bodies(document: dict[str, Any]) -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Operations of the document that take a body: id → method, path with an id in it, schema."""
    return {
        entry["operationId"]: (method.upper(), path, schema_of(document, entry))
        for path, methods in document["paths"].items()
        for method, entry in methods.items()
        if method in {"post", "patch"}
    }


def schema_of(document: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    content = entry.get("requestBody", {}).get("content", {})
    return resolved(document, content.get("application/json", {}).get("schema", {}))


def resolved(document: dict[str, Any], schema: Any) -> dict[str, Any]:
    """With references and `allOf` of one followed, at the top."""
    while "$ref" in schema or "allOf" in schema or "anyOf" in schema or "oneOf" in schema:
        if "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        else:
            schema = next(schema[word] for word in ("allOf", "anyOf", "oneOf") if word in schema)[0]
    return dict(schema)


def shapes(document: dict[str, Any], schema: dict[str, Any]) -> Iterator[str]:
    """Bodies just below the largest: each list full of the cheapest items, each text as long as it goes, unknown names."""
    for name, found in schema.get("properties", {}).items():
        found = resolved(document, found)
        types = found.get("type")
        types = types if isinstance(types, list) else [types]
        if "array" in types:
            for item in ("{}", "1", '"a"', "null", "[]"):
                yield filled(f'{{"{name}":[', item + ",", item, "]}")
        elif "object" in types:
            for inner in shapes(document, found):
                yield f'{{"{name}":{inner[: LARGEST - 64]}' + "}" if len(inner) < LARGEST - 64 else inner
        elif "string" in types:
            yield filled(f'{{"{name}":"', "x", "", '"}')
    yield filled('{"', "x", "", '":1}')
    names = ",".join(f'"a{n}":1' for n in range(19_000))
    yield "{" + names[: names.rindex(",", 0, LARGEST - 2)] + "}"
    yield filled("[", "1,", "1", "]")
    yield filled("[", "[],", "[]", "]")
    yield filled('{"a":[', "{},", "{}", "]}")


def filled(opening: str, item: str, last: str, closing: str) -> str:
    room = LARGEST - len(opening) - len(last) - len(closing)
    return opening + item * (room // len(item)) + last + closing


def prepared(operation: str, stage: "Stage") -> dict[str, Any]:
    document = stage.api("heavy").get("/v1/openapi.json").body
    method, path, schema = with_bodies(document)[operation]
    return {"method": method, "path": path, "bodies": list(shapes(document, schema))}


async def hundred(field: Field) -> None:
    """All at once, once a wave, past the limits of a key."""
    told = field.told
    path = re.sub(r"\{\w+\}", "unknown_01", told["path"])
    bodies = [body.encode() for body in told["bodies"]]
    await field.volley(
        field.request(told["method"], path, bodies[number % len(bodies)], key=field.key("heavy"))
        for number in range(told.get("count", COUNT))
    )


def attack(operation: str) -> Attack:
    return Attack(
        f"bodies-{operation}",
        hundred,
        prepare=lambda stage: prepared(operation, stage),
        patience=60.0,
        rounds=4,
    )


ATTACKS = [attack(operation) for operation in OPERATIONS]
