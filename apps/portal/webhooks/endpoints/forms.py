"""The forms of an endpoint. The services decide which URLs and events are valid."""

from django import forms
from django.forms.boundfield import BoundWidget

from apps.webhooks.catalogue import CATALOGUE, EMITTED
from apps.webhooks.sender.target import MAX_LENGTH

NOTES = {event.name: event.note for event in CATALOGUE if event.subscribable}
ERROR_FIELDS = {"url": "url", "events": "events", "perMinute": "per_minute"}
"""The form's field for each field that a service may refuse."""


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
        """The events that are sent today, each with its note."""
        return [(choice, note) for choice, note in self._choices() if choice.data["value"] in EMITTED]

    def silent(self) -> list[tuple[BoundWidget, str]]:
        """The events that are never sent today. The note says where to look instead."""
        return [(choice, note) for choice, note in self._choices() if choice.data["value"] not in EMITTED]

    def a_silent_one_is_chosen(self) -> bool:
        return any(choice.data["selected"] for choice, _ in self.silent())

    def _choices(self) -> list[tuple[BoundWidget, str]]:
        return [(choice, NOTES[choice.data["value"]]) for choice in self["events"].subwidgets]


class RotateSecretForm(forms.Form):
    OVERLAP, IMMEDIATE = "overlap", "immediate"
    when = forms.ChoiceField(
        label="The current secret",
        choices=[
            (OVERLAP, "Both sign for 24 hours: nothing fails while you deploy the new one"),
            (IMMEDIATE, "It stops working at once: choose this when it has leaked"),
        ],
        initial=OVERLAP,
        widget=forms.RadioSelect,
    )

    @property
    def immediate(self) -> bool:
        return bool(self.cleaned_data["when"] == self.IMMEDIATE)
