"""The page of components."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse

from apps.common import clock
from apps.portal import charts
from apps.portal.base import PortalView
from apps.portal.json_html import json_view

CALLS = [4, 9, 7, 12, 30, 22, 18, 25, 41, 33, 28, 36]
STATES = ["confirmed", "pending", "read-only", "failed", "cancelled"]
CURL = "curl https://api.example.com/v1/ping \\\n  -H 'Authorization: Bearer svc_test_…'"


class SampleForm(forms.Form):
    name = forms.CharField(max_length=20, help_text="How you recognise it in lists and invoices.")
    mode = forms.ChoiceField(choices=[("a", "Partner is merchant"), ("b", "Traveller pays")])
    scopes = forms.MultipleChoiceField(
        choices=[("hotels:search", "Search hotels"), ("hotels:book", "Book hotels")],
        widget=forms.CheckboxSelectMultiple,
    )
    addresses = forms.CharField(widget=forms.Textarea, required=False)
    agree = forms.BooleanField(label="I have kept the secret")


class ComponentsView(PortalView):
    def get(self, request: HttpRequest) -> HttpResponse:
        if not settings.STATIC_FROM_SOURCE:
            raise Http404
        messages.success(request, "The key has been created.")
        return self.render("portal/components/index.html", shown(clock.now()))


def shown(now: datetime) -> dict[str, Any]:
    days = [f"{day} Nov" for day in range(1, 13)]
    lines = [
        charts.Line("2xx", CALLS, tone="good"),
        charts.Line("4xx", [value // 6 for value in CALLS], tone="warn"),
        charts.Line("5xx", [value // 20 for value in CALLS], tone="bad"),
    ]
    return {
        "sparkline": charts.sparkline(lines, says="265 calls in the last 12 hours, at most 41 in one"),
        "stacks": charts.stacks(
            [(f"{day} 2026", day) for day in days],
            lines,
            says="Calls of twelve days by the class of their status",
            of="Day",
        ),
        "held": charts.plot(
            charts.evenly([(f"{day} 2026", day) for day in days]),
            [charts.Line("Available", [10_000 - 700 * day for day in range(12)])],
            says="The balance of twelve days",
            of="Day",
            held=True,
        ),
        "states": STATES,
        "rows": [(f"H-7KQ2M9X{n}", STATES[n], now - timedelta(minutes=37 * n), 12_345 * n) for n in range(5)],
        "form": SampleForm(
            {"name": "A name that is far too long for it", "mode": "a", "scopes": ["hotels:search"]}
        ),
        "now": now,
        "soon": now + timedelta(minutes=12),
        "code": CURL,
        "json": json_view(
            {"id": "hbk_01kb2c8x", "totalCents": 12_345, "guests": [{"type": "adult"}], "paid": True}
        ),
        "dots": [
            {"tone": tone, "label": f"Try {n}"}
            for n, tone in enumerate(["bad", "bad", "warn", "good", "busy", "", ""])
        ],
    }
