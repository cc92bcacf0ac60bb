"""Webhook bodies, answers and payloads (contract §3, Webhooks)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from apps.gateway import fields, outputs
from apps.gateway.request_log import value_forms
from apps.gateway.serializers import AnswerBody, Body, page_of
from apps.webhooks import catalogue
from apps.webhooks.models import DeliveryStatus, EndpointStatus

MAX_URL = 2_048
MAX_EVENTS = 64
EVENT_TYPES = (*sorted(catalogue.SUBSCRIBABLE), catalogue.TEST)


class Url(fields.Text):
    """Where to deliver to; whether the address is public is checked by the service."""

    # The quotation mark stands without a backslash: JavaScript and generated clients stumble over one.
    pattern = r"""^https?://[A-Za-z0-9._:\[\]-]+([/?][!"$-\[\]-~]*)?$"""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=MAX_URL, **more)


@extend_schema_field(
    {"type": "string", "enum": sorted(catalogue.SUBSCRIBABLE)}, component_name="WebhookEventType"
)
class EventType(fields.Text):
    """Whether it exists is checked by the service, all of a list or nothing."""

    form = value_forms.OneOf(EVENT_TYPES)


class Events(fields.Many):
    def __init__(self, **more: Any) -> None:
        super().__init__(child=EventType(), min_length=1, max_length=MAX_EVENTS, **more)


class EndpointBody(Body):
    url = Url(example="https://example.com/hooks")
    events = Events(example=["booking.confirmed", "booking.cancelled"], logged=True)
    description = fields.Text(required=False, allow_blank=True)


class EndpointChangeBody(Body):
    """Every field is optional; `enabled` also clears the count of failures."""

    url = Url(required=False)
    events = Events(required=False, logged=True)
    description = fields.Text(required=False, allow_blank=True)
    status = fields.Choice(EndpointStatus.values, required=False, example="enabled", logged=True)


@extend_schema_serializer(component_name="WebhookSecretRotationRequest")
class RotateSecretBody(Body):
    immediate = fields.Flag(default=False)


class EmptyBody(Body):
    """`{}`."""


# --- Answers, as `presenters` builds them ---------------------------------------------------------------------------
class EndpointAnswer(AnswerBody):
    id = outputs.Id(logged=True)
    url = serializers.CharField()
    events = outputs.Many(child=outputs.Word(EVENT_TYPES), logged=True)
    description = serializers.CharField(allow_blank=True)
    status = outputs.OneOf(EndpointStatus.values, logged=True)
    disabledReason = serializers.CharField(allow_null=True)
    disabledAt = outputs.Instant(allow_null=True, logged=True)
    consecutiveFailures = outputs.Whole(logged=True)
    environment = outputs.OneOf(["test", "live"], logged=True)
    previousSecretExpiresAt = outputs.Instant(allow_null=True, logged=True)
    createdAt = outputs.Instant(logged=True)
    updatedAt = outputs.Instant(logged=True)


class EndpointWithSecretAnswer(EndpointAnswer):
    secret = serializers.CharField(help_text="`whsec_…`, shown in this answer only")


EndpointPage = page_of(EndpointAnswer)


class DeliveryAnswer(AnswerBody):
    id = outputs.Id(logged=True)
    endpointId = outputs.Id(logged=True)
    eventId = outputs.Id(logged=True)
    eventType = outputs.Word(EVENT_TYPES, logged=True)
    status = outputs.OneOf(DeliveryStatus.values, logged=True)
    attemptCount = outputs.Whole(logged=True)
    nextAttemptAt = outputs.Instant(allow_null=True, logged=True)
    createdAt = outputs.Instant(logged=True)
    completedAt = outputs.Instant(allow_null=True, logged=True)


DeliveryPage = page_of(DeliveryAnswer)


@extend_schema_serializer(component_name="WebhookAttemptTimings")
class TimingsAnswer(AnswerBody):
    lookupMs = serializers.IntegerField(allow_null=True)
    connectMs = serializers.IntegerField(allow_null=True)
    tlsMs = serializers.IntegerField(allow_null=True)
    firstByteMs = serializers.IntegerField(allow_null=True)


@extend_schema_serializer(component_name="WebhookDeliveryAttempt")
class AttemptAnswer(AnswerBody):
    number = outputs.Whole(logged=True)
    attemptedAt = serializers.DateTimeField()
    durationMs = outputs.Whole(logged=True)
    timings = TimingsAnswer()
    requestHeaders = serializers.DictField(child=serializers.CharField())
    statusCode = outputs.Whole(allow_null=True, logged=True)
    responseBody = serializers.CharField(allow_blank=True, help_text="The first 8 KiB")
    error = serializers.CharField(allow_null=True, help_text="The cause in plain words")
    counted = serializers.BooleanField(help_text="Whether it is one of the seven")


class DeliveryDetailAnswer(DeliveryAnswer):
    payload = serializers.DictField()
    attempts = AttemptAnswer(many=True)


# --- What the payload of an event holds as `data` -------------------------------------------------------------------
class BookingEventData(AnswerBody):
    bookingType = serializers.CharField()
    bookingReference = serializers.CharField()
    bookingId = serializers.CharField()
    externalReference = serializers.CharField(allow_null=True)


class BookingConfirmedData(BookingEventData):
    totalCents = serializers.IntegerField()
    currency = serializers.CharField()


class BookingCancelledData(BookingEventData):
    refunded = serializers.BooleanField()
    refundCents = serializers.IntegerField()
    currency = serializers.CharField()


class PaymentRefundedData(BookingEventData):
    refundCents = serializers.IntegerField()
    currency = serializers.CharField()


class EsimProvisionedData(BookingEventData):
    purchaseId = serializers.CharField()
    iccid = serializers.CharField()
    planName = serializers.CharField()
    status = serializers.CharField()


class TestEventData(AnswerBody):
    """Sent on request alone: nobody subscribes to it."""

    endpointId = serializers.CharField()
    message = serializers.CharField()


EVENT_DATA: dict[str, type[AnswerBody]] = {
    catalogue.BOOKING_CONFIRMED: BookingConfirmedData,
    catalogue.BOOKING_CANCELLED: BookingCancelledData,
    catalogue.PAYMENT_REFUNDED: PaymentRefundedData,
    catalogue.ESIM_PROVISIONED: EsimProvisionedData,
    catalogue.TEST: TestEventData,
}
