"""Days in filters: a date of the calendar, and the UTC midnight it begins or ends with."""

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
