"""Two JSON texts of the same value: how they are written differently. Two values: where they differ."""

import json
import re
from collections import Counter
from decimal import Decimal
from itertools import zip_longest
from typing import Any

TOKEN = re.compile(
    rb'(?P<space>\s+)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?[0-9][0-9.eE+-]*)|(?P<other>[^\s])',
    re.DOTALL,
)
MOST_DEPTH = 64
SPACING, TRAILING, LEADING = "spacing", "trailing newline", "byte order mark or space at the start"
BOM = b"\xef\xbb\xbf"
KEY_ORDER, UNICODE, SLASHES = "key order", "escaped unicode", "escaped slashes"
NUMBERS, FORM = "number form", "another way of writing it"


def parsed(text: bytes) -> Any:
    """The value, with exact numbers; None for what is no JSON, or deeper or with longer numbers than anything we send."""
    try:
        value = json.loads(text, parse_float=Decimal, parse_int=_whole)
    except (ValueError, ArithmeticError, RecursionError):
        return None
    return value if _depth_within(value, MOST_DEPTH) else None


def trimmed(body: bytes) -> bytes:
    return body.removeprefix(BOM).strip()


def same(one: Any, other: Any) -> bool:
    """Whether two parsed values are equal, whatever the order of members. `true` is no number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def kinds_of_difference(body: bytes, original: bytes) -> list[str]:
    """What differs between two texts of the same value; at least one word."""
    ours, theirs = _tokens(original), _tokens(body)
    kinds = []
    if _spaces_inside(theirs) != _spaces_inside(ours):
        kinds.append(SPACING)
    if _key_orders(body) != _key_orders(original):
        kinds.append(KEY_ORDER)
    kinds += _kinds_of_strings(_of("string", theirs), _of("string", ours))
    if _of("number", theirs) != _of("number", ours):
        kinds.append(NUMBERS)
    if body.lstrip() != body or body.startswith(BOM):
        kinds.append(LEADING)
    if body.rstrip() != body:
        kinds.append(TRAILING)
    return kinds or [FORM]


def first_difference(body: Any, original: Any, path: str = "") -> str:
    """The path of the first value that differs, and how."""
    if isinstance(body, dict) and isinstance(original, dict):
        for name in dict.fromkeys((*original, *body)):
            below = f"{path}.{name}" if path else str(name)
            if name not in body or name not in original:
                return f"{below} is {'added' if name in body else 'missing'}"
            if not same(body[name], original[name]):
                return first_difference(body[name], original[name], below)
    if isinstance(body, list) and isinstance(original, list):
        for index, (one, other) in enumerate(zip_longest(body, original)):
            if not same(one, other):
                return first_difference(one, other, f"{path}.{index}" if path else str(index))
    return f"{path or 'the whole'} differs"


def _kinds_of_strings(theirs: Counter[bytes], ours: Counter[bytes]) -> list[str]:
    changed, kinds = [*(theirs - ours), *(ours - theirs)], []
    if any(re.search(rb"\\u[0-9a-fA-F]{4}", text) for text in changed):
        kinds.append(UNICODE)
    if any(b"\\/" in text for text in changed):
        kinds.append(SLASHES)
    return kinds


Tokens = list[tuple[str | None, bytes]]


def _tokens(text: bytes) -> Tokens:
    return [(match.lastgroup, match[0]) for match in TOKEN.finditer(text.strip())]


def _of(kind: str, tokens: Tokens) -> Counter[bytes]:
    return Counter(text for each, text in tokens if each == kind)


def _spaces_inside(tokens: Tokens) -> Counter[bytes]:
    return _of("space", tokens)


def _key_orders(text: bytes) -> Counter[tuple[str, ...]]:
    """The order of members in every object."""
    orders: list[tuple[str, ...]] = []

    def note(pairs: list[tuple[str, Any]]) -> None:
        orders.append(tuple(name for name, _ in pairs))

    json.loads(trimmed(text), object_pairs_hook=note)
    return Counter(orders)


def _whole(text: str) -> Decimal:
    """Raises ValueError for one of more digits than Python reads: then nobody else who reads the text fails over it."""
    return Decimal(int(text))


def _depth_within(value: Any, left: int) -> bool:
    if isinstance(value, dict):
        return left > 0 and all(_depth_within(each, left - 1) for each in value.values())
    if isinstance(value, list):
        return left > 0 and all(_depth_within(each, left - 1) for each in value)
    return True
