"""A supplier's answer, whatever its status."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn

# Every way to write the character zero and half a surrogate pair. Whole pairs match as well; that only costs time.
UNSTORABLE = re.compile(rb"\\u0000|\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")


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
            return _storable(value) if UNSTORABLE.search(self.body) else value
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
