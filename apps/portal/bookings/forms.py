from collections.abc import Collection
from typing import Any

from django import forms

from apps.bookings.browsing import Filters
from apps.bookings.models import Product
from apps.portal.list_filters import ListFilters, any_or

STATES = ("pending", "confirmed", "ticketed", "provisioned", "cancelled", "failed")
STATUSES = {"": "All", **{state: state.capitalize() for state in STATES}}
"""The tabs."""


class BookingFilters(ListFilters):
    field_order = ["text", "product"]

    product = forms.ChoiceField(required=False)
    status = forms.ChoiceField(choices=[*STATUSES.items()], required=False, widget=forms.HiddenInput)
    text = forms.CharField(
        label="Reference or id",
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, products: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = [(product, name) for product, name in Product.choices if product in products]
        self.fields["product"].choices = any_or(shown)  # type: ignore[attr-defined]

    def filters(self, *, status: str | None = None) -> Filters:
        """`status` is that of another tab than the chosen one."""
        return Filters(
            product=self.value("product"),
            status=self.value("status") if status is None else status,
            text=self.value("text"),
            since=self.begins,
            until=self.ends,
        )
