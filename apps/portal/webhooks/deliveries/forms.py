"""The filters of the list of deliveries."""

from collections.abc import Sequence
from typing import Any

from django import forms

from apps.portal.list_filters import ListFilters, any_or
from apps.webhooks.catalogue import EMITTED, TEST
from apps.webhooks.delivery_pages import Filters
from apps.webhooks.models import DeliveryStatus, Endpoint

STATUSES = {"": "All", **{value: value.capitalize() for value in DeliveryStatus.values}}
"""The tabs."""


class DeliveryFilters(ListFilters):
    field_order = ["text", "event_type", "endpoint"]

    status = forms.ChoiceField(choices=[*STATUSES.items()], required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label="Delivery or event id",
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )
    event_type = forms.ChoiceField(
        label="Event",
        choices=any_or((name, name) for name in (*sorted(EMITTED), TEST)),
        required=False,
    )
    endpoint = forms.ChoiceField(required=False)

    def __init__(self, *args: Any, endpoints: Sequence[Endpoint], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(endpoint.pk, shortened(endpoint.url)) for endpoint in endpoints]
        self.fields["endpoint"].choices = any_or(choices)  # type: ignore[attr-defined]

    def filters(self, *, status: str | None = None) -> Filters:
        """`status` is that of another tab than the chosen one."""
        return Filters(
            status=(self.value("status") if status is None else status) or None,
            called=self.value("text"),
            event_type=self.value("event_type") or None,
            endpoint_id=self.value("endpoint") or None,
            since=self.begins,
            until=self.ends,
        )


def shortened(url: str) -> str:
    return url if len(url) <= 60 else f"{url[:59]}…"
