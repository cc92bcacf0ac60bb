"""The events that the service sends.

Generated from the OpenAPI document by `make clients`; changes by hand are lost.
"""

from travel_partner import models

KnownEvent = (
    models.WebhookBookingConfirmed
    | models.WebhookBookingCancelled
    | models.WebhookPaymentRefunded
    | models.WebhookEsimProvisioned
    | models.WebhookTest
)

EVENTS: dict[str, type[KnownEvent]] = {
    "booking.confirmed": models.WebhookBookingConfirmed,
    "booking.cancelled": models.WebhookBookingCancelled,
    "payment.refunded": models.WebhookPaymentRefunded,
    "esim.provisioned": models.WebhookEsimProvisioned,
    "webhook.test": models.WebhookTest,
}
"""The struct of each type of event."""
