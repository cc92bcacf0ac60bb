"""The form that sends again what an endpoint missed."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone

from apps.accounts import clocks
from apps.portal.moment_field import in_utc, local_moment
from apps.webhooks.catalogue import EMITTED
from apps.webhooks.models import DeliveryStatus, Endpoint
from apps.webhooks.selection import Selection, awaiting_next_attempt
from apps.webhooks.services.prune import RETENTION
from apps.webhooks.services.recover import DEFAULT_PER_MINUTE, MAX_PER_MINUTE

MISSED = "missed"
WAITING = "waiting"
WHAT = {
    WAITING: "Waiting for their next attempt",
    "exhausted": "Exhausted: all seven tries failed",
    "failed": "Failed: answered 410, or not accepted when it was sent again",
    MISSED: "Missed: happened while the endpoint was disabled",
}
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
        label="Events", required=False, widget=forms.CheckboxSelectMultiple, help_text="None chosen: all."
    )
    per_minute = forms.IntegerField(
        label="Deliveries a minute",
        initial=DEFAULT_PER_MINUTE,
        min_value=1,
        max_value=MAX_PER_MINUTE,
        help_text="As many as your receiver bears beside its everyday work.",
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
        now = clocks.now_here()
        if since >= now:
            raise forms.ValidationError("Give a time that has passed.")
        if since < now - RETENTION:
            raise forms.ValidationError("Give a time of the last 30 days: older history is not kept.")
        return since

    def clean_until(self) -> datetime | None:
        until: datetime | None = self.cleaned_data["until"]
        since = self.cleaned_data.get("since")
        if until is not None and since is not None and until <= since:
            raise forms.ValidationError("Give a time after the beginning.")
        if until is not None and until > clocks.now_here() + timedelta(days=1):
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
