"""The stored exchange rates, each as of a day. Append-only, so that the rate of a booking can always be shown."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from apps.common import clock, money

DIGITS = 24
DECIMAL_PLACES = 12


def known_currency(code: str) -> None:
    if not money.is_currency(code):
        raise ValidationError("%(code)s is no ISO 4217 currency.", params={"code": code})


def above_zero(rate: Decimal) -> None:
    if rate <= 0:
        raise ValidationError("A rate is above zero.")


class ExchangeRate(models.Model):
    """One unit of `base` costs `rate` units of `quote` from the day `as_of` on, until a later day's rate.

    A mistake is corrected by another row for the same day: the last one counts. The opposite pair is a rate of its own.
    """

    base = models.CharField(max_length=3, validators=[known_currency], help_text="What the supplier charges")
    quote = models.CharField(max_length=3, validators=[known_currency], help_text="What the account pays")
    rate = models.DecimalField(max_digits=DIGITS, decimal_places=DECIMAL_PLACES, validators=[above_zero])
    as_of = models.DateField(help_text="The first day (UTC) that it counts for")
    source = models.CharField(max_length=255, blank=True, help_text="Where it is from, or who entered it")
    created_at = models.DateTimeField(default=clock.now, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(rate__gt=0), name="exchange_rate_above_zero"),
            models.CheckConstraint(
                condition=Q(base__regex="^[A-Z]{3}$") & Q(quote__regex="^[A-Z]{3}$"),
                name="exchange_rate_currencies_are_codes",
            ),
            models.CheckConstraint(condition=~Q(base=F("quote")), name="exchange_rate_of_two_currencies"),
            models.UniqueConstraint(
                fields=["base", "quote", "as_of", "created_at"], name="exchange_rate_entered_once"
            ),
        ]

    def __str__(self) -> str:
        return f"1 {self.base} = {self.rate.normalize():f} {self.quote} as of {self.as_of}"

    def clean(self) -> None:
        if self.base and self.base == self.quote:
            raise ValidationError("The two currencies are the same.")
