"""Recoveries: deliveries of a period are sent again."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.db.models import Min
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from apps.common import clock
from apps.portal.forms import ObjectActionView, ObjectView
from apps.portal.lists import in_utc, local_moment
from apps.portal.webhooks.endpoints import MISSED, WAITING, WHAT, EndpointFormView, missed_since
from apps.webhooks.events import EMITTED
from apps.webhooks.models import (
    RETENTION,
    UNDER_WAY,
    DeliveryStatus,
    Endpoint,
    HaltReason,
    Recovery,
    RecoveryStatus,
)
from apps.webhooks.selectors import Progress, progress_of, recovery_of
from apps.webhooks.services.recover import (
    DEFAULT_PER_MINUTE,
    MAX_PER_MINUTE,
    Selection,
    awaiting_next_attempt,
    preview,
    resume_recovery,
    start_recovery,
    stop_recovery,
)

STATUSES = {
    WAITING: DeliveryStatus.RETRYING,
    "exhausted": DeliveryStatus.EXHAUSTED,
    "failed": DeliveryStatus.FAILED,
}


class LocalTime(forms.DateTimeField):
    """Django's own refuses an hour that the clocks repeat or skip; here it is read as in the filters of the lists."""

    def __init__(self, *, is_end: bool = False, **named: Any) -> None:
        super().__init__(**named)
        self.is_end = is_end

    def to_python(self, value: Any) -> datetime | None:
        with suppress(ValueError, OverflowError):
            return in_utc(local_moment(str(value or "").strip()), self.is_end)
        other: datetime | None = super().to_python(value)
        return other


