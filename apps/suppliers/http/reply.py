"""What a supplier answered, whatever its status."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn


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
        """The body, with Decimal for every number that has a point. Raises Unreadable."""
        try:
            return json.loads(self.body, parse_float=Decimal, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"{len(self.body)} bytes that are no JSON") from error

    def __repr__(self) -> str:
        return f"<Reply {self.status}, {len(self.body)} bytes>"


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")
