"""Rows of models, read by statements written by hand: for what every page of the portal asks, and for the pages asked most.

The ORM takes five to ten times as long to write such a statement and to read its rows as the rest of the asking takes.
"""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import Model

Row = TypeVar("Row", bound=Model)


class Columns(Generic[Row]):
    """The columns of a model: as text what a statement names them by, in their order, and what makes objects of their values.

    `table` is how the statement calls the model's table. `only` and `without` name columns as attributes, `account_id`: all are
    read unless some are named. Whoever asks an object for another one has it read then, as with the ORM's `only` and `defer`.
    """

    def __init__(
        self, model: type[Row], table: str, *, only: Sequence[str] = (), without: Sequence[str] = ()
    ) -> None:
        every = {field.attname: field for field in model._meta.concrete_fields}
        if unknown := {*only, *without} - every.keys():
            raise TypeError(f"{model.__name__} has no column {unknown}")
        named = [name for name in every if (not only or name in only) and name not in without]
        fields = [every[name] for name in named]
        self._model = model
        self._names = named
        self._text = ", ".join(f'{table}."{field.column}"' for field in fields)
        # Which are stored otherwise than they are read, such as JSON.
        converted = ((at, getattr(field, "from_db_value", None)) for at, field in enumerate(fields))
        self._converted = [(at, convert) for at, convert in converted if convert is not None]

    def __str__(self) -> str:
        return self._text

    def __len__(self) -> int:
        return len(self._names)

    def row(self, values: Sequence[Any]) -> Row:
        """The object of these values, which are in the order of the columns."""
        if self._converted:
            values = list(values)
            for at, convert in self._converted:
                values[at] = convert(values[at], None, connection)
        return self._model.from_db(DEFAULT_DB_ALIAS, self._names, values)
