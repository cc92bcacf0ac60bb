"""The document of a deployment that does not sell every product: without their operations, and what only those refer to."""

import re
from collections.abc import Collection, Iterator
from typing import Any

Document = dict[str, Any]

WORDS = {"hotels": "hotels", "flights": "flights", "transfers": "transfers", "esim": "eSIM data plans"}
ALL = re.compile("([Hh])otels, flights, transfers and eSIM data plans")
"""How every text lists the four products; the first letter is a capital where a sentence begins."""


def without(document: Document, products: Collection[str]) -> Document:
    """`document` as it is drawn of a service that has none of these products. What is kept is not copied, and not altered.

    All events stay: they may still be sent about what was booked before.
    """
    if not products:
        return document
    paths = {path: entry for path, entry in document["paths"].items() if product_in(path) not in products}
    info = {name: told_without(text, products) for name, text in document["info"].items()}
    tags = [tag for tag in document["tags"] if tag["name"] not in products]
    shown = {**document, "info": info, "tags": tags, "paths": paths}
    schemas = document["components"]["schemas"]
    needed = referred(shown, schemas)
    components = {
        **document["components"],
        "schemas": {name: schemas[name] for name in schemas if name in needed},
    }
    return {**shown, "components": components}


def product_in(path: str) -> str:
    """`hotels`, of /v1/hotels/rates/{rateId}."""
    parts = path.strip("/").split("/")
    return parts[1] if parts[0] == "v1" and len(parts) > 1 else ""


def told_without(text: Any, products: Collection[str]) -> Any:
    """A text that lists the four products, with those that are sold."""
    if not isinstance(text, str):
        return text
    *most, last = [word for product, word in WORDS.items() if product not in products] or ["travel"]
    listed = f"{', '.join(most)} and {last}" if most else last
    return ALL.sub(lambda all_: listed if all_[1] == "h" else listed[0].upper() + listed[1:], text)


def referred(document: Document, schemas: Document) -> set[str]:
    """The schemas that the operations refer to, also by way of one another."""
    outside = {**document, "components": {**document["components"], "schemas": {}}}
    found: set[str] = set()
    waiting = list(references(outside))
    while waiting:
        name = waiting.pop()
        if name in schemas and name not in found:
            found.add(name)
            waiting += references(schemas[name])
    return found


def references(node: Any) -> Iterator[str]:
    """The names of the schemas that are referred to within."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield str(value).removeprefix("#/components/schemas/")
            else:
                yield from references(value)
    elif isinstance(node, list):
        for each in node:
            yield from references(each)
