"""The filters of the request log."""

from datetime import datetime
from typing import Any

from django import forms

from apps.common import clock, errors
from apps.gateway.request_log.prune import RETENTION
from apps.gateway.request_log.selectors import Filters
from apps.keys.models import ApiKey
from apps.keys.offered import products_not_sold
from apps.portal.list_filters import ListFilters, any_or
from apps.portal.requests.interval import IntervalField
from apps.portal.requests.operations import called

PRODUCTS = ("hotels", "flights", "transfers", "esim", "webhooks", "account")
STATUSES = {"": "All", "errors": "Errors", "2": "2xx", "4": "4xx", "5": "5xx"}
"""The tabs. Errors are 4xx and 5xx together."""
MONO = {"class": "mono", "autocomplete": "off", "spellcheck": "false"}


def error_types() -> list[str]:
    """Every error type of the API."""
    kinds = errors.GatewayError.__subclasses__()
    return sorted({kind.type for kind in kinds})


class RequestFilters(ListFilters):
    field_order = ["request_id", "operation", "error_type", "key", "product", "booking", "idempotency_key"]
    folded = ("product", "booking", "idempotency_key", "since", "until")

    status = forms.ChoiceField(choices=[*STATUSES.items()], required=False, widget=forms.HiddenInput)
    operation = forms.CharField(
        label="Operation or path", required=False, max_length=255, widget=forms.TextInput(attrs=MONO)
    )
    booking = forms.CharField(
        label="Booking, or its reference", required=False, max_length=64, widget=forms.TextInput(attrs=MONO)
    )
    idempotency_key = forms.CharField(
        label="Idempotency-Key", required=False, max_length=255, widget=forms.TextInput(attrs=MONO)
    )
    product = forms.ChoiceField(required=False)
    error_type = forms.ChoiceField(label="Error", required=False)
    key = forms.ChoiceField(label="API key", required=False)
    request_id = forms.CharField(
        label="Request id", required=False, max_length=64, widget=forms.TextInput(attrs=MONO)
    )

    within = IntervalField(label="Within", required=False)

    def __init__(self, *args: Any, keys: list[ApiKey], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.data.get("within"):
            del self.fields["within"]  # which comes from links, as from a notice on Home
        absent = products_not_sold()
        self.fields["product"].choices = any_or(  # type: ignore[attr-defined]
            (name, name) for name in PRODUCTS if name not in absent
        )
        self.fields["error_type"].choices = any_or((kind, kind) for kind in error_types())  # type: ignore[attr-defined]
        self.fields["key"].choices = any_or((key.pk, key.name) for key in keys)  # type: ignore[attr-defined]

    @property
    def has_index(self) -> bool:
        """Whether an index finds the calls, so that they can be counted: none does by product, nor by the beginning of a path."""
        narrow = ("request_id", "booking", "idempotency_key")
        by_path = "path_begins" in called(self.value("operation"))
        return any(map(self.value, narrow)) or not (self.value("product") or by_path)

    @property
    def whole_hours_since(self) -> datetime | None:
        """Where nothing but a beginning narrows the calls, and that is one of an hour of the last 30 days: the instant."""
        others = set(self.fields) - {"since", "status"}
        is_alone = self.is_valid() and not any(self.data.get(name) for name in others)
        begins = self.begins if is_alone else None
        if begins is None or begins < clock.now() - RETENTION or begins.timestamp() % 3_600:
            return None
        return begins

    def filters(self, *, bookings: tuple[str, ...] | None = None, status: str | None = None) -> Filters:
        """`bookings` are the ids of what the field names. `status` is that of another tab than the chosen one."""
        status = self.value("status") if status is None else status
        begins, ends = self._readable("within") or (self.begins, self.ends)
        return Filters(
            **called(self.value("operation")),
            booking_ids=bookings,
            idempotency_key=self.value("idempotency_key") or None,
            errors_only=status == "errors",
            status_class=int(status) if status.isdigit() else None,
            product=self.value("product") or None,
            error_type=self.value("error_type") or None,
            key_id=self.value("key") or None,
            request_id=self.value("request_id") or None,
            since=begins,
            until=ends,
        )
