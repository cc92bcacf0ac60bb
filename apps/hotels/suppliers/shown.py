"""What travellers are shown beside a price: pictures, rooms and taxes, kept as the JSON text in which an answer has them.

A search has some twenty hotels and sixty rates. To write each of their pictures, rooms and taxes as values, and to build them
again for the answer, would cost a third of the search; a text is copied.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import orjson

from apps.common.money import Cents

NOTHING = "[]"


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of a hotel. `url` is absolute, or a path of this service; `caption` empty where there is none."""

    url: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class RoomKind:
    """What a room is. `beds` in words; None where the supplier does not say."""

    name: str
    beds: str | None = None
    max_occupancy: int | None = None
    size_m2: int | None = None


@dataclass(frozen=True, slots=True)
class Tax:
    """A tax or fee of the whole stay, as the supplier told it. `included`: in the total; else it is paid at the hotel."""

    description: str
    amount_cents: Cents
    currency: str
    included: bool


def images_text(images: Iterable[Image]) -> str:
    return _text([{"url": image.url, "caption": image.caption} for image in images])


def rooms_text(kinds: Iterable[RoomKind]) -> str:
    """One for each room of the stay, in the order of the search."""
    return _text(
        [
            {
                "name": kind.name,
                "beds": kind.beds,
                "maxOccupancy": kind.max_occupancy,
                "sizeM2": kind.size_m2,
            }
            for kind in kinds
        ]
    )


def taxes_text(taxes: Iterable[Tax]) -> str:
    """Those that the total includes first."""
    return _text(
        [
            {
                "description": tax.description,
                "amountCents": tax.amount_cents,
                "currency": tax.currency,
                "included": tax.included,
            }
            for tax in sorted(taxes, key=lambda tax: not tax.included)
        ]
    )


def images_in(text: str) -> list[Image]:
    return [Image(told["url"], told["caption"]) for told in orjson.loads(text)]


def kinds_in(text: str) -> list[RoomKind]:
    return [
        RoomKind(told["name"], told["beds"], told["maxOccupancy"], told["sizeM2"])
        for told in orjson.loads(text)
    ]


def _text(value: object) -> str:
    return orjson.dumps(value).decode()
