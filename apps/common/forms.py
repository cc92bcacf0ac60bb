"""A form's field for an amount of money."""

from decimal import Decimal
from typing import Any

from django import forms

from apps.common.money import exponent, to_cents, to_major


class MoneyField(forms.DecimalField):
    """An amount in units of a currency, with as many decimal places as it has. Cleaned: in minor units, or None."""

    def __init__(
        self,
        *,
        currency: str,
        most_cents: int,
        least_cents: int = 1,
        cents: int | None = None,
        **named: Any,
    ) -> None:
        super().__init__(
            min_value=to_major(least_cents, currency),
            max_value=to_major(most_cents, currency),
            decimal_places=exponent(currency),
            initial=None if cents is None else to_major(cents, currency),
            **named,
        )
        self.currency = currency

    def clean(self, value: Any) -> Any:
        amount = super().clean(value)
        return None if amount is None else to_cents(Decimal(amount), self.currency)
