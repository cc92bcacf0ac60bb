from collections.abc import Collection
from typing import Any

from django import forms

from apps.bookings.browsing import Filters
from apps.bookings.models import Product
from apps.portal.list_filters import ListFilters, any_or

STATUSES = ("pending", "confirmed", "ticketed", "provisioned", "cancelled", "failed")


class BookingFilters(ListFilters):
    field_order = ["product", "status"]

    product = forms.ChoiceField(required=False)
    status = forms.ChoiceField(choices=any_or((s, s.capitalize()) for s in STATUSES), required=False)
    text = forms.CharField(label="Reference, yours or ours", required=False, max_length=64)

    def __init__(self, *args: Any, products: Collection[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        shown = [(product, name) for product, name in Product.choices if product in products]
        self.fields["product"].choices = any_or(shown)  # type: ignore[attr-defined]

    def filters(self) -> Filters:
        return Filters(
            product=self.value("product"),
            status=self.value("status"),
            text=self.value("text"),
            since=self.begins,
            until=self.ends,
        )
