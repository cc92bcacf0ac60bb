"""Hostile inputs to /v1, made by rule from the OpenAPI document: paths, queries, headers and bodies of every operation."""

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from jsonschema import Draft202012Validator

from tests.siege.attacks.largest_bodies import resolved
from tests.siege.goods import CONTACT, FLIGHT, NAMES, TRANSFER, day, passengers
from tests.siege.hostile.inputs import (
    BAD_CREDENTIALS,
    BAD_IDEMPOTENCY_KEYS,
    BAD_TRIGGERS,
    CONTENT_TYPES,
    IN_BODIES,
    IN_PATHS,
    IN_QUERIES,
    WHOLE_BODIES,
    Input,
)

METHODS = ("PUT", "OPTIONS", "TRACE", "BREW", "PROPFIND")
NO_BODY = {"{}", ""}


@dataclass(frozen=True)
class Operation:
    id: str
    method: str
    path: str
    parameters: tuple[dict[str, Any], ...]
    schema: dict[str, Any] | None
    """None where it takes no body."""

    def url(self, ids: dict[str, str]) -> str:
        """With a real id where there is one of its kind."""
        return re.sub(r"\{\w+\}", ids.get(self.id, "unknown_01"), self.path)


def operations(document: dict[str, Any]) -> list[Operation]:
    """Those that need a key."""
    found = []
    for path, methods in document["paths"].items():
        for method, entry in methods.items():
            content = entry.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema")
            if path.startswith("/v1/") and path != "/v1/ping":
                told = (told_once(one, document) for one in entry.get("parameters", []))
                parameters = tuple(one for one in told if one["in"] == "query")
                found.append(Operation(entry["operationId"], method.upper(), path, parameters, schema))
    return found


def told_once(part: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """A parameter that many operations take stands in the components."""
    if "$ref" not in part:
        return part
    found: dict[str, Any] = document["components"]["parameters"][part["$ref"].rpartition("/")[2]]
    return found


def inputs(document: dict[str, Any], key: str, told: dict[str, str]) -> list[Input]:
    """All of them; `told` names goods of the key's account."""
    ids = {
        "cancelHotelBooking": told["stayId"],
        "cancelFlightOrder": told["orderId"],
        "cancelTransferOrder": told["rideId"],
        "listFlightChangeOptions": told["orderId"],
        "changeFlightOrder": told["orderId"],
        "updateWebhookEndpoint": told["endpointId"],
        "rotateWebhookSecret": told["endpointId"],
        "testWebhookEndpoint": told["endpointId"],
    }
    made: list[Input] = []
    for operation in operations(document):
        made += [
            *paths(operation),
            *queries(operation),
            *headers(operation, key, ids),
            *bodies(document, operation, ids, told),
        ]
    made += methods(document)
    return [with_key(one, number, key) for number, one in enumerate(made)]


def with_key(one: Input, number: int, key: str) -> Input:
    """What every call needs, where the input does not say otherwise."""
    needed = {"Authorization": f"Bearer {key}"}
    if one.method == "POST":
        needed["Idempotency-Key"] = f"hostile-{number}"
    if one.method in {"POST", "PATCH"}:
        needed["Content-Type"] = "application/json"
    return replace(one, headers={**needed, **one.headers})


def paths(operation: Operation) -> Iterator[Input]:
    if "{" in operation.path:
        for name, value in IN_PATHS.items():
            path = re.sub(r"\{\w+\}", value, operation.path)
            yield Input(
                f"id: {name}",
                operation.method,
                path,
                body=b"{}" if operation.schema else b"",
                must_refuse=value != "..",
            )
    yield Input(
        "a slash at the end",
        operation.method,
        re.sub(r"\{\w+\}", "a", operation.path) + "/",
        must_refuse=True,
    )


def queries(operation: Operation) -> Iterator[Input]:
    path = re.sub(r"\{\w+\}", "a", operation.path)
    for parameter in operation.parameters:
        for name, value in IN_QUERIES.items():
            wrong = not fits(parameter["schema"], unquote(value, errors="replace"))
            yield Input(
                f"{parameter['name']}: {name}",
                operation.method,
                f"{path}?{parameter['name']}={value}",
                must_refuse=wrong,
            )
        good = {"integer": "5"}.get(parameter["schema"].get("type"), "a")
        twice = f"{path}?{parameter['name']}={good}&{parameter['name']}={good}"
        yield Input(f"{parameter['name']}: twice", operation.method, twice, must_refuse=True)
    yield Input("5,000 parameters", operation.method, path + "?" + "&".join(f"a{n}=1" for n in range(5_000)))


def fits(schema: dict[str, Any], value: str) -> bool:
    """Whether a query's text is one that the document allows, as far as it says; a cursor is always somebody's own."""
    if schema.get("type") == "integer":
        return re.fullmatch(r"[0-9]{1,9}", value) is not None and Draft202012Validator(schema).is_valid(
            int(value)
        )
    if schema.get("format") == "date":
        return re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII) is not None and value[:4] > "0000"
    if "\x00" in value:
        return False
    return Draft202012Validator(schema).is_valid(value) or value == ""


