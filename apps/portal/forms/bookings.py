from django import forms

from apps.bookings.browsing import Filters
from apps.bookings.models import Product
from apps.portal.forms.days import day_field, midnight

STATUSES = ("pending", "confirmed", "ticketed", "provisioned", "cancelled", "failed")


class BookingFilters(forms.Form):
    product = forms.ChoiceField(choices=[("", "Any"), *Product.choices], required=False)
    status = forms.ChoiceField(
        choices=[("", "Any"), *((s, s.capitalize()) for s in STATUSES)], required=False
    )
    since = day_field("From")
    until = day_field("To")
    text = forms.CharField(label="Reference, yours or ours", required=False, max_length=64)

    @property
    def is_narrowed(self) -> bool:
        return any(self.data.get(name) for name in self.fields)

    def filters(self) -> Filters:
        """Of what was readable; a field that is not leaves the list as it is."""
        said = getattr(self, "cleaned_data", {})
        return Filters(
            product=said.get("product", ""),
            status=said.get("status", ""),
            text=said.get("text", "").strip(),
            since=midnight(said.get("since")),
            until=midnight(said.get("until"), days=1),
        )
