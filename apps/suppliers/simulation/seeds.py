"""Repeatable randomness: the same words draw the same number, in every process and on every day."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def draw(low: int, high: int, *words: object) -> int:
    """A number from `low` to `high`, both included, decided by `words` alone."""
    digest = blake2b("\x1f".join(str(word) for word in words).encode(), digest_size=8).digest()
    return low + int.from_bytes(digest, "big") % (high - low + 1)


def shuffled(items: Sequence[T], *words: object) -> list[T]:
    """`items` in an order that depends on `words` and on how each item prints."""
    return sorted(items, key=lambda item: draw(0, 2**63, *words, item))
