"""The filters of the list of events, and the form that sends one event to a chosen endpoint."""

from collections.abc import Sequence
from typing import Any

from django import forms

from apps.portal.list_filters import ListFilters, any_or
from apps.portal.templatetags.portal import endpoint_name
from apps.webhooks.catalogue import EMITTED, TEST
from apps.webhooks.event_pages import Filters
from apps.webhooks.models import Endpoint

LONGEST_NAME = 60


class EventFilters(ListFilters):
    field_order = ["text", "type"]

    text = forms.CharField(
        label="Event id or booking",
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )
    type = forms.ChoiceField(
        choices=any_or((name, name) for name in (*sorted(EMITTED), TEST)), required=False
    )

    def filters(self) -> Filters:
        return Filters(type=self.value("type"), called=self.value("text"), since=self.begins, until=self.ends)


class EndpointChoice(forms.Form):
    """Which endpoint an event or a sample is sent to."""

    endpoint = forms.ChoiceField(
        error_messages={"invalid_choice": "There is no such endpoint.", "required": "Choose an endpoint."}
    )

    def __init__(self, *args: Any, endpoints: Sequence[Endpoint], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by_id = {endpoint.pk: endpoint for endpoint in endpoints}
        self.fields["endpoint"].choices = [  # type: ignore[attr-defined]
            (endpoint.pk, shortened(endpoint)) for endpoint in endpoints
        ]

    @property
    def chosen(self) -> Endpoint:
        return self.by_id[self.cleaned_data["endpoint"]]


def shortened(endpoint: Endpoint) -> str:
    name = endpoint_name(endpoint)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
