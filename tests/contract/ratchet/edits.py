"""Changes of one part of a document."""

from collections.abc import Callable

from tests.contract.ratchet.places import Node

Edit = Callable[[], object]
"""Changes the document where it stands. Whoever calls it restores the node."""
ANOTHER = "sbx-another"
"""A name, and a value, that no document has."""


def change(node: Node, **values: object) -> Edit:
    """`in_` stands for `in`."""
    return lambda: node.update({key.rstrip("_"): value for key, value in values.items()})


def drop(node: Node, keyword: str) -> Edit:
    return lambda: node.pop(keyword)


def move(holder: Node, name: str) -> Edit:
    """Under another name."""
    return lambda: holder.update({f"X-New-{name}": holder.pop(name)})
