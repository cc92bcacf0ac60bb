"""Opaque, sortable ids: a short prefix that says what the thing is, and 26 characters of time and chance (a ULID)."""

import re
import secrets

from apps.common import clock

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
WELL_FORMED = re.compile(r"[A-Za-z0-9_-]{1,64}")


def new_id(prefix: str) -> str:
    """`new_id("ford")` is `ford_01kb2c…`: 48 bits of milliseconds, then 80 random bits."""
    number = (int(clock.now().timestamp() * 1000) << 80) | secrets.randbits(80)
    return f"{prefix}_{encode(number, 26)}"


def encode(number: int, width: int) -> str:
    """`number` in base 32, left-padded to `width`."""
    digits = []
    for _ in range(width):
        number, digit = divmod(number, 32)
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))


def is_well_formed(value: str) -> bool:
    """Whether `value` could be an id at all; what is not is answered like an unknown one (contract §1)."""
    return WELL_FORMED.fullmatch(value) is not None
