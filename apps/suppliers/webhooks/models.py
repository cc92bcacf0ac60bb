"""The hints that suppliers sent. A payload is never stored, because it may name travellers."""

from django.db import models

from apps.common import clock


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
