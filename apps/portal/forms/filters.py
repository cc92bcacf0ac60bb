"""Filters of lists: what is in the address narrows the list, what cannot be read is said beside its field."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

from django import forms


def day_field(label: str) -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=False, widget=widget)


def midnight(day: Any, *, days: int = 0) -> datetime | None:
    """Where the day begins, UTC; with `days` that much later."""
    try:
        return datetime.combine(day + timedelta(days=days), time(), UTC) if day else None
    except OverflowError:
        return None


class ListFilters(forms.Form):
    """The days that every list has; what else narrows one is its own."""

    since = day_field("From")
    until = day_field("To")

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def said(self, name: str) -> str:
        """Of what was readable; a field that is not leaves the list as it is."""
        found = self._readable(name)
        return str(found).strip() if found else ""

    @property
    def begins(self) -> datetime | None:
        return midnight(self._readable("since"))

    @property
    def ends(self) -> datetime | None:
        """When the last day is over."""
        return midnight(self._readable("until"), days=1)

    def _readable(self, name: str) -> Any:
        return getattr(self, "cleaned_data", {}).get(name)
