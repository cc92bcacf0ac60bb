"""Lists with filters in the address, one page at a time."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any, ClassVar, cast
from urllib.parse import urlencode

from django import forms
from django.db.models import QuerySet
from django.forms import BoundField
from django.http import HttpResponse, JsonResponse
from django.utils import timezone

from apps.common import clock, keyset, zones
from apps.common.clock import read_rfc3339
from apps.common.querysets import capped_counts, capped_words
from apps.portal.base import PortalView
from apps.portal.saved_views import bar_of

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
    reaches. Raises ValueError for anything else.
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


class CodeField(forms.CharField):
    """A filter by an id, a reference or a path."""

    def __init__(self, label: str, *, max_length: int = 64) -> None:
        attrs = {"class": "mono", "autocomplete": "off", "spellcheck": "false"}
        super().__init__(
            label=label, required=False, max_length=max_length, widget=forms.TextInput(attrs=attrs)
        )


class DayField(forms.DateField):
    """A filter by a day of the calendar, in no zone."""

    def __init__(self, label: str) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        messages = {"invalid": "Write a date, as in 2026-11-23."}
        super().__init__(
            label=label, required=False, widget=widget, input_formats=["%Y-%m-%d"], error_messages=messages
        )


def any_or(choices: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The choices of a filter: pairs of value and label, after one that filters nothing."""
    return [("", "Any"), *choices]


@dataclass(frozen=True, slots=True)
class Preset:
    """A period that is chosen with one click; `name` is that in the address, `1h`."""

    label: str
    name: str
    is_current: bool

    @property
    def in_words(self) -> str:
        return f"The last {self.label}" if self.name in PRESETS else self.label


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter as a chip: its field, the words of its value or nothing, and for a choice the addresses of all choices."""

    field: BoundField
    value: str
    links: Sequence[tuple[str, str, bool]] = ()
    """Words, address, and whether it is chosen."""

    @property
    def is_open(self) -> bool:
        return bool(self.field.errors)


PRESETS = {
    "1h": timedelta(hours=1),
    "24h": timedelta(hours=24),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
}
TODAY, YESTERDAY, THIS_MONTH, LAST_MONTH = "today", "yesterday", "this_month", "month"
LABELS = {
    "1h": "1 h",
    TODAY: "Today",
    YESTERDAY: "Yesterday",
    "7d": "7 d",
    THIS_MONTH: "This month",
    LAST_MONTH: "Last month",
}
"""The periods that a list offers."""
LINKED = {"24h": "24 h", "30d": "30 d"}
"""Periods of links and of saved views, which are shown while they are chosen."""
REVERSED = "To is not after From. Give the earlier time first."
PERIOD_FIELDS = ("since", "until")
FORM_ID = "filters"
"""Of the form in templates/portal/parts/filters.html."""


def calendar_period(name: str) -> tuple[datetime, datetime] | None:
    """When a day or a month of the reader's calendar begins and ends; None for another period."""
    today = zones.local(clock.now_here()).date()
    this_month = today.replace(day=1)
    days = {
        TODAY: (today, today + timedelta(days=1)),
        YESTERDAY: (today - timedelta(days=1), today),
        THIS_MONTH: (this_month, (this_month + timedelta(days=32)).replace(day=1)),
        LAST_MONTH: ((this_month - timedelta(days=1)).replace(day=1), this_month),
    }
    if name not in days:
        return None
    begins, ends = (in_utc(datetime.combine(day, time()), False) for day in days[name])
    return begins, ends


