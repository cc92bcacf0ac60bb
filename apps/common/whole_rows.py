"""Rows made in memory of values that are all known, for the paths that every order takes.

`Model(...)` asks every field in turn, and tells two signals, which nobody here listens to: for a booking and its operation that
was a twentieth of the whole call.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from django.db.models import Model
from django.db.models.base import ModelState

Row = TypeVar("Row", bound=Model)
Defaults = tuple[dict[str, Any], tuple[tuple[str, Callable[[], Any]], ...]]


def new_row(model: type[Row], **values: Any) -> Row:
    """As `model(**values)`, not stored yet. `values` by the names of columns: `booking_id`, and not `booking`.

    Raises TypeError for a name that is no column.
    """
    plain, made = _defaults(model)
    row = model.__new__(model)
    row._state = ModelState()
    columns = vars(row)
    columns.update(plain)
    columns.update(values)
    for name, make in made:
        if name not in values:
            columns[name] = make()
    if len(columns) > len(plain) + len(made) + 1:  # and `_state`
        raise TypeError(f"{model.__name__} has no column {(values.keys() - _columns(model)).pop()}")
    return row


@cache
def _defaults(model: type[Model]) -> Defaults:
    """The values of columns that are left out, and those that are made anew for each row."""
    fields = model._meta.concrete_fields
    made = {field for field in fields if field.has_default() and callable(field.default)}
    plain = {field.attname: field.get_default() for field in fields if field not in made}
    return plain, tuple((field.attname, field.get_default) for field in fields if field in made)


@cache
def _columns(model: type[Model]) -> frozenset[str]:
    return frozenset(field.attname for field in model._meta.concrete_fields)
