"""What became of a call: the page of GET /v1/operations."""

from dataclasses import dataclass

from django import forms
from django.http import HttpRequest, HttpResponse

from apps.bookings.models import Booking
from apps.bookings.outcomes import Action, CallOutcome, State, Verdict, outcomes_of
from apps.common import clock
from apps.gateway.operations import operation_named
from apps.portal.base import PortalView

LIKE = {State.DONE: "finished", State.UNKNOWN: "recovering"}
"""The portal's state whose colour a state has, where that is not the one of the same name."""
MEANINGS = {
    State.NOT_SEEN: "No call with this key has begun anything.",
    State.RUNNING: "The call is in progress.",
    State.DONE: "The call succeeded.",
    State.FAILED: "The call did nothing, and nothing is paid for it.",
    State.UNKNOWN: (
        "The request may have reached the supplier, and its response is not known yet. We are finding out; the funds stay "
        "held, and nothing is booked twice."
    ),
}
PENDING = "The supplier has the order and delivers later. The funds stay held until then."
STEPS = {
    Action.NONE: "Nothing is left to do.",
    Action.WAIT: "Wait, and look again in {seconds}. Do not send it with another key.",
    Action.RETRY_SAME_KEY: "Send the same request again, with the same Idempotency-Key. It is never carried out twice.",
    Action.USE_NEW_KEY: "This refusal is final. Fix what it names, then send it with a new Idempotency-Key.",
    Action.READ_BOOKING: "Read the booking. Do not send the request again.",
}


@dataclass(frozen=True, slots=True)
class Told:
    outcome: CallOutcome
    state: str
    tone: str
    """A state of the portal, of which it has the colour."""
    meaning: str
    next_step: str
    title: str


def told(outcome: CallOutcome) -> Told:
    verdict = outcome.verdict
    return Told(
        outcome,
        verdict.state.replace("_", " ").capitalize(),
        LIKE.get(verdict.state, verdict.state),
        meaning_of(verdict),
        STEPS[verdict.next.action].format(seconds=seconds(verdict.next.after_seconds)),
        title_of(outcome),
    )


def meaning_of(verdict: Verdict) -> str:
    is_pending = verdict.booking is not None and verdict.booking.status == Booking.PENDING
    return PENDING if verdict.state == State.DONE and is_pending else MEANINGS[verdict.state]


def title_of(outcome: CallOutcome) -> str:
    """What was asked for, `Order flights`: where that was not kept, the booking's reference."""
    route = operation_named(outcome.call.operation) if outcome.call else None
    if route is not None:
        return route.summary.rstrip(".")
    booking = outcome.verdict.booking
    return booking.reference if booking is not None else "A call"


def seconds(count: int) -> str:
    return f"{count // 60} min" if count >= 120 else f"{count} s"


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
        outcomes = outcomes_of(*portal.stored, sought, now=now) if sought else []
        return self.render(
            "portal/call_outcomes/index.html",
            {"form": form, "sought": sought, "calls": [told(outcome) for outcome in outcomes]},
        )
