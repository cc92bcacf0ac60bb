"""The form of a list's filters. Values in the address narrow the list. An unreadable value is reported beside its field."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, cast

from django import forms
from django.forms import BoundField

from apps.accounts import clocks
from apps.portal.moment_field import MomentField


def any_or(choices: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The choices of a filter: pairs of value and label, after one that filters nothing."""
    return [("", "Any"), *choices]


class Preset(NamedTuple):
    """A period up to now that is chosen with one click; `name` is that in the address, `1h`."""

    label: str
    name: str
    is_current: bool


PRESETS = {
    "1h": timedelta(hours=1),
    "24h": timedelta(hours=24),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
}
LABELS = {"1h": "1 h", "24h": "24 h", "7d": "7 d", "30d": "30 d"}
REVERSED = "To is not after From. Give the earlier time first."


class ListFilters(forms.Form):
    """The period that every list has: From and To, or the last hours or days up to now. A subclass adds its own fields, and
    `filters()` for its selector.
    """

    folded: ClassVar[tuple[str, ...]] = ()
    """The fields that stand below the others, behind "More filters"."""

    since = MomentField(label="From")
    until = MomentField(label="To", ends_the_day=True)
    last = forms.ChoiceField(choices=[("", ""), *LABELS.items()], required=False, widget=forms.HiddenInput)
    """Counts where neither From nor To is given."""

    def clean(self) -> dict[str, Any]:
        """A reversed period narrows nothing: neither time is used."""
        cleaned: dict[str, Any] = self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since >= until:
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
        chosen = "" if self.is_dated else self.value("last")
        return [Preset(label, name, is_current=name == chosen) for name, label in LABELS.items()]

    @property
    def is_dated(self) -> bool:
        """Whether From or To is written, readable or not."""
        return bool(self.data.get("since") or self.data.get("until"))

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def value(self, name: str) -> str:
        """The field's value; empty where there is none, or none that can be read."""
        found = self._readable(name)
        return str(found).strip() if found else ""

    @cached_property
    def begins(self) -> datetime | None:
        """The first instant; None without one. One instant for as long as the form lives, so that a page counts what it lists."""
        if self.is_dated:
            return cast("datetime | None", self._readable("since"))
        length = PRESETS.get(self.value("last"))
        return clocks.now_here() - length if length else None

    @property
    def ends(self) -> datetime | None:
        """The first instant that is not listed any more."""
        return cast("datetime | None", self._readable("until"))

    def _readable(self, name: str) -> Any:
        self.is_valid()  # fills cleaned_data with every field that is
        return self.cleaned_data.get(name)
