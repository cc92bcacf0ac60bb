"""Where suppliers' answers differ from what is known of them."""

from django.db import models

from apps.common import clock


class DriftKind(models.TextChoices):
    UNKNOWN = "unknown"  # a field that nobody knew
    MISSING = "missing"  # a field that each answer has had
    TYPE = "type", "Other type"  # a text for a number, or null


class SupplierDrift(models.Model):
    """One field of one call, counted in a sample of the answers. Never a value."""

    supplier = models.CharField(max_length=32)
    call = models.CharField(max_length=200)
    path = models.CharField(max_length=200)
    kind = models.CharField(max_length=16, choices=DriftKind)
    is_read = models.BooleanField(help_text="Whether our connector reads this field")
    count = models.PositiveIntegerField(default=1, help_text="Of the answers that were looked at")
    first_at = models.DateTimeField(default=clock.now)
    last_at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name_plural = "supplier drift"
        constraints = [
            models.UniqueConstraint(fields=["supplier", "call", "path", "kind"], name="supplier_drift_once"),
        ]

    def __str__(self) -> str:
        return f"{self.supplier} {self.call} {self.path}: {self.kind}"
