"""The form of a list's filters. Values in the address narrow the list. An unreadable value is reported beside its field."""

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.forms import BoundField

from apps.accounts import clocks


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


class Preset(NamedTuple):
    """A period that is chosen with one click; days as in the address."""

    label: str
    since: str
    until: str
    is_current: bool


PRESETS = {"Today": (0, 0), "Yesterday": (1, 1), "7 days": (6, 0), "30 days": (29, 0)}
"""How many days ago each begins and ends."""
REVERSED = "To is before From. Give the earlier day first."


class ListFilters(forms.Form):
    """The two days that every list has. A subclass adds its own fields, and `filters()` for its selector."""

    folded: ClassVar[tuple[str, ...]] = ()
    """The fields that stand below the others, behind "More filters"."""

    since = day_field("From")
    until = day_field("To")

    def clean(self) -> dict[str, Any]:
        """Reversed days narrow nothing: neither is used."""
        cleaned: dict[str, Any] = self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", REVERSED)
            cleaned.pop("since")
        return cleaned

    @property
    def always_shown(self) -> list[BoundField]:
        return [field for field in self.visible_fields() if field.name not in self.folded]

    @property
    def shown_on_demand(self) -> list[BoundField]:
        return [field for field in self.visible_fields() if field.name in self.folded]

    @property
    def is_unfolded(self) -> bool:
        """Whether one of the folded fields is in use."""
        return any(self.data.get(name) for name in self.folded)

    def presets(self) -> list[Preset]:
        today = clocks.now_here().astimezone(UTC).date()
        chosen = (self.data.get("since", ""), self.data.get("until", ""))
        found = []
        for label, (begun, ended) in PRESETS.items():
            since, until = ((today - timedelta(days=ago)).isoformat() for ago in (begun, ended))
            found.append(Preset(label, since, until, is_current=(since, until) == chosen))
        return found

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
