"""Types that see of JSON text only what may be a number: the rest is skipped unread, which takes a fraction of the time."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

NUMBERLESS = (str, bool, date, NoneType)  # a datetime is a date


def view_of(kind: Any) -> Any:
    """The type to decode with; None where `kind` can hold no number. Whatever is not known here is looked at whole."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return view_of(arguments[0])
    if origin in (Union, UnionType):
        views = [view for view in map(view_of, arguments) if view is not None]
        return views[0] | None if len(arguments) == 2 and len(views) == 1 else Any if views else None
    if origin in (list, tuple) and len({*arguments} - {Ellipsis}) == 1:
        item = view_of(arguments[0])
        return None if item is None else GenericAlias(list, (item,))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        item = view_of(arguments[1])
        return None if item is None else GenericAlias(dict, (str, item))
    if is_dataclass(kind):
        return _of_fields(kind)
    if isinstance(kind, type) and issubclass(kind, (*NUMBERLESS, Enum)):
        return None
    return Any


def _of_fields(kind: Any) -> Any:
    hints = get_type_hints(kind, include_extras=True)
    views = [(field.name, view_of(hints[field.name])) for field in fields(kind)]
    seen = [(name, view, None) for name, view in views if view is not None]
    return msgspec.defstruct(kind.__name__, seen, gc=False) if seen else None