class RecoverForm(forms.Form):
    since = LocalTime(label="Since")
    until = LocalTime(label="Until", required=False, is_end=True)
    what = forms.MultipleChoiceField(
        label="What to send",
        initial=list(WHAT),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
    )
    event_types = forms.MultipleChoiceField(
        label="Events",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="None selected: all events.",
    )
    per_minute = forms.IntegerField(
        label="Maximum rate",
        initial=DEFAULT_PER_MINUTE,
        min_value=1,
        max_value=MAX_PER_MINUTE,
        help_text="Deliveries per minute, in addition to new events.",
    )

    def __init__(self, *args: Any, endpoint: Endpoint, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        waiting = awaiting_next_attempt(endpoint).count()
        self.fields["what"].choices = [  # type: ignore[attr-defined]
            (kind, f"{label}: {waiting:,}" if kind == WAITING else label) for kind, label in WHAT.items()
        ]
        zone = timezone.get_current_timezone_name()
        self.fields["since"].help_text = f"{zone}. The history is kept for 30 days."
        self.fields["until"].help_text = f"{zone}. Empty: up to now."
        names = sorted(EMITTED | set(endpoint.events))
        self.fields["event_types"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        for name in ("since", "until"):
            self.fields[name].widget = forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            )

    def clean_since(self) -> datetime:
        since: datetime = self.cleaned_data["since"]
        now = clock.now_here()
        if since >= now:
            raise forms.ValidationError("Enter a time in the past.")
        if since < now - RETENTION:
            raise forms.ValidationError("Enter a time within the last 30 days.")
        return since

    def clean_until(self) -> datetime | None:
        until: datetime | None = self.cleaned_data["until"]
        since = self.cleaned_data.get("since")
        if until is not None and since is not None and until <= since:
            raise forms.ValidationError("Enter a time after the start.")
        if until is not None and until > clock.now_here() + timedelta(days=1):
            return None
        return until

    def selection(self) -> Selection:
        chosen = self.cleaned_data
        return Selection(
            since=chosen["since"].astimezone(UTC),
            until=chosen["until"].astimezone(UTC) if chosen["until"] else None,
            event_types=tuple(chosen["event_types"]),
            statuses=tuple(STATUSES[kind] for kind in chosen["what"] if kind != MISSED),
            include_missed=MISSED in chosen["what"],
        )


STATUS_TEXTS = {
    RecoveryStatus.CANARY: "One delivery is sent first. If it is accepted, the others follow.",
    RecoveryStatus.RUNNING: "The first was accepted; the others follow, oldest first.",
    RecoveryStatus.STOPPED: "Stopped by a member of your account.",
    RecoveryStatus.FINISHED: "Everything has been sent.",
}
HALT_TEXTS = {
    HaltReason.CANARY_FAILED: "The first delivery was not accepted, so the others were not sent. Check the response, fix the "
    "receiver, send a test, then resume.",
    HaltReason.FAILURES_IN_A_ROW: "Ten in a row were not accepted, so the others were not sent. Fix the receiver, or choose a "
    "slower pace, then resume.",
    HaltReason.ENDPOINT_DISABLED: "The endpoint is disabled. Enable it, then resume.",
}


@dataclass(frozen=True, slots=True)
class RecoveryState:
    progress: Progress
    text: str
    since: datetime
    until: datetime | None
    event_types: list[str]
    is_under_way: bool
    may_stop: bool
    may_resume: bool
    left: timedelta | None
    """How long until the last delivery is sent, at the chosen pace."""

    @property
    def done(self) -> int:
        return self.progress.delivered + self.progress.not_accepted + self.progress.skipped


def state_of_recovery(recovery: Recovery) -> RecoveryState:
    progress, status = progress_of(recovery), RecoveryStatus(recovery.status)
    under_way = status in UNDER_WAY
    selection, until = recovery.selection, recovery.selection.get("until")
    return RecoveryState(
        progress=progress,
        text=HALT_TEXTS[HaltReason(recovery.halt_reason)] if recovery.halt_reason else STATUS_TEXTS[status],
        since=datetime.fromisoformat(selection["since"]),
        until=datetime.fromisoformat(until) if until else None,
        event_types=list(selection["eventTypes"]),
        is_under_way=under_way,
        may_stop=under_way or status == RecoveryStatus.HALTED,
        may_resume=status in (RecoveryStatus.HALTED, RecoveryStatus.STOPPED),
        left=timedelta(minutes=progress.waiting / recovery.per_minute) if under_way else None,
    )


LOOK_BACK = timedelta(days=1)
"""What the form proposes for an endpoint that was not disabled."""


class EndpointRecoverView(EndpointFormView):
    """A GET with `since` counts the deliveries that would be sent. A POST starts the recovery."""

    template = "portal/webhooks/recoveries/new.html"

    def form(self, data: Any = None) -> RecoverForm:
        endpoint = self.object
        given = self.request.GET if data is None and "since" in self.request.GET else data
        begins = missed_since(endpoint) or clock.now_here() - LOOK_BACK
        oldest = awaiting_next_attempt(endpoint).aggregate(at=Min("created_at"))["at"]
        begins = min(begins, oldest) if oldest else begins
        initial = {"since": begins.replace(second=0, microsecond=0)}
        return RecoverForm(given, endpoint=endpoint, initial=initial)

    def extra_context(self) -> dict[str, Any]:
        given = self.request.POST if self.request.method == "POST" else self.request.GET
        form = RecoverForm(given, endpoint=self.object, auto_id=False)
        if not form.is_valid():
            return {}
        return {"preview": preview(endpoint=self.object, selection=form.selection()), "asked": form}

    def save(self, form: RecoverForm) -> HttpResponse:
        recovery = start_recovery(
            endpoint=self.object, selection=form.selection(), per_minute=form.cleaned_data["per_minute"]
        )
        return redirect(self.portal.reverse("recovery", recovery_id=recovery.pk))


class RecoveryView(ObjectView[Recovery]):
    section = "webhooks"

    name, find = "recovery", staticmethod(recovery_of)


class RecoveryDetailView(RecoveryView):
    template = "portal/webhooks/recoveries/detail.html"

    def extra_context(self) -> dict[str, Any]:
        return {"state": state_of_recovery(self.object)}


class RecoveryStopView(RecoveryView, ObjectActionView[Recovery]):
    def act(self) -> HttpResponse:
        stop_recovery(recovery=self.object)
        return self.back()


class RecoveryResumeView(RecoveryView, ObjectActionView[Recovery]):
    def act(self) -> HttpResponse:
        resume_recovery(recovery=self.object)
        return self.back()
