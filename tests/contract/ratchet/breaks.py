"""Every kind of change that breaks a client of v1, each planted at every place where it can be."""

from collections.abc import Iterator

from tests.contract.ratchet.edits import ANOTHER, Edit, change, drop, move
from tests.contract.ratchet.places import Node, Place, Places, operations, parameters
from tests.contract.ratchet.schema_breaks import NOT_IN_A_PART, SCHEMA_KINDS

Planting = tuple[str, str, Node, Edit]
"""The kind of break, the place, the part of the document that the edit changes, the edit."""


def plantings(document: Node) -> Iterator[Planting]:
    places = Places(document)
    for place in places.schemas:
        yield from _in_schema(place)
    for item, method, where in operations(document):
        yield from _in_operation(document, item, method, where, places)
    for item, method, where in operations(document, "webhooks"):
        yield from _in_webhook(document, item, method, where, places)
    yield from _in_document(document)


def _in_schema(place: Place) -> Iterator[Planting]:
    for name, directions, edits in SCHEMA_KINDS:
        if place.part and name in NOT_IN_A_PART:
            continue
        if place.directions & set(directions):
            for edit in edits(place.node):
                yield name, place.where, place.node, edit


# --- operations -------------------------------------------------------------------------------------------------------
def _in_operation(document: Node, item: Node, method: str, where: str, places: Places) -> Iterator[Planting]:
    operation = item[method]
    yield "an operation removed", where, item, drop(item, method)
    yield "an operationId renamed", where, operation, change(operation, operationId=ANOTHER)
    yield "an operationId dropped", where, operation, drop(operation, "operationId")
    yield "a scope more", where, operation, change(operation, security=[{"apiKey": [ANOTHER]}])
    if "security" in operation and operation["security"] in ([], [{}]):
        yield "sign-in where none was", where, operation, change(operation, security=[{"apiKey": []}])
    yield (
        "a new parameter asked for",
        where,
        operation,
        change(
            operation,
            parameters=[
                *operation.get("parameters", []),
                {"in": "query", "name": ANOTHER, "required": True, "schema": {"type": "string"}},
            ],
        ),
    )
    yield from _in_parameters(item, method, where, places)
    if "requestBody" in operation:
        yield "the body of a request removed", where, operation, drop(operation, "requestBody")
        yield from _in_body(places.followed(operation["requestBody"]), where)
    else:
        body = {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}}
        yield "a body asked for", where, operation, change(operation, requestBody=body)
    for status, answer in operation.get("responses", {}).items():
        yield (
            "a status removed",
            f"{where} {status}",
            operation["responses"],
            drop(operation["responses"], status),
        )
        yield from _in_answer(places.followed(answer), f"{where} {status}", places)
    if "callbacks" in operation:
        yield "callbacks dropped", where, operation, drop(operation, "callbacks")
    if "servers" in operation:
        yield "a server of an operation gone", where, operation, change(operation, servers=[])


def _in_parameters(item: Node, method: str, where: str, places: Places) -> Iterator[Planting]:
    for holder in (item, item[method]):
        for gone in holder.get("parameters", []):
            kept = [one for one in holder["parameters"] if one is not gone]
            yield (
                "a parameter removed",
                f"{where} {places.followed(gone)['name']}",
                holder,
                change(holder, parameters=kept),
            )
    for parameter in parameters(item, method, places.document):
        place = f"{where} {parameter['name']}"
        yield "a parameter renamed", place, parameter, change(parameter, name=ANOTHER)
        yield "a parameter moved", place, parameter, change(parameter, in_="cookie")
        if not parameter.get("required"):
            yield (
                "a parameter asked for that was optional",
                place,
                parameter,
                change(parameter, required=True),
            )
        style = "spaceDelimited" if parameter["in"] == "query" else "label"
        yield "another style", place, parameter, change(parameter, style=style)
        yield (
            "a list written in another way",
            place,
            parameter,
            change(parameter, explode=not parameter.get("explode", parameter["in"] in ("query", "cookie"))),
        )


