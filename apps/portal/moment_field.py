"""The field of a date and a time in the reader's zone, for From and To."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from apps.common import zones
from apps.common.clock import read_rfc3339

UNREADABLE = "Write a date and a time, as in 2026-11-23T14:05."
FORMS = ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S")


class MomentInput(forms.DateTimeInput):
    """A browser's control for date and time, in the reader's zone. What cannot be read stays as it was written."""

    input_type = "datetime-local"

    def __init__(self, *, ends_the_day: bool = False) -> None:
        super().__init__()
        self.ends_the_day = ends_the_day

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        shown = self.format_value(value) or ""
        has_seconds = len(shown) > len("2026-11-23T14:05")
        return super().get_context(name, value, {**(attrs or {}), **({"step": "any"} if has_seconds else {})})

    def format_value(self, value: Any) -> str | None:
        try:
            instant = read_moment(str(value or ""), ends_the_day=self.ends_the_day)
        except ValueError:
            return str(value)
        if instant is None:
            return None
        here = zones.local(instant).replace(tzinfo=None)
        return here.isoformat(timespec="seconds" if here.second else "minutes")


class MomentField(forms.Field):
    """Cleans to an instant. A date alone stands for its beginning, or with `ends_the_day` for its end; empty: None."""

    def __init__(self, *, label: str, ends_the_day: bool = False) -> None:
        super().__init__(label=label, required=False, widget=MomentInput(ends_the_day=ends_the_day))
        self.ends_the_day = ends_the_day

    def clean(self, value: Any) -> datetime | None:
        try:
            return read_moment(str(value or ""), ends_the_day=self.ends_the_day)
        except ValueError:
            raise forms.ValidationError(UNREADABLE) from None


def read_moment(text: str, *, ends_the_day: bool = False) -> datetime | None:
    """A date, a date and a time in the reader's zone, or an instant with its own offset, as links have it.

    An hour that the clocks repeat stands for its first, or for an end its second. None for nothing, and for what no calendar
    reaches. Raises ValueError for what is none of these.
    """
    text = text.strip()
    if not text:
        return None
    try:
        if len(text) == len("2026-11-23"):
            day = date.fromisoformat(text) + timedelta(days=int(ends_the_day))
            return in_utc(datetime.combine(day, time()), ends_the_day)
        if text[-1] in "Zz" or "+" in text:
            return zones.local(read_rfc3339(text)).astimezone(UTC)  # the page shows it in the reader's zone
        return in_utc(local_moment(text), ends_the_day)
    except OverflowError:
        return None


def local_moment(text: str) -> datetime:
    for form in FORMS:
        try:
            return datetime.strptime(text, form)  # noqa: DTZ007 - the zone comes after it
        except ValueError:
            continue
    raise ValueError("no date and time")


def in_utc(moment: datetime, is_end: bool) -> datetime:
    here = moment.replace(tzinfo=timezone.get_current_timezone(), fold=int(is_end))
    return here.astimezone(UTC)
