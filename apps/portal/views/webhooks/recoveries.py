"""What an endpoint missed, sent again in bulk: how many it would be, and how far it is."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common import clock
from apps.gateway.errors import Conflict, NotFound
from apps.portal.endpoint_state import missed_since
from apps.portal.forms.webhooks import RecoverForm
from apps.portal.place import DEVELOPERS, PortalView
from apps.portal.recovery_state import state_of_recovery
from apps.portal.views.webhooks.one import ChangeEndpoint
from apps.webhooks.models import Endpoint, Recovery
from apps.webhooks.selection import preview
from apps.webhooks.selectors import recovery_of
from apps.webhooks.services.recover import resume_recovery, start_recovery, stop_recovery

USUAL = timedelta(days=1)
"""How far back it looks unless said."""


class Recover(ChangeEndpoint):
    """With `since` in the address it says how many it would be; sent as a form, it starts."""

    template = "portal/webhooks/recover.html"

    def form(self, endpoint: Endpoint, data: Any = None) -> RecoverForm:
        asked = self.request.GET if data is None and "since" in self.request.GET else data
        begins = missed_since(endpoint) or clock.now() - USUAL
        initial = {"since": begins.replace(second=0, microsecond=0)}
        return RecoverForm(asked, endpoint=endpoint, initial=initial)

    def context(self, endpoint: Endpoint) -> dict[str, Any]:
        form = RecoverForm(self.asked(), endpoint=endpoint, auto_id=False)
        if not form.is_valid():
            return {}
        return {"preview": preview(endpoint=endpoint, selection=form.selection()), "asked": form}

    def change(self, endpoint: Endpoint, form: RecoverForm) -> HttpResponse:
        recovery = start_recovery(
            endpoint=endpoint, selection=form.selection(), per_minute=form.cleaned_data["per_minute"]
        )
        return redirect(self.place.reverse("recovery", recovery_id=recovery.pk))

    def asked(self) -> Any:
        return self.request.POST if self.request.method == "POST" else self.request.GET


class RecoveryView(PortalView):
    section = "webhooks"

    def found(self, recovery_id: str) -> Recovery:
        try:
            return recovery_of(self.place.account.pk, self.place.environment, recovery_id)
        except NotFound:
            raise Http404 from None

    def back(self, recovery: Recovery) -> HttpResponse:
        return redirect(self.place.reverse("recovery", recovery_id=recovery.pk))


class RecoveryPage(RecoveryView):
    def get(self, request: HttpRequest, recovery_id: str) -> HttpResponse:
        recovery = self.found(recovery_id)
        return self.render(
            "portal/webhooks/recovery.html",
            {
                "recovery": recovery,
                "state": state_of_recovery(recovery),
                "may_change": self.place.is_one_of(DEVELOPERS),
            },
        )


class ActOnRecovery(RecoveryView):
    """A button of the recovery's page. Who comes by its address is led to that page."""

    act: Callable[..., Recovery]

    def get(self, request: HttpRequest, recovery_id: str) -> HttpResponse:
        return self.back(self.found(recovery_id))

    def post(self, request: HttpRequest, recovery_id: str) -> HttpResponse:
        recovery = self.found(recovery_id)
        try:
            type(self).act(recovery=recovery)
        except Conflict as refusal:
            messages.error(request, refusal.message)
        return self.back(recovery)


class StopRecovery(ActOnRecovery):
    act = staticmethod(stop_recovery)


class ResumeRecovery(ActOnRecovery):
    act = staticmethod(resume_recovery)
