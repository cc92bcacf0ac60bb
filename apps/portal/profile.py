"""The profile of a person: name, time zone, theme."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from apps.accounts.models import User
from apps.common.zones import NAME_OF_UTC, known_zones
from apps.portal.base import browser_zone
from apps.portal.context import EVERYONE
from apps.portal.forms import FormView
from apps.portal.theme import THEMES, chosen_theme, keep_theme

Group = tuple[str, list[tuple[str, str]]]


class ProfileForm(forms.Form):
    name = forms.CharField(
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text="Shown to your team next to your email.",
    )
    time_zone = forms.ChoiceField(label="Time zone", required=False)
    theme = forms.ChoiceField(
        choices=[(value, label.removeprefix("Theme: ")) for value, label in THEMES.items()],
        required=False,
        widget=forms.RadioSelect,
        help_text="Kept in this browser.",
    )
    next = forms.CharField(required=False, widget=forms.HiddenInput, max_length=2_000)

    def __init__(self, *args: Any, of_browser: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = [  # type: ignore[attr-defined]
            ("", f"Browser: {of_browser or 'unknown, so UTC'}"),
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


class ProfileView(FormView):
    section = "profile"
    account_wide = True
    allowed_roles_to_post = EVERYONE
    template, form_class = "portal/profile/index.html", ProfileForm

    def form(self, data: Any = None) -> ProfileForm:
        user = self.portal.user
        initial = {
            "name": user.get_full_name(),
            "time_zone": user.time_zone,
            "theme": chosen_theme(self.request),
            "next": self.request.GET.get("next", ""),
        }
        return ProfileForm(data, initial=initial, of_browser=str(browser_zone(self.request) or ""))

    def save(self, form: ProfileForm) -> HttpResponse:
        given = form.cleaned_data
        changed = {"time_zone": given["time_zone"]}
        # A form that was open before the name was part of it says nothing about it.
        if "name" in form.data and given["name"] != self.portal.user.get_full_name():
            changed |= {"first_name": given["name"], "last_name": ""}
        User.objects.filter(pk=self.portal.user.pk).update(**changed)
        messages.success(self.request, "Saved.")
        back = given["next"]
        is_ours = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith("/portal/")
        response = redirect(back if is_ours else reverse("portal:profile"))
        if given["theme"]:
            keep_theme(self.request, response, given["theme"])
        return response


class TimeZoneView(ProfileView):
    """Where the time zone was chosen before it was part of the profile. A form that is still open there is taken."""

    def get(self, request: HttpRequest) -> HttpResponse:
        back = request.GET.get("next", "")
        return redirect(
            f"{reverse('portal:profile')}{'?' + urlencode({'next': back}) if back else ''}#id_time_zone"
        )
