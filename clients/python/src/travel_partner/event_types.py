"""The events that the service sends.

Generated from the OpenAPI document by `make clients-generate`; changes by hand are lost.
"""

from travel_partner import models

KnownEvent = (
    models.WebhookBookingConfirmed
    | models.WebhookBalanceLow
    | models.WebhookBookingCancelled
    | models.WebhookBookingChanged
    | models.WebhookBookingScheduleChanged
    | models.WebhookBookingSupplierChanged
    | models.WebhookBookingApprovalRequested
    | models.WebhookBookingApprovalDecided
    | models.WebhookBookingRejected
    | models.WebhookBookingHoldExpiring
    | models.WebhookBookingHoldExpired
    | models.WebhookPaymentRefunded
    | models.WebhookAirlineCreditIssued
    | models.WebhookEsimProvisioned
    | models.WebhookEsimToppedUp
    | models.WebhookEsimDataLow
    | models.WebhookEsimStatusChanged
    | models.WebhookEsimRefundDecided
    | models.WebhookTest
)

EVENTS: dict[str, type[KnownEvent]] = {
    "booking.confirmed": models.WebhookBookingConfirmed,
    "balance.low": models.WebhookBalanceLow,
    "booking.cancelled": models.WebhookBookingCancelled,
    "booking.changed": models.WebhookBookingChanged,
    "booking.schedule_changed": models.WebhookBookingScheduleChanged,
    "booking.supplier_changed": models.WebhookBookingSupplierChanged,
    "booking.approval_requested": models.WebhookBookingApprovalRequested,
    "booking.approval_decided": models.WebhookBookingApprovalDecided,
    "booking.rejected": models.WebhookBookingRejected,
    "booking.hold_expiring": models.WebhookBookingHoldExpiring,
    "booking.hold_expired": models.WebhookBookingHoldExpired,
    "payment.refunded": models.WebhookPaymentRefunded,
    "airline_credit.issued": models.WebhookAirlineCreditIssued,
    "esim.provisioned": models.WebhookEsimProvisioned,
    "esim.topped_up": models.WebhookEsimToppedUp,
    "esim.data_low": models.WebhookEsimDataLow,
    "esim.status_changed": models.WebhookEsimStatusChanged,
    "esim.refund_decided": models.WebhookEsimRefundDecided,
    "webhook.test": models.WebhookTest,
}
"""The struct of each type of event."""
