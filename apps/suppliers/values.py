"""The frozen values that suppliers are asked with and answer: dataclasses, or `Value` where a call has many of them.

A `Value` is made in a tenth of the time that a frozen dataclass takes, and written and read in half of it: a search of hotels has
sixty rates, each of which is made twice, stored and answered. It is not looked at by Python's garbage collector, because it can
be no part of a circle.

As JSON they are sent and stored in JSONB columns. `from_json(cls, to_json(value)) == value` for values of str, int (64 bits),
bool, Decimal, date, aware datetime, enums, optional fields, tuples, lists and dicts with text as keys, nested as needed. A named
tuple is an array. A Decimal is written as text; a float is refused, because it does not keep an amount exactly. Reading is strict
about types and tolerant about age: a field that the data lacks takes its default, and one that the class no longer has is
ignored, so that the previous release's records can still be read. msgspec reads, and writes what is a `Value`; orjson writes
everything else.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date
from decimal import Decimal
from enum import Enum
from functools import cache
from threading import Lock
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, NoReturn, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgspec
import orjson
from psycopg.types.json import Jsonb

AnyValue = TypeVar("AnyValue")


class Value(msgspec.Struct, frozen=True, gc=False):
    """The base of such values. They are copied by `replaced`."""


def is_value(value: object) -> bool:
    """Whether it is one of either kind, or the class of one."""
    return is_dataclass(value) or is_kind_of_value(value) or isinstance(value, Value)


def is_kind_of_value(kind: object) -> bool:
    """Whether it is a class that is a `Value`."""
    return isinstance(kind, type) and issubclass(kind, Value)


def names_of(kind: Any) -> tuple[str, ...]:
    """The names of the fields of a class of either kind."""
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


NUMBERLESS = (str, bool, date, NoneType)  # a datetime is a date


class Whole:
    """The view of what is not known here: it is looked at whole, by whoever uses the view."""


def view_of(kind: Any) -> Any:
    """The type to convert to, from a value's attributes; None where `kind` can hold no number."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return view_of(arguments[0])
    if origin in (Union, UnionType):
        views = [view for view in map(view_of, arguments) if view is not None]
        if len(arguments) == 2 and len(views) == 1 and NoneType in arguments:
            return views[0] | None
        return Whole if views else None
    if origin in (list, tuple) and len({*arguments} - {Ellipsis}) == 1:
        item = view_of(arguments[0])
        return None if item is None else GenericAlias(list, (item,))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        item = view_of(arguments[1])
        return None if item is None else GenericAlias(dict, (str, item))
    if is_value(kind):
        return _of_fields(kind)
    if hasattr(kind, "_fields"):
        return _of_places(kind)
    if isinstance(kind, type) and issubclass(kind, (*NUMBERLESS, Enum)):
        return None
    return int if kind is int else Whole


def _of_fields(kind: Any) -> Any:
    hints = get_type_hints(kind, include_extras=True)
    views = [(name, view_of(hints[name])) for name in names_of(kind)]
    seen = [(name, view, None) for name, view in views if view is not None]
    return msgspec.defstruct(kind.__name__, seen, gc=False) if seen else None


def _of_places(kind: Any) -> Any:
    """Of a named tuple."""
    hints = get_type_hints(kind, include_extras=True)
    views = tuple(view_of(hints[name]) for name in kind._fields)
    return GenericAlias(tuple, tuple(Any if view is None else view for view in views)) if any(views) else None


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
