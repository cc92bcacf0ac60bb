"""Frozen dataclasses as JSON values and back: for what is sent as JSON or stored in a JSONB column.

`from_json(cls, to_json(value)) == value` for dataclasses of str, int (64 bits), bool, Decimal, date, aware datetime, enums,
optional fields, tuples, lists and dicts with text as keys, nested as needed. A Decimal is written as text; a float is refused,
because it does not keep an amount exactly. Reading is strict about types and tolerant about age: a field that the data lacks
takes its default, and one that the class no longer has is ignored, so that the previous release's records can still be read.

msgspec reads. orjson writes, because msgspec writes UTC as `Z` where stored records have `+00:00`.
"""

from decimal import Decimal
from typing import Any, NoReturn, TypeVar

import msgspec
import orjson

T = TypeVar("T")


class UndecodableError(ValueError):
    """The data is not what the type says; the message names the place."""


def to_json(value: object) -> Any:
    """`value` in terms of dict, list, str, int, bool and None. Raises TypeError for what has no such form."""
    written = orjson.dumps(value, default=_text_of_decimal)
    try:
        return _plain.decode(written)
    except msgspec.ValidationError as error:
        raise TypeError(str(error)) from error


def from_json(cls: type[T], data: object) -> T:
    """The value of type `cls` that `to_json` made `data` from. Raises UndecodableError."""
    try:
        return msgspec.convert(data, type=cls)
    except msgspec.ValidationError as error:
        raise UndecodableError(f"{getattr(cls, '__name__', cls)}: {error}") from error


def _text_of_decimal(value: object) -> str:
    if isinstance(value, Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form here")


def _refuse_float(text: str) -> NoReturn:
    raise ValueError(f"the float {text} has no JSON form here")


_plain = msgspec.json.Decoder(float_hook=_refuse_float)
