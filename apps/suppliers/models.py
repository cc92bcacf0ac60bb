"""The memory of the simulated suppliers. Nothing of the service's own is kept here."""

from django.db import models


class SimulatedWrite(models.Model):
    """One booking, change or cancellation that a simulator accepted; append-only.

    `sequence` counts the writes to one simulated booking: of two that race, one finds its number taken.
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
