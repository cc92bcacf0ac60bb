"""Which fields of a product's bookings name travellers, as the product declares them when its app is ready."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

Details = Mapping[str, Any]
FORGOTTEN = "redacted"
"""In the place of a name or a contact. /v1 has always answered a text there that is neither empty nor null."""


@dataclass(frozen=True, slots=True)
class Travellers:
    """The fields by name, each with what stands there once it is forgotten: what the API's document allows there."""

    details: Details
    """Of the booking's own part of its row."""
    answer: Details
    """Of the booking as /v1 answers it."""
    ends_at: Callable[[Details], datetime]
    """When the last service of a booking ends, from its details. They need not be opened."""


_declared: dict[str, Travellers] = {}


def declare(product: str, travellers: Travellers) -> None:
    """Called by a product when its app is ready. One that declares nothing knows no traveller."""
    _declared[product] = travellers


def travellers_of(product: str) -> Travellers | None:
    return _declared.get(product)


def products_with_travellers() -> frozenset[str]:
    return frozenset(_declared)
