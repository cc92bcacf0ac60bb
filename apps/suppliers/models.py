"""What is stored about suppliers: alerts and hints of real ones, exchange rates, and the memory of the simulated ones."""

from django.db import models

from apps.suppliers.alerts.models import SupplierAlert
from apps.suppliers.currency.models import ExchangeRate
from apps.suppliers.drift.models import SupplierDrift
from apps.suppliers.webhooks.models import SupplierEvent

__all__ = ["ExchangeRate", "SimulatedWrite", "SupplierAlert", "SupplierDrift", "SupplierEvent"]


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
