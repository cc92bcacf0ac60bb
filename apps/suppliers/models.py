"""What is stored about suppliers: alerts, drift and hints of real ones, exchange rates, and the memory of the simulated ones."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from apps.common import clock, money


class AlertKind(models.TextChoices):
    WALLET_EMPTY = "wallet_empty"  # they refuse to sell on our credit
    CREDENTIALS_REFUSED = "credentials_refused"
    QUOTA_USED_UP = "quota_used_up"
    PRICE_ABOVE_QUOTE = "price_above_quote"  # they charged more than they had said
    DUPLICATE_REFERENCE = "duplicate_reference"  # two of their bookings have the same reference of ours
    REQUEST_REFUSED = "request_refused"  # they say that our request is malformed: a fault of this service
    EXCHANGE_RATE_OLD = "exchange_rate_old"  # offers in its currency are not sold, or not from tomorrow on
    CREDIT_LOW = "credit_low"  # they still sell on our credit, and most of it is used: a warning
    FULL_CREDIT = "full_credit"  # cancelled at an unknown cost: all of it was credited
    UNKNOWN_ANSWER = (
        "unknown_answer"  # they answer what none of their documents has: refused until we know it
    )
    CORRECTION_OPEN = "correction_open"  # it is not known whether they have corrected a name: to be asked
    REFUND_OPEN = "refund_open"  # it is not known what they decided about a refund: to be asked
    UNRESOLVED = "unresolved"  # a lost answer was never found: given up, and to be checked with the supplier
    OLD_STAY_STANDS = "old_stay_stands"  # a stay was changed, and the one that it replaces was not cancelled


WARNINGS = frozenset({AlertKind.CREDIT_LOW})  # what costs no partner anything yet


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


class DriftKind(models.TextChoices):
    UNKNOWN = "unknown"  # a field that was not known
    MISSING = "missing"  # a field that each answer has had
    TYPE = "type", "Other type"  # a text for a number, or null


class SupplierDrift(models.Model):
    """One field of one call, counted in a sample of the answers. Never a value."""

    supplier = models.CharField(max_length=32)
    call = models.CharField(max_length=200)
    path = models.CharField(max_length=200)
    kind = models.CharField(max_length=16, choices=DriftKind)
    is_read = models.BooleanField(help_text="Whether our connector reads this field")
    count = models.PositiveIntegerField(default=1, help_text="Of the responses that were compared")
    first_at = models.DateTimeField(default=clock.now)
    last_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name_plural = "supplier drift"
        constraints = [
            models.UniqueConstraint(fields=["supplier", "call", "path", "kind"], name="supplier_drift_once"),
        ]

    def __str__(self) -> str:
        return f"{self.supplier} {self.call} {self.path}: {self.kind}"


class SupplierEvent(models.Model):
    """One webhook of a supplier, stored once however often it was sent."""

    supplier = models.CharField(max_length=32)
    event_id = models.CharField(max_length=255)
    kind = models.CharField(max_length=255)
    supplier_reference = models.CharField(max_length=255, default="", blank=True)
    client_ref = models.CharField(max_length=255, default="", blank=True)
    offer_id = models.CharField(max_length=255, default="", blank=True)
    object_id = models.CharField(max_length=255, default="", blank=True)
    received_at = models.DateTimeField(default=clock.now, editable=False)
    handled_at = models.DateTimeField(null=True, blank=True, help_text="Null until it was acted upon")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["supplier", "event_id"], name="supplier_event_once"),
        ]
        indexes = [
            models.Index(fields=["received_at"], name="supplier_event_age"),
            models.Index(
                fields=["received_at"],
                name="supplier_event_unhandled",
                condition=models.Q(handled_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.supplier} {self.kind} {self.event_id}"


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
    rate = models.DecimalField(max_digits=24, decimal_places=12, validators=[above_zero])
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


class SimulatedWrite(models.Model):
    """One booking, change or cancellation that a simulator accepted; append-only.

    `sequence` counts the writes to one simulated booking. If two writes race, the second one's number is taken, and it fails.
    """

    product = models.CharField(max_length=16)
    kind = models.CharField(max_length=16)
    client_ref = models.CharField(max_length=64)
    reference = models.CharField(max_length=64)
    sequence = models.PositiveIntegerField()
    record = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["product", "client_ref"], name="simulated_write_client_ref"),
            models.UniqueConstraint(
                fields=["product", "reference", "sequence"], name="simulated_write_sequence"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.product} {self.kind} {self.client_ref}"
