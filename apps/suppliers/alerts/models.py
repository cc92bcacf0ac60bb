"""Faults with suppliers that only people can end."""

from django.db import models
from django.db.models import Q

from apps.common import clock


class AlertKind(models.TextChoices):
    WALLET_EMPTY = "wallet_empty"  # they refuse to sell on our credit
    CREDENTIALS_REFUSED = "credentials_refused"
    QUOTA_USED_UP = "quota_used_up"
    PRICE_ABOVE_QUOTE = "price_above_quote"  # they charged more than they had said
    DUPLICATE_REFERENCE = "duplicate_reference"  # two of their bookings have the same reference of ours
    REQUEST_REFUSED = (
        "request_refused"  # they say that a request of ours is malformed: a fault of this service
    )
    EXCHANGE_RATE_OLD = (
        "exchange_rate_old"  # offers in its currency are left out, or will be from tomorrow on
    )
    CREDIT_LOW = "credit_low"  # they still sell on our credit, and most of it is used: a warning
    FULL_CREDIT = (
        "full_credit"  # an order was cancelled, they do not say what that cost, and all of it was credited
    )
    UNRESOLVED = "unresolved"  # a lost answer was never found: given up, and to be checked with the supplier


WARNINGS = frozenset({AlertKind.CREDIT_LOW})
"""What costs no partner anything yet."""


class SupplierAlert(models.Model):
    """One fault, counted while it lasts. What happens after staff have cleared it is a new one."""

    supplier = models.CharField(max_length=32)
    kind = models.CharField(max_length=32, choices=AlertKind)
    detail = models.CharField(max_length=255, blank=True, help_text="Ours and their references; no traveller")
    first_at = models.DateTimeField(default=clock.now)
    last_at = models.DateTimeField(default=clock.now)
    count = models.PositiveIntegerField(default=1)
    cleared_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["supplier", "kind", "detail"],
                condition=Q(cleared_at__isnull=True),
                name="supplier_alert_open_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.supplier} {self.kind}: {self.detail}"
