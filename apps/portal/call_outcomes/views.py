"""What became of my call? One field takes an Idempotency-Key, an external reference or a request id."""

from django import forms
from django.http import HttpRequest, HttpResponse

from apps.bookings.call_outcomes.search import outcomes_of
from apps.common import clock
from apps.portal.base_view import PortalView
from apps.portal.call_outcomes.words import told


class SoughtForm(forms.Form):
    q = forms.CharField(
        label="Idempotency-Key, external reference or request id",
        max_length=255,
        strip=True,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )


class CallOutcomesView(PortalView):
    section = "requests"

    def get(self, request: HttpRequest) -> HttpResponse:
        portal = self.portal
        form = SoughtForm(request.GET or None)
        sought = form.cleaned_data["q"] if form.is_valid() else ""
        now = clock.now(portal.place)
        outcomes = outcomes_of(portal.account_id, portal.environment, sought, now=now) if sought else []
        return self.render(
            "portal/call_outcomes/index.html",
            {"form": form, "sought": sought, "calls": [told(outcome) for outcome in outcomes]},
        )
