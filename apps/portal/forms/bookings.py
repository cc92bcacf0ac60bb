from django import forms

from apps.bookings.browsing import Filters
from apps.bookings.models import Product
from apps.portal.forms.filters import ListFilters

STATUSES = ("pending", "confirmed", "ticketed", "provisioned", "cancelled", "failed")


class BookingFilters(ListFilters):
    field_order = ["product", "status"]

    product = forms.ChoiceField(choices=[("", "Any"), *Product.choices], required=False)
    status = forms.ChoiceField(
        choices=[("", "Any"), *((s, s.capitalize()) for s in STATUSES)], required=False
    )
    text = forms.CharField(label="Reference, yours or ours", required=False, max_length=64)

    def filters(self) -> Filters:
        return Filters(
            product=self.said("product"),
            status=self.said("status"),
            text=self.said("text"),
            since=self.begins,
            until=self.ends,
        )
