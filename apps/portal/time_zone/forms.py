from collections.abc import Iterable
from typing import Any

from django import forms

from apps.common.zones import NAME_OF_UTC, known_zones

Group = tuple[str, list[tuple[str, str]]]


class TimeZoneForm(forms.Form):
    time_zone = forms.ChoiceField(label="Time zone", required=False)
    next = forms.CharField(required=False, widget=forms.HiddenInput, max_length=2_000)

    def __init__(self, *args: Any, of_browser: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = [  # type: ignore[attr-defined]
            ("", f"That of the browser: {of_browser or 'not known, so UTC'}"),
            (NAME_OF_UTC, NAME_OF_UTC),
            *by_region(known_zones()),
        ]


def by_region(names: Iterable[str]) -> list[Group]:
    """`Europe`: (`Europe/Berlin`, `Berlin`), … Names without a place, such as `EST5EDT`, are not offered."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names):
        region, _, place = name.partition("/")
        if place and region != "Etc":
            groups.setdefault(region, []).append((name, place.replace("_", " ").replace("/", ", ")))
    return list(groups.items())
