"""Frozen values as JSON values and back: for what is sent as JSON or stored in a JSONB column.

`from_json(cls, to_json(value)) == value` for dataclasses and `Value`s of str, int (64 bits), bool, Decimal, date, aware
datetime, enums, optional fields, tuples, lists and dicts with text as keys, nested as needed. A named tuple is an array. A
Decimal is written as text; a float is refused, because it does not keep an amount exactly. Reading is strict
about types and tolerant about age: a field that the data lacks takes its default, and one that the class no longer has is
ignored, so that the previous release's records can still be read.

msgspec reads, and writes what is a `Value`: half of the work. It writes UTC as `Z`, where records of before have `+00:00`; both
are read alike. orjson writes everything else.
"""

from decimal import Decimal
from functools import cache
from threading import Lock
from typing import Any, NoReturn, TypeVar

import msgspec
import orjson
from psycopg.types.json import Jsonb

from apps.suppliers.number_views import Whole, view_of
from apps.suppliers.values import Value

T = TypeVar("T")
LOOKED_AT = Whole()
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


def to_text(value: object) -> str:
    """`value` as JSON text that `from_text` and `from_json` read. Raises TypeError for a float."""
    return _written(value).decode()


def to_column(value: object, kind: Any = Any) -> Jsonb:
    """The same text for a statement that stores it: its bytes are sent as they are. Raises TypeError for a float. `kind`: the
    value's type, where it is large: then a float is looked for only where that type may hold a number.
    """
    return Jsonb(_written(value, kind), dumps=bytes)


def _written(value: object, kind: Any = Any) -> bytes:
    """By msgspec: a search's offers in less than half of the time. Its `Z` is read like `+00:00`.

    Where its kind is not told it is read again for floats: to look for what may be one takes a regular expression nine times as
    long.
    """
    written = _encode(value)
    if kind is Any:
        _checked(written)
    else:
        _refuse_floats(value, kind)
    return written


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


def _refuse_floats(value: object, kind: Any) -> None:
    """Raises TypeError where a value of this kind has a float. Only what may be a number is looked at."""
    view = _view(kind)
    if view is not None:
        try:
            msgspec.convert(value, view, from_attributes=True, dec_hook=_look_at_whole)
        except msgspec.ValidationError as error:
            raise TypeError(str(error)) from error


def _look_at_whole(_: type[Any], value: object) -> Whole:
    _checked(_encode(value))
    return LOOKED_AT


def _checked(written: bytes) -> Any:
    """The text in terms of dict, list, str, int, bool and None. Raises TypeError for a float."""
    try:
        return _plain.decode(written)
    except msgspec.ValidationError as error:
        raise TypeError(str(error)) from error


@cache
def _decoder(cls: Any) -> msgspec.json.Decoder[Any]:
    """Reads the class, and all classes in it, where nobody has yet."""
    with _reading_a_class:
        return msgspec.json.Decoder(cls)


@cache
def _view(kind: Any) -> Any:
    view = view_of(kind)
    if view is not None:
        _decoder(view)
    return view


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
