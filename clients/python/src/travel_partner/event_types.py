"""The events that the service sends.

Generated from the OpenAPI document by `make clients`; changes by hand are lost.
"""

from travel_partner import models

KnownEvent = (
    models.WebhookBookingConfirmed
    | models.WebhookBookingCancelled
    | models.WebhookBookingScheduleChanged
    | models.WebhookBookingSupplierChanged
    | models.WebhookBookingRejected
    | models.WebhookPaymentRefunded
    | models.WebhookEsimProvisioned
    | models.WebhookEsimToppedUp
    | models.WebhookTest
)

EVENTS: dict[str, type[KnownEvent]] = {
    "booking.confirmed": models.WebhookBookingConfirmed,
    "booking.cancelled": models.WebhookBookingCancelled,
    "booking.schedule_changed": models.WebhookBookingScheduleChanged,
    "booking.supplier_changed": models.WebhookBookingSupplierChanged,
    "booking.rejected": models.WebhookBookingRejected,
    "payment.refunded": models.WebhookPaymentRefunded,
    "esim.provisioned": models.WebhookEsimProvisioned,
    "esim.topped_up": models.WebhookEsimToppedUp,
    "webhook.test": models.WebhookTest,
}
"""The struct of each type of event."""
