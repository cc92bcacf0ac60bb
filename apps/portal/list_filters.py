"""The form of a list's filters. Values in the address narrow the list. An unreadable value is reported beside its field."""

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django import forms


def day_field(label: str) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, widget=widget)


def any_or(choices: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The choices of a filter: pairs of value and label, after one that filters nothing."""
    return [("", "Any"), *choices]


def midnight(day: Any, *, days: int = 0) -> datetime | None:
    """The beginning of `day` in UTC, `days` later; None where there is no day, or none that late."""
    try:
        return datetime.combine(day + timedelta(days=days), time(), UTC) if day else None
    except OverflowError:
        return None


class ListFilters(forms.Form):
    """The two days that every list has. A subclass adds its own fields, and `filters()` for its selector."""

    since = day_field("From")
    until = day_field("To")

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def value(self, name: str) -> str:
        """The field's value; empty where there is none, or none that can be read."""
        found = self._readable(name)
        return str(found).strip() if found else ""

    @property
    def begins(self) -> datetime | None:
        return midnight(self._readable("since"))

    @property
    def ends(self) -> datetime | None:
        """The end of the last day."""
        return midnight(self._readable("until"), days=1)

    def _readable(self, name: str) -> Any:
        self.is_valid()  # fills cleaned_data with every field that is
        return self.cleaned_data.get(name)
