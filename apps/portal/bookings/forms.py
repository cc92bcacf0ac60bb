from django import forms

from apps.bookings.browsing import Filters
from apps.bookings.models import Product
from apps.portal.list_filters import ListFilters, any_or

STATUSES = ("pending", "confirmed", "ticketed", "provisioned", "cancelled", "failed")


class BookingFilters(ListFilters):
    field_order = ["product", "status"]

    product = forms.ChoiceField(choices=any_or(Product.choices), required=False)
    status = forms.ChoiceField(choices=any_or((s, s.capitalize()) for s in STATUSES), required=False)
    text = forms.CharField(label="Reference, yours or ours", required=False, max_length=64)

    def filters(self) -> Filters:
        return Filters(
            product=self.value("product"),
            status=self.value("status"),
            text=self.value("text"),
            since=self.begins,
            until=self.ends,
        )
