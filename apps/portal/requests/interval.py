"""A window of time to the second in an address: `2026-11-23T13:04:00Z/2026-11-23T14:04:00Z`, as ISO 8601 writes an interval."""

from datetime import UTC, datetime
from typing import Any

from django import forms

FORM = "%Y-%m-%dT%H:%M:%SZ"
UNREADABLE = "Write two times, as in 2026-11-23T13:04:00Z/2026-11-23T14:04:00Z."


def interval(since: datetime, until: datetime) -> str:
    return "/".join(instant.astimezone(UTC).strftime(FORM) for instant in (since, until))


class IntervalField(forms.CharField):
    """Cleans to the two instants; the second is not included. Empty: None."""

    def __init__(self, **named: Any) -> None:
        super().__init__(
            max_length=64, widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"}), **named
        )

    def clean(self, value: Any) -> Any:
        text = super().clean(value)
        if not text:
            return None
        try:
            since, until = (datetime.strptime(part, FORM).replace(tzinfo=UTC) for part in text.split("/"))
        except ValueError:
            raise forms.ValidationError(UNREADABLE) from None
        if until <= since:
            raise forms.ValidationError("The second time is before the first. Give the earlier one first.")
        return since, until
