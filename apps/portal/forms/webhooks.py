"""The forms of webhooks. What a URL, an event or a pace may be, the services say."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.forms.boundfield import BoundWidget

from apps.common import clock
from apps.portal.forms.filters import ListFilters
from apps.webhooks.catalogue import CATALOGUE, EMITTED, TEST
from apps.webhooks.delivery_pages import Filters
from apps.webhooks.models import DeliveryStatus, Endpoint
from apps.webhooks.selection import Selection
from apps.webhooks.sender.target import MAX_LENGTH
from apps.webhooks.services.prune import RETENTION
from apps.webhooks.services.recover import DEFAULT_PER_MINUTE, MAX_PER_MINUTE

NOTES = {event.name: event.note for event in CATALOGUE if event.subscribable}
FIELDS = {"url": "url", "events": "events", "perMinute": "per_minute"}
"""The form's field for each that a service may refuse."""
MISSED = "missed"
WHAT = {
    "exhausted": "Exhausted: all seven tries failed",
    "failed": "Failed: answered 410, or not accepted when it was sent again",
    MISSED: "Missed: happened while the endpoint was disabled",
}


class EndpointForm(forms.Form):
    url = forms.CharField(
        label="URL",
        max_length=MAX_LENGTH,
        widget=forms.TextInput(
            attrs={"class": "mono", "inputmode": "url", "autocomplete": "off", "placeholder": "https://"}
        ),
        help_text="An https address that can be reached from the internet.",
    )
    events = forms.MultipleChoiceField(
        choices=[(name, name) for name in NOTES],
        initial=[name for name in NOTES if name in EMITTED],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one event."},
    )
    description = forms.CharField(
        required=False,
        max_length=255,
        help_text="For yourself: which system listens there.",
    )

    def emitted(self) -> list[tuple[BoundWidget, str]]:
        """The choices of events that are sent, each with what it fires on."""
        return [(choice, note) for choice, note in self._choices() if choice.data["value"] in EMITTED]

    def silent(self) -> list[tuple[BoundWidget, str]]:
        """Those never sent today, each with where to look instead."""
        return [(choice, note) for choice, note in self._choices() if choice.data["value"] not in EMITTED]

    def a_silent_one_is_chosen(self) -> bool:
        return any(choice.data["selected"] for choice, _ in self.silent())

    def _choices(self) -> list[tuple[BoundWidget, str]]:
        return [(choice, NOTES[choice.data["value"]]) for choice in self["events"].subwidgets]


class RotateSecret(forms.Form):
    OVERLAP, IMMEDIATE = "overlap", "immediate"
    when = forms.ChoiceField(
        label="What becomes of the secret of today",
        choices=[
            (OVERLAP, "Both sign for 24 hours: nothing fails while you deploy the new one"),
            (IMMEDIATE, "It is void at once: choose this when it has leaked"),
        ],
        initial=OVERLAP,
        widget=forms.RadioSelect,
    )

    @property
    def immediate(self) -> bool:
        return bool(self.cleaned_data["when"] == self.IMMEDIATE)


class DeliveryFilters(ListFilters):
    field_order = ["status", "event_type", "endpoint"]

    status = forms.ChoiceField(
        choices=[("", "Any"), *((value, value.capitalize()) for value in DeliveryStatus.values)],
        required=False,
    )
    event_type = forms.ChoiceField(
        label="Event",
        choices=[("", "Any"), *((name, name) for name in (*sorted(EMITTED), TEST))],
        required=False,
    )
    endpoint = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, endpoints: Sequence[Endpoint], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(endpoint.pk, shortened(endpoint.url)) for endpoint in endpoints]
        self.fields["endpoint"].choices = [("", "Any"), *choices]  # type: ignore[attr-defined]

    def filters(self) -> Filters:
        return Filters(
            status=self.said("status") or None,
            event_type=self.said("event_type") or None,
            endpoint_id=self.said("endpoint") or None,
            since=self.begins,
            until=self.ends,
        )


class RecoverForm(forms.Form):
    since = forms.DateTimeField(label="Since", help_text="UTC. The history is kept for 30 days.")
    until = forms.DateTimeField(label="Until", required=False, help_text="UTC. Empty: up to now.")
    what = forms.MultipleChoiceField(
        label="What to send",
        choices=list(WHAT.items()),
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
        names = sorted(EMITTED | set(endpoint.events))
        self.fields["event_types"].choices = [(name, name) for name in names]  # type: ignore[attr-defined]
        for name in ("since", "until"):
            self.fields[name].widget = forms.DateTimeInput(
                attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
            )

    def clean_since(self) -> datetime:
        since: datetime = self.cleaned_data["since"]
        now = clock.now()
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
        if until is not None and until > clock.now() + timedelta(days=1):
            return None
        return until

    def selection(self) -> Selection:
        said = self.cleaned_data
        return Selection(
            since=said["since"].astimezone(UTC),
            until=said["until"].astimezone(UTC) if said["until"] else None,
            event_types=tuple(said["event_types"]),
            statuses=tuple(kind.upper() for kind in said["what"] if kind != MISSED),
            include_missed=MISSED in said["what"],
        )


def shortened(url: str) -> str:
    return url if len(url) <= 60 else f"{url[:59]}…"
