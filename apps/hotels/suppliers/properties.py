"""What a supplier provides about its hotels apart from their prices: its list of them, and its description of one in a
language.

All texts are plain: no HTML, line breaks between paragraphs.
"""

from decimal import Decimal
from typing import Any

from apps.suppliers.values import Value


class Image(Value, frozen=True):
    """A picture of a hotel. `url` is absolute, or a path of this service; `caption` may be empty."""

    url: str
    caption: str = ""


class Listed(Value, frozen=True):
    """A hotel as a list has it, whatever the language. `stars` may have a half; None and empty if the supplier does not provide
    it.

    `country` is ISO 3166 alpha-2, `image` the address of its main picture, `deleted` a hotel that the supplier took off its
    list.
    """

    hotel_id: str
    name: str
    country: str
    stars: Decimal | None = None
    line: str = ""
    city: str = ""
    zip: str = ""
    latitude: float | None = None
    longitude: float | None = None
    chain: str = ""
    image: str = ""
    review_score: Decimal | None = None
    review_count: int | None = None
    deleted: bool = False


class ListPage(Value, frozen=True):
    """`next_offset`: where the page after it begins; None for the last one. `unreadable`: how many could not be read."""

    hotels: tuple[Listed, ...]
    next_offset: int | None = None
    unreadable: int = 0


class NamedFacility(Value, frozen=True):
    """`name` in the language of the description; `code` of ours (`facilities`), where the supplier or an English name says it.
    `key` is what the supplier calls it in every language.
    """

    name: str
    code: str | None = None
    key: str = ""


class RoomDetails(Value, frozen=True):
    """A kind of room. `beds` in words. `key` is what the supplier calls it in every language; empty if it does not provide it."""

    name: str
    description: str | None = None
    beds: str | None = None
    size_m2: int | None = None
    max_occupancy: int | None = None
    amenities: tuple[str, ...] = ()
    views: tuple[str, ...] = ()
    images: tuple[Image, ...] = ()
    key: str = ""


class HouseRule(Value, frozen=True):
    """`kind` is a word such as pets or parking; `name` and `text` for people."""

    kind: str
    name: str
    text: str


class Details(Value, frozen=True):
    """A hotel described in one language. Times are `HH:MM` at the hotel; None if the supplier does not provide it."""

    description: str | None = None
    important_information: str | None = None
    facilities: tuple[NamedFacility, ...] = ()
    rooms: tuple[RoomDetails, ...] = ()
    images: tuple[Image, ...] = ()
    rules: tuple[HouseRule, ...] = ()
    check_in_from: str | None = None
    check_in_until: str | None = None
    check_out_until: str | None = None
    kind: str | None = None
    phone: str | None = None
    airport: str | None = None


class Described(Value, frozen=True):
    """The answer to a question for one hotel. `listed`: the same hotel as a list would have it, None where it is not known.

    `amenities` and `content` are what the searches of the connector show of it, in a form of its own.
    """

    details: Details = Details()
    listed: Listed | None = None
    amenities: tuple[str, ...] = ()
    content: Any = None


NOT_DESCRIBED = Described(content={})