def headers(operation: Operation, key: str, ids: dict[str, str]) -> Iterator[Input]:
    path, body = operation.url({}), b"{}" if operation.schema else b""
    for value in BAD_CREDENTIALS:
        sent = {"Authorization": value.replace("{key}", key)}
        yield Input(f"credentials {value[:20]}", operation.method, path, sent, body, must_refuse=True)
    for value in BAD_TRIGGERS:
        sent = {"X-Partner-Customer-Ref": value}
        yield Input(
            f"trigger {value[:20]}", operation.method, operation.url(ids), sent, body, must_refuse=True
        )
    if operation.method == "POST":
        for value in BAD_IDEMPOTENCY_KEYS:
            yield Input(
                f"Idempotency-Key {value[:20]}",
                "POST",
                operation.url(ids),
                {"Idempotency-Key": value},
                body,
                must_refuse=True,
            )
    if operation.schema:
        for value, wrong in CONTENT_TYPES.items():
            yield Input(
                f"type {value}",
                operation.method,
                operation.url({}),
                {"Content-Type": value},
                b'{"a":1}',
                must_refuse=wrong,
            )
        yield Input(
            "gzip that is none",
            operation.method,
            path,
            {"Content-Encoding": "gzip"},
            b'{"a":1}',
            must_refuse=True,
        )


def bodies(
    document: dict[str, Any], operation: Operation, ids: dict[str, str], told: dict[str, str]
) -> Iterator[Input]:
    """Whole bodies, then a good one with one value in it replaced, at every place."""
    if operation.schema is None:
        return
    validator = Draft202012Validator({**operation.schema, "components": document["components"]})
    for name, raw in WHOLE_BODIES.items():
        yield Input(f"body: {name}", operation.method, operation.url({}), body=raw, must_refuse=True)
    base = good_body(operation.id, told)
    for place in places(document, operation.schema, base):
        for name, value in IN_BODIES.items():
            body = replaced(base, place, value)
            yield Input(
                f"{'.'.join(map(str, place))}: {name}",
                operation.method,
                operation.url(ids),
                body=json.dumps(body).encode(),
                must_refuse=not validator.is_valid(body),
            )


def good_body(operation: str, told: dict[str, str]) -> dict[str, Any]:
    """One that is carried out; every property that there is stands in it where it can."""
    people: dict[str, Any] = {"contact": CONTACT, "externalReference": "trip-1", "maxTotalCents": 10**9}
    bases: dict[str, dict[str, Any]] = {
        "searchHotels": {
            "destination": {"city": "Lisbon", "countryCode": "PT"},
            "location": {"latitude": 38.7, "longitude": -9.1, "radiusKm": 20},
            "checkIn": day(60),
            "checkOut": day(62),
            "rooms": [{"adults": 2, "childrenAges": [5]}],
        },
        "createHotelBooking": {
            "rateId": told["rateId"],
            "guests": [{**NAMES, "type": "adult"}],
            "specialRequests": "none",
            **people,
        },
        "searchFlights": {
            **FLIGHT,
            "returnDate": day(70),
            "passengers": {"adults": 1, "children": 0, "infants": 0},
        },
        "createFlightOrder": {"offerId": told["offerId"], "passengers": passengers(), **people},
        "listFlightChangeOptions": {
            "removeSliceId": told["sliceId"],
            "add": {"origin": "LIS", "destination": "BER", "departureDate": day(67)},
        },
        "changeFlightOrder": {"changeId": "change_none"},
        "searchTransfers": {
            **TRANSFER,
            "to": {"type": "GEO", "latitude": 39.6, "longitude": 2.7, "address": "Rambla 1", "town": "Palma"},
        },
        "createTransferOrder": {
            "quoteId": told["quoteId"],
            "leadPassenger": {**NAMES, **CONTACT},
            "flightNumber": "TP123",
            "notes": "none",
        },
        "createEsimOrder": {"planId": told["planId"], "maxTotalCents": 10**9},
        "createEsimTopUp": {"planId": told["planId"], "maxTotalCents": 10**9},
        "createWebhookEndpoint": {
            "url": "http://127.0.0.1:65000/hooks",
            "events": ["booking.confirmed"],
            "description": "none",
        },
        "updateWebhookEndpoint": {"url": "http://127.0.0.1:65000/hooks", "events": ["booking.confirmed"]},
        "rotateWebhookSecret": {"immediate": False},
    }
    cancel = {"reason": "none", "maxPenaltyCents": 0}
    return bases.get(operation, cancel if operation.startswith("cancel") else {})


def places(
    document: dict[str, Any], schema: dict[str, Any], base: Any, above: tuple[Any, ...] = ()
) -> Iterator[tuple[Any, ...]]:
    """Every property of the schema that has a place in `base`, and the first item of each list."""
    schema = resolved(document, schema)
    for name, found in schema.get("properties", {}).items():
        place = (*above, name)
        yield place
        inner = base.get(name) if isinstance(base, dict) else None
        if isinstance(inner, list) and inner:
            yield (*place, 0)
            yield from places(document, resolved(document, found).get("items", {}), inner[0], (*place, 0))
        elif isinstance(inner, dict):
            yield from places(document, found, inner, place)


def replaced(base: dict[str, Any], place: tuple[Any, ...], value: object) -> dict[str, Any]:
    body = copy.deepcopy(base)
    at: Any = body
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    return body


def methods(document: dict[str, Any]) -> Iterator[Input]:
    for path in document["paths"]:
        for method in METHODS:
            yield Input("method", method, re.sub(r"\{\w+\}", "a", path), must_refuse=True)
    for path in (
        "/v1",
        "/v1/",
        "//v1/account",
        "/v1//account",
        "/V1/account",
        "/v1/account.json",
        "/v1/%61%63count/x",
    ):
        yield Input("path", "GET", path, must_refuse=True)
