"""The test environment's own controls. Each is a part of the page: its template is included in `index.html`."""

from datetime import datetime, time, timedelta
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.accounts import clocks
from apps.accounts.services.move_clock import FURTHEST, move_clock
from apps.common.errors import GatewayError
from apps.portal.sandbox.faults_views import shown_faults
from apps.portal.sandbox.manage_views import manage_context
from apps.portal.sandbox.page import SandboxPage
from apps.portal.templatetags.portal import span

STEPS = {
    "20min": ("+20 min", timedelta(minutes=20), "offers and quotes expire"),
    "24h": ("+24 h", timedelta(hours=24), "Idempotency-Keys and rotated secrets end"),
    "32h": ("+32 h", timedelta(hours=32), "the last retry of a webhook is near"),
    "30d": ("+30 days", timedelta(days=30), "events and deliveries are forgotten"),
    "365d": ("+365 days", timedelta(days=365), "the approval for live keys expires here"),
}
"""By the value of the button: its label, how far it moves the clock, and what that lets one see."""
MIDNIGHT = "midnight"


class SandboxView(SandboxPage):
    def get(self, request: HttpRequest) -> HttpResponse:
        parts = (self.clock_context(), manage_context(self.portal), {"faults": shown_faults(self.portal)})
        return self.render(
            "portal/sandbox/index.html", {name: value for part in parts for name, value in part.items()}
        )

    def post(self, request: HttpRequest) -> HttpResponse:
        """Move the clock by the step that was pressed."""
        step = request.POST.get("advance", "")
        if step not in STEPS and step != MIDNIGHT:
            raise Http404
        try:
            offset = move_clock(account_id=self.portal.place.account_id, actor=self.actor, **how_far(step))
        except GatewayError as refused:
            messages.error(request, reason_of(refused))
        else:
            messages.success(request, f"This sandbox is {span(offset)} ahead now.")
        return redirect(self.portal.reverse("sandbox"))

    def clock_context(self) -> dict[str, Any]:
        ahead = self.portal.place.clock_offset
        return {
            "now": clocks.now_here(),
            "ahead": ahead,
            "left": FURTHEST - ahead,
            "furthest_days": FURTHEST.days,
            "may_move": self.portal.has_role(self.allowed_roles_to_post),
            "steps": [(value, label, what) for value, (label, _, what) in STEPS.items()],
        }


def how_far(step: str) -> dict[str, Any]:
    """What `move_clock` is told. Midnight is the next one of UTC, by the clock of the sandbox."""
    if step != MIDNIGHT:
        return {"by": STEPS[step][1]}
    there = clocks.now_here()
    return {"until": datetime.combine(there.date() + timedelta(days=1), time(), there.tzinfo)}


def reason_of(refused: GatewayError) -> str:
    """In words for people; a clock that would be too far ahead is the usual one."""
    details = refused.extras.get("details")
    return f"The clock {details[0]['message']}." if isinstance(details, list) else refused.message
