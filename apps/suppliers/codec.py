"""Frozen dataclasses as JSON values and back: for what crosses a wire or rests in a JSONB column.

`from_json(cls, to_json(value)) == value` for dataclasses of str, int, bool, Decimal, date, aware datetime,
enums, optional fields, tuples, lists and string-keyed dicts, nested as one likes. Reading is strict about
types and lenient about age: a field that the data lacks takes its default, one that the class no longer has
is ignored, so that a record stored by the previous release is still read by the next.
"""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


class UndecodableError(ValueError):
    """The data is not what the type says; the message names the place."""


def to_json(value: object) -> Any:
    """`value` in terms of dict, list, str, int, bool and None. Raises TypeError for what has no such form."""
    return _encoder(cast(Any, type(value)))(value)


def from_json(cls: type[T], data: object) -> T:
    """The value of type `cls` that `to_json` made `data` from. Raises UndecodableError."""
    value: T = _decoder(cast(Any, cls))(data)
    return value


Encoder = Callable[[Any], Any]
Decoder = Callable[[object], Any]


@cache
def _encoder(kind: Any) -> Encoder:
    """How to write a value of this type; worked out once a type, because a search stores hundreds of values."""
    if is_dataclass(kind):
        names = tuple(field.name for field in fields(kind))
        return lambda value: {name: to_json(getattr(value, name)) for name in names}
    if issubclass(kind, Enum):
        return lambda value: to_json(value.value)
    if kind in (str, int, bool, NoneType):
        return lambda value: value
    if issubclass(kind, list | tuple):
        return lambda value: [to_json(item) for item in value]
    if issubclass(kind, dict):
        return lambda value: {str(key): to_json(item) for key, item in value.items()}
    if issubclass(kind, date):  # a datetime is a date, too
        return lambda value: value.isoformat()
    if issubclass(kind, Decimal):
        return str
    raise TypeError(f"{kind.__name__} has no JSON form here")


@cache
def _decoder(kind: Any) -> Decoder:
    """How to read a value of this type; worked out once a type."""
    origin = get_origin(kind)
    if kind is Any:
        return lambda data: data
    if origin in (Union, UnionType):
        return _optional(get_args(kind))
    if origin in (tuple, list):
        return _sequence(origin, get_args(kind)[0])
    if origin is dict:
        return _mapping(get_args(kind)[1])
    if is_dataclass(kind):
        return _Record(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _parsed(kind, str | int, kind)
    if kind in _TEXT_FORMS:
        return _parsed(kind, str, _TEXT_FORMS[kind])
    return _plain(kind)


_TEXT_FORMS: dict[Any, Callable[[Any], Any]] = {
    datetime: datetime.fromisoformat,
    date: date.fromisoformat,
    Decimal: Decimal,
}


def _plain(kind: type) -> Decoder:
    def decode(data: object) -> object:
        if type(data) is not kind:  # exactly: True is no integer here
            raise UndecodableError(f"expected {kind.__name__}, got {type(data).__name__}")
        return data

    return decode


def _parsed(kind: type, source: Any, parse: Callable[[Any], Any]) -> Decoder:
    def decode(data: object) -> object:
        if not isinstance(data, source):
            raise UndecodableError(f"expected {kind.__name__} as {source}, got {type(data).__name__}")
        try:
            return parse(data)
        except (ValueError, InvalidOperation) as error:
            raise UndecodableError(f"not a {kind.__name__}: {data!r}") from error

    return decode


def _optional(members: tuple[Any, ...]) -> Decoder:
    (kind,) = (member for member in members if member is not NoneType)
    decode = _decoder(kind)
    return lambda data: None if data is None else decode(data)


def _sequence(kind: Callable[[list[Any]], Any], item: Any) -> Decoder:
    decode = _decoder(item)

    def decode_items(data: object) -> object:
        if not isinstance(data, list):
            raise UndecodableError(f"expected a list, got {type(data).__name__}")
        return kind([decode(one) for one in data])

    return decode_items


def _mapping(item: Any) -> Decoder:
    decode = _decoder(item)

    def decode_items(data: object) -> object:
        if not isinstance(data, dict):
            raise UndecodableError(f"expected an object, got {type(data).__name__}")
        return {key: decode(one) for key, one in data.items()}

    return decode_items


class _Record:
    """Reads one dataclass. Field types are looked up at first use, so that a class may contain itself."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self.decoders: dict[str, Decoder] = {}

    def __call__(self, data: object) -> Any:
        if not isinstance(data, dict):
            raise UndecodableError(f"expected {self.cls.__name__} as an object, got {type(data).__name__}")
        if not self.decoders:
            self.decoders = {name: _decoder(kind) for name, kind in get_type_hints(self.cls).items()}
        values = {name: self._field(name, data[name]) for name in self.decoders if name in data}
        try:
            return self.cls(**values)
        except TypeError as error:  # a field without default is missing
            raise UndecodableError(str(error)) from error

    def _field(self, name: str, data: object) -> Any:
        try:
            return self.decoders[name](data)
        except UndecodableError as error:
            raise UndecodableError(f"{self.cls.__name__}.{name}: {error}") from error
