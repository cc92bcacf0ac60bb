"""Types that see of a value only what may be a number: the rest is not looked at, which takes a fraction of the time."""

from collections.abc import Mapping
from datetime import date
from enum import Enum
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from apps.suppliers.values import is_value, names_of

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
