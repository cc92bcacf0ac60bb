"""The page on which a member chooses the time zone of all pages."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from apps.portal.base_view import PortalView
from apps.portal.context import EVERYONE
from apps.portal.time_zone.choice import browser_zone, choose_zone
from apps.portal.time_zone.forms import TimeZoneForm


class TimeZoneView(PortalView):
    section = "time_zone"
    account_wide = True
    allowed_roles_to_post = EVERYONE

    def get(self, request: HttpRequest) -> HttpResponse:
        initial = {"time_zone": self.portal.user.time_zone, "next": request.GET.get("next", "")}
        return self.page(self.form(initial=initial))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = self.form(request.POST)
        if not form.is_valid():
            return self.page(form, status=400)
        choose_zone(self.portal.user, form.cleaned_data["time_zone"])
        messages.success(request, "Saved.")
        back = form.cleaned_data["next"]
        is_ours = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith("/portal/")
        return redirect(back if is_ours else reverse("portal:time_zone"))

    def form(self, data: object = None, **more: object) -> TimeZoneForm:
        return TimeZoneForm(data, of_browser=str(browser_zone(self.request) or ""), **more)

    def page(self, form: TimeZoneForm, *, status: int = 200) -> HttpResponse:
        return self.render("portal/time_zone/index.html", {"form": form}, status=status)