def _in_body(body: Node, where: str) -> Iterator[Planting]:
    if not body.get("required"):
        yield "a body asked for that was optional", where, body, change(body, required=True)
    for media in body["content"]:
        yield (
            "a media type no longer taken",
            f"{where} {media}",
            body["content"],
            drop(body["content"], media),
        )
        yield (
            "a request's fields written in another way",
            f"{where} {media}",
            body["content"][media],
            change(body["content"][media], encoding={ANOTHER: {"contentType": "text/plain"}}),
        )


def _in_answer(answer: Node, where: str, places: Places) -> Iterator[Planting]:
    for media in answer.get("content", {}):
        yield (
            "a media type no longer sent",
            f"{where} {media}",
            answer["content"],
            drop(answer["content"], media),
        )
        if "schema" in answer["content"][media]:
            yield (
                "an answer without a form",
                f"{where} {media}",
                answer["content"][media],
                drop(answer["content"][media], "schema"),
            )
    for name, header in answer.get("headers", {}).items():
        headers = answer["headers"]
        yield "a header removed", f"{where} {name}", headers, drop(headers, name)
        yield "a header renamed", f"{where} {name}", headers, move(headers, name)
        header = places.followed(header)
        if header.get("required"):
            yield "a header may be absent", f"{where} {name}", header, change(header, required=False)
    for name in answer.get("links", {}):
        yield "a link removed", f"{where} {name}", answer["links"], drop(answer["links"], name)


# --- webhooks and the document ----------------------------------------------------------------------------------------
def _in_webhook(document: Node, item: Node, method: str, where: str, places: Places) -> Iterator[Planting]:
    operation, webhooks = item[method], document["webhooks"]
    yield "an event removed", where, webhooks, drop(webhooks, where)
    yield "an event renamed", where, webhooks, move(webhooks, where)
    yield "an event sent by another method", where, item, lambda: item.update(put=item.pop(method))
    for header in operation.get("parameters", []):
        kept = [one for one in operation["parameters"] if one is not header]
        header = places.followed(header)
        place = f"{where} {header['name']}"
        yield "a delivery's header removed", place, operation, change(operation, parameters=kept)
        yield "a delivery's header renamed", place, header, change(header, name=ANOTHER)
        if header.get("required"):
            yield "a delivery's header may be absent", place, header, change(header, required=False)
    body = places.followed(operation["requestBody"])
    yield "a delivery may be without body", where, body, change(body, required=False)
    for media in body["content"]:
        yield "a delivery's media type removed", where, body["content"], drop(body["content"], media)
    for status in operation.get("responses", {}):
        yield (
            "an answer to a delivery no longer counts",
            where,
            operation["responses"],
            drop(operation["responses"], status),
        )


def _in_document(document: Node) -> Iterator[Planting]:
    for path in document["paths"]:
        yield "a path removed", path, document["paths"], drop(document["paths"], path)
        yield (
            "a path renamed",
            path,
            document["paths"],
            lambda path=path: document["paths"].update(  # type: ignore[misc]
                {f"{path}/new": document["paths"].pop(path)}
            ),
        )
    for name, scheme in document["components"].get("securitySchemes", {}).items():
        other = {"type": "apiKey", "in": "header", "name": "X-Key"}
        yield (
            "another sign-in",
            name,
            scheme,
            lambda scheme=scheme, other=other: (  # type: ignore[misc]
                scheme.clear(),
                scheme.update(other),
            ),
        )
        yield (
            "a sign-in removed",
            name,
            document["components"],
            drop(document["components"], "securitySchemes"),
        )
    for server in document.get("servers", []):
        kept = [one for one in document["servers"] if one is not server]
        yield "a server gone", server["url"], document, change(document, servers=kept)
