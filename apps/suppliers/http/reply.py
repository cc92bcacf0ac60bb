"""A supplier's answer, whatever its status."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn

# Every way to write the character zero and half a surrogate pair. Whole pairs match as well; that only costs time. Two patterns,
# because one that begins with fixed bytes is searched for seven times as fast.
UNSTORABLE_ESCAPE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
UNSTORABLE_BYTES = re.compile(rb"\xed[\xa0-\xbf]")


class Unreadable(ValueError):
    """The body is not JSON."""


@dataclass(frozen=True, slots=True)
class Reply:
    """`headers` are found in upper and lower case; `body` is unpacked; `seconds` is how long the call took.

    The body may contain travellers, so printing a reply does not show it.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float

    def json(self) -> Any:
        """The body as JSON: numbers with a point are Decimal, and characters that PostgreSQL cannot store are left out.

        Raises Unreadable.
        """
        try:
            value = json.loads(self.body, parse_float=Decimal, parse_constant=_no_number)
            unstorable = UNSTORABLE_ESCAPE.search(self.body) or UNSTORABLE_BYTES.search(self.body)
            return _storable(value) if unstorable else value
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"{len(self.body)} bytes that are no JSON") from error

    def __repr__(self) -> str:
        return f"<Reply {self.status}, {len(self.body)} bytes>"


def _storable(value: Any) -> Any:
    """Without the character zero and half a surrogate pair in any text, names of fields included."""
    match value:
        case str():
            return value.encode(errors="ignore").decode().replace("\0", "")
        case list():
            return [_storable(item) for item in value]
        case dict():
            return {_storable(name): _storable(item) for name, item in value.items()}
        case _:
            return value


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")
