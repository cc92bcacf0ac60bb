"""What a supplier answered, whatever its status."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn

# How the character zero and halves of surrogate pairs may be written. Whole pairs match as well, which costs time alone.
UNSTORABLE = re.compile(rb"\\u0000|\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")


class Unreadable(ValueError):
    """The body is not JSON."""


@dataclass(frozen=True, slots=True)
class Reply:
    """`headers` are found in any case; `body` is unpacked; `seconds` from the first byte sent to the last one read.

    The body may hold travellers, so printing a reply shows none of it.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float

    def json(self) -> Any:
        """The body, with Decimal for every number that has a point, and without what JSON can carry and PostgreSQL cannot.

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
