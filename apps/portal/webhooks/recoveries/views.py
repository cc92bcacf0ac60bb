"""Sending again what an endpoint missed: the form with its count, and the page of one recovery."""

from datetime import timedelta
from typing import Any

from django.db.models import Min
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts import clocks
from apps.portal.context import DEVELOPERS
from apps.portal.form_views import ObjectActionView, ObjectView
from apps.portal.webhooks.endpoints.state import missed_since
from apps.portal.webhooks.endpoints.views import EndpointFormView
from apps.portal.webhooks.recoveries.forms import RecoverForm
from apps.portal.webhooks.recoveries.state import state_of_recovery
from apps.webhooks.models import Endpoint, Recovery
from apps.webhooks.selection import awaiting_next_attempt, preview
from apps.webhooks.selectors import recovery_of
from apps.webhooks.services.recover import resume_recovery, start_recovery, stop_recovery

LOOK_BACK = timedelta(days=1)
"""What the form proposes for an endpoint that was not disabled."""


class EndpointRecoverView(EndpointFormView):
    """A GET with `since` counts the deliveries that would be sent. A POST starts the recovery."""

    template = "portal/webhooks/recoveries/new.html"

    def form(self, endpoint: Endpoint, data: Any = None) -> RecoverForm:
        given = self.request.GET if data is None and "since" in self.request.GET else data
        begins = missed_since(endpoint) or clocks.now_here() - LOOK_BACK
        oldest = awaiting_next_attempt(endpoint).aggregate(at=Min("created_at"))["at"]
        begins = min(begins, oldest) if oldest else begins
        initial = {"since": begins.replace(second=0, microsecond=0)}
        return RecoverForm(given, endpoint=endpoint, initial=initial)

    def extra_context(self, endpoint: Endpoint) -> dict[str, Any]:
        given = self.request.POST if self.request.method == "POST" else self.request.GET
        form = RecoverForm(given, endpoint=endpoint, auto_id=False)
        if not form.is_valid():
            return {}
        return {"preview": preview(endpoint=endpoint, selection=form.selection()), "asked": form}

    def change(self, endpoint: Endpoint, form: RecoverForm) -> HttpResponse:
        recovery = start_recovery(
            endpoint=endpoint, selection=form.selection(), per_minute=form.cleaned_data["per_minute"]
        )
        return redirect(self.portal.reverse("recovery", recovery_id=recovery.pk))


class RecoveryView(ObjectView[Recovery]):
    """A page about one recovery."""

    section = "webhooks"

    def get_object(self, recovery_id: str) -> Recovery:
        return recovery_of(self.portal.account_id, self.portal.environment, recovery_id)

    def address_of(self, recovery: Recovery) -> str:
        return self.portal.reverse("recovery", recovery_id=recovery.pk)


class RecoveryDetailView(RecoveryView):
    def get(self, request: HttpRequest, recovery_id: str) -> HttpResponse:
        recovery = self.object_or_404(recovery_id=recovery_id)
        return self.render(
            "portal/webhooks/recoveries/detail.html",
            {
                "recovery": recovery,
                "state": state_of_recovery(recovery),
                "may_change": self.portal.has_role(DEVELOPERS),
            },
        )


class RecoveryStopView(RecoveryView, ObjectActionView[Recovery]):
    def act(self, recovery: Recovery) -> HttpResponse:
        stop_recovery(recovery=recovery)
        return self.back(recovery)


class RecoveryResumeView(RecoveryView, ObjectActionView[Recovery]):
    def act(self, recovery: Recovery) -> HttpResponse:
        resume_recovery(recovery=recovery)
        return self.back(recovery)
