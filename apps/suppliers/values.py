"""The frozen values that suppliers are asked with and answer: dataclasses, or `Value` where a call has many of them.

A `Value` is made in a tenth of the time that a frozen dataclass takes, and written and read in half of it: a search of hotels has
sixty rates, each of which is made twice, stored and answered. It is not looked at by Python's garbage collector, because it can
be no part of a circle.

As JSON they are sent and stored in JSONB columns. `from_json(cls, to_json(value)) == value` for values of str, int (64 bits),
bool, Decimal, date, aware datetime, enums, optional fields, tuples, lists and dicts with text as keys, nested as needed. A
named tuple is an array. A Decimal is written as text; `to_json` rejects a float, because it does not keep an amount exactly.
Reading is strict about types and tolerant about age: a field that the data lacks takes its default, and one that the class no
longer has is ignored, so that the previous release's records can still be read. msgspec reads, and writes what is a `Value`;
orjson writes everything else.
"""

from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from functools import cache
from threading import Lock
from typing import Any, NoReturn, TypeVar, cast

import msgspec
import orjson
from psycopg.types.json import Jsonb

AnyValue = TypeVar("AnyValue")


class Value(msgspec.Struct, frozen=True, gc=False):
    """The base of such values. They are copied by `replaced`."""


def is_value(value: object) -> bool:
    return is_dataclass(value) or is_kind_of_value(value) or isinstance(value, Value)


def is_kind_of_value(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Value)


def names_of(kind: Any) -> tuple[str, ...]:
    if is_kind_of_value(kind):
        return cast("tuple[str, ...]", kind.__struct_fields__)
    return tuple(field.name for field in fields(kind))


def replaced(value: AnyValue, **changes: Any) -> AnyValue:
    """The value with other fields. Raises TypeError for a field that there is not."""
    before: Any = value
    made: AnyValue = (
        msgspec.structs.replace(before, **changes) if isinstance(value, Value) else replace(before, **changes)
    )
    return made


T = TypeVar("T")
_reading_a_class = Lock()
"""msgspec keeps what it reads of a class, and lets others have it before it has read the whole of it. A second thread that meets
the missing part ends the process by a segmentation fault (0.22.0). So one thread at a time has a class read, before it is used.
"""


class UndecodableError(ValueError):
    """The data is not what the type says; the message names the place."""


def to_json(value: object) -> Any:
    """`value` in terms of dict, list, str, int, bool and None. Raises TypeError for what has no such form."""
    if isinstance(value, Value):
        return _checked(_encode(value))
    return _checked(orjson.dumps(value, default=_other_form))


def to_column(value: object) -> Jsonb:
    """The same as JSON text, for a statement that stores it; its bytes are sent as they are. A float is not looked for: a search
    stores tens of kilobytes, and what a traveller pays of them goes through `to_json`.
    """
    return Jsonb(_encode(value), dumps=bytes)


def from_json(cls: type[T], data: object) -> T:
    """The value of type `cls` that `to_json` made `data` from. Raises UndecodableError."""
    kind: Any = cls
    _decoder(kind)
    try:
        return msgspec.convert(data, type=cls)
    except msgspec.ValidationError as error:
        raise UndecodableError(f"{getattr(cls, '__name__', cls)}: {error}") from error


def from_text(cls: type[T], text: str | msgspec.Raw) -> T:
    """The same from JSON text, as a statement has read it. Raises UndecodableError."""
    kind: Any = cls
    try:
        value: T = _decoder(kind).decode(text)
    except msgspec.ValidationError as error:
        raise UndecodableError(f"{getattr(cls, '__name__', cls)}: {error}") from error
    return value


def _checked(written: bytes) -> Any:
    """The text in terms of dict, list, str, int, bool and None. Raises TypeError for a float."""
    try:
        return _plain.decode(written)
    except msgspec.ValidationError as error:
        raise TypeError(str(error)) from error


@cache
def _decoder(cls: Any) -> msgspec.json.Decoder[Any]:
    """Reads the class, and all classes in it, once."""
    with _reading_a_class:
        return msgspec.json.Decoder(cls)


def _other_form(value: object) -> object:
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, tuple):  # a named one, which orjson refuses
        return tuple(value)
    if isinstance(value, Value):
        return to_json(value)
    raise TypeError(f"{type(value).__name__} has no JSON form here")


def _refuse_float(text: str) -> NoReturn:
    raise ValueError(f"the float {text} has no JSON form here")


_encode = msgspec.json.Encoder().encode
_plain = msgspec.json.Decoder(float_hook=_refuse_float)