class ListFilters(forms.Form):
    """The period that every list has: From and To, or the last hours or days up to now. A subclass adds its own fields, and
    `filters()` for its selector.
    """

    since = MomentField(label="From")
    until = MomentField(label="To", ends_the_day=True)
    last = forms.ChoiceField(
        choices=[("", ""), *LABELS.items(), *LINKED.items()], required=False, widget=forms.HiddenInput
    )
    """Counts where neither From nor To is given."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in PERIOD_FIELDS:  # which stand above the list, not in its form
            self.fields[name].widget.attrs["form"] = FORM_ID

    def clean(self) -> dict[str, Any]:
        """A reversed period narrows nothing: neither time is used."""
        cleaned: dict[str, Any] = self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since >= until:
            self.add_error("until", REVERSED)
            cleaned.pop("since")
        return cleaned

    @cached_property
    def chips(self) -> list[Chip]:
        """All filters but those of the period."""
        return [self._chip(field) for field in self.visible_fields() if field.name not in PERIOD_FIELDS]

    def _chip(self, field: BoundField) -> Chip:
        value = self.value(field.name)
        choices = getattr(field.field, "choices", None)
        if choices is None:
            given = str(self.data.get(field.name) or "").strip()
            in_words = getattr(field.field, "in_words", str)
            return Chip(field, in_words(given))
        words = {str(name): str(label) for name, label in choices}
        links = [(label, self._address(field.name, name), name == value) for name, label in words.items()]
        return Chip(field, words[value] if value else "", links)

    def _address(self, name: str, value: str) -> str:
        """The query of this list with another value of one filter, from its first page on."""
        query = {key: text for key, text in self.data.items() if text and key not in (name, "cursor")}
        return "?" + urlencode({**query, name: value} if value else query)

    @property
    def chosen(self) -> int:
        """How many chips are in use."""
        return sum(bool(chip.value) for chip in self.chips)

    @property
    def is_open(self) -> bool:
        return any(chip.is_open for chip in self.chips)

    @property
    def period_fields(self) -> list[BoundField]:
        return [self[name] for name in PERIOD_FIELDS]

    @property
    def has_period_errors(self) -> bool:
        return any(field.errors for field in self.period_fields)

    def presets(self) -> list[Preset]:
        chosen = "" if self.is_dated else self.value("last")
        offered = LABELS | {name: label for name, label in LINKED.items() if name == chosen}
        return [Preset(label, name, is_current=name == chosen) for name, label in offered.items()]

    @property
    def is_dated(self) -> bool:
        """Whether From or To is written, readable or not."""
        return bool(self.data.get("since") or self.data.get("until"))

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def value(self, name: str) -> str:
        """The field's value; empty if absent or unreadable."""
        found = self._readable(name)
        return str(found).strip() if found else ""

    def day(self, name: str) -> date | None:
        """The day in the field; None where the field is empty or invalid."""
        found: date | None = self._readable(name)
        return found

    @cached_property
    def begins(self) -> datetime | None:
        """The first instant; None without one. One instant for as long as the form lives, so that a page counts what it lists."""
        if self.is_dated:
            return cast("datetime | None", self._readable("since"))
        chosen = self.value("last")
        if period := calendar_period(chosen):
            return period[0]
        length = PRESETS.get(chosen)
        return clock.now_here() - length if length else None

    @property
    def ends(self) -> datetime | None:
        """The first instant that is not listed any more."""
        if not self.is_dated and (period := calendar_period(self.value("last"))):
            return period[1]
        return cast("datetime | None", self._readable("until"))

    def _readable(self, name: str) -> Any:
        self.is_valid()  # fills cleaned_data with every field that is
        return self.cleaned_data.get(name)


@dataclass(frozen=True, slots=True)
class Tab:
    """`value` is that of the parameter `status`; empty for the tab of all."""

    value: str
    label: str
    shown: str
    """`37`, or `1,000+` where more were not counted; empty where counting would read the whole history."""
    is_current: bool


def tabs_of(
    labels: Mapping[str, str],
    selections: Mapping[str, QuerySet[Any]],
    chosen: str,
    *,
    counted: bool = True,
    known: Mapping[str, int] | None = None,
) -> list[Tab]:
    """A tab for each label. `selections` has what each would list, under the same names. One query, or none if not `counted`.

    `known` are counts that need not be made, and have no bound.
    """
    shown = {value: f"{count:,}" for value, count in (known or {}).items()}
    if counted:
        asked = [value for value in labels if value not in shown]
        counts = capped_counts([selections[value] for value in asked])
        shown |= {value: capped_words(count) for value, count in zip(asked, counts, strict=True)}
    return [
        Tab(value, label, shown.get(value, ""), is_current=value == chosen) for value, label in labels.items()
    ]


MOST_NEWER = 99


class ListView(PortalView):
    list_name: ClassVar[str]
    form_class: ClassVar[type[ListFilters]]

    @property
    def cursor(self) -> str | None:
        return self.request.GET.get("cursor") or None

    @property
    def newest_seen(self) -> str | None:
        """The newest row of an open page, which asks whether there are newer ones; None where a page is asked for."""
        return self.request.GET.get("newer_than")

    def render_list(self, template: str, form: ListFilters, page: object, **more: Any) -> HttpResponse:
        """`page` is what a selector returned for `form.filters()` and `self.cursor`."""
        shown = {"form": form, "page": page, "cursor": self.cursor, "narrowed": form.is_narrowed}
        shown["views"] = bar_of(self.portal, self.list_name, self.request.GET.urlencode())
        return self.render(template, {**shown, **more})

    def count_newer(self, rows: QuerySet[Any], *, numbered: bool = False) -> JsonResponse:
        """How many of `rows` are above the newest one that the open page shows, for its script (static/js/lists.js)."""
        above = keyset.above(self.newest_seen, numbered=numbered)
        return JsonResponse({"newer": rows.filter(above)[: MOST_NEWER + 1].count()})
