"""The time zone in which a person reads the portal."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from apps.accounts.models import User
from apps.common.zones import NAME_OF_UTC, known_zones
from apps.portal.base import browser_zone
from apps.portal.context import EVERYONE
from apps.portal.forms import FormView

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


class TimeZoneView(FormView):
    section = "time_zone"
    account_wide = True
    allowed_roles_to_post = EVERYONE
    template, form_class = "portal/time_zone/index.html", TimeZoneForm

    def form(self, data: Any = None) -> TimeZoneForm:
        initial = {"time_zone": self.portal.user.time_zone, "next": self.request.GET.get("next", "")}
        return TimeZoneForm(data, initial=initial, of_browser=str(browser_zone(self.request) or ""))

    def save(self, form: TimeZoneForm) -> HttpResponse:
        User.objects.filter(pk=self.portal.user.pk).update(time_zone=form.cleaned_data["time_zone"])
        messages.success(self.request, "Saved.")
        back = form.cleaned_data["next"]
        is_ours = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith("/portal/")
        return redirect(back if is_ours else reverse("portal:time_zone"))
