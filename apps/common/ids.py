"""Opaque, sortable ids: a short prefix that says what the thing is, and 26 characters of time and chance (a ULID)."""

import re
import secrets
from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache, reduce

from apps.common import clock

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
TWO_DIGITS = 32 * 32
WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{1,64}")
HANDLE = re.compile(rf"(?P<prefix>[a-z]+)_(?P<unique>[{ALPHABET}]{{26}})(?P<position>[{ALPHABET}]{{2,4}})")


def new_id(prefix: str) -> str:
    """`new_id("ford")` is `ford_01kb2c…`: 48 bits of milliseconds in ten digits, then 16 random ones."""
    return f"{earliest_id(prefix, clock.now())}{encode(secrets.randbits(80), 16)}"


def earliest_id(prefix: str, instant: datetime) -> str:
    """Sorts before every id with this prefix that is made at `instant` or later."""
    return f"{prefix}_{encode(int(instant.timestamp() * 1000), 10)}"


def encode(number: int, width: int) -> str:
    """`number` in base 32, left-padded to `width`."""
    return "".join([ALPHABET[number >> shift & 31] for shift in range(5 * width - 5, -1, -5)])


def decode(text: str) -> int:
    return reduce(lambda number, digit: number * 32 + ALPHABET.index(digit), text, 0)


def is_well_formed(value: str) -> bool:
    """Whether `value` could be an id at all; what could not is treated like an unknown one (contract §1)."""
    return WELL_FORMED.fullmatch(value) is not None


def handle(prefix: str, row_id: str, *positions: int) -> str:
    """The id of something inside a row: `handle("offer", "fsr_01kb…", 3)` carries the row's unique part and the place in it."""
    return f"{prefix}_{row_id.partition('_')[2]}{''.join([_place(position) for position in positions])}"


def handles(prefix: str, row_id: str, positions: Iterable[int]) -> list[str]:
    """Those of many places in one row: what they share is written once."""
    begins = f"{prefix}_{row_id.partition('_')[2]}"
    return [begins + _place(position) for position in positions]


@lru_cache(maxsize=2048)
def _place(position: int) -> str:
    """In two digits, and in three from 1,024. Cached, because every search numbers its offers from 0."""
    return encode(position, 2 if position < TWO_DIGITS else 3)


def parse_handle(value: str, prefix: str, row_prefix: str, *, digits: int = 2) -> tuple[str, int] | None:
    """The row's id and the position that `handle` wrote, in so many `digits`; or None when `value` is no such handle."""
    match = HANDLE.fullmatch(value)
    if match is None or match["prefix"] != prefix or len(match["position"]) != digits:
        return None
    return f"{row_prefix}_{match['unique']}", decode(match["position"])
