"""Webhook bodies and answers (contract §3, Webhooks)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.gateway import fields
from apps.gateway.serializers import Body, page_of
from apps.webhooks.catalogue import SUBSCRIBABLE
from apps.webhooks.models import DeliveryStatus, EndpointStatus

MAX_URL = 2_048
MAX_EVENTS = 64


class Url(fields.Text):
    """Where to deliver to; whether the address is public is checked by the service."""

    pattern = r"^https?://[A-Za-z0-9._:\[\]-]+([/?][!\"$-\[\]-~]*)?$"

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=MAX_URL, **more)


@extend_schema_field({"type": "string", "enum": sorted(SUBSCRIBABLE)})
class EventType(fields.Text):
    """Whether it exists is checked by the service, all of a list or nothing."""


class Events(serializers.ListField):
    def __init__(self, **more: Any) -> None:
        super().__init__(child=EventType(), min_length=1, max_length=MAX_EVENTS, **more)


class EndpointBody(Body):
    url = Url()
    events = Events()
    description = fields.Text(required=False, allow_blank=True)


class EndpointChangeBody(Body):
    """Every field is optional; `enabled` also clears the count of failures."""

    url = Url(required=False)
    events = Events(required=False)
    description = fields.Text(required=False, allow_blank=True)
    status = fields.Choice(EndpointStatus.values, required=False)


class RotateSecretBody(Body):
    immediate = fields.Flag(default=False)


class EmptyBody(Body):
    """`{}`."""


# --- Answers, for the OpenAPI document ------------------------------------------------------------------------------
class EndpointAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    url = serializers.CharField()
    events = serializers.ListField(child=serializers.CharField())
    description = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(EndpointStatus.values)
    disabledReason = serializers.CharField(allow_null=True)
    disabledAt = serializers.DateTimeField(allow_null=True)
    consecutiveFailures = serializers.IntegerField()
    environment = serializers.ChoiceField(["test", "live"])
    previousSecretExpiresAt = serializers.DateTimeField(allow_null=True)
    createdAt = serializers.DateTimeField()
    updatedAt = serializers.DateTimeField()


class EndpointWithSecretAnswer(EndpointAnswer):
    secret = serializers.CharField(help_text="`whsec_…`, shown in this answer only")


EndpointPage = page_of(EndpointAnswer)


class DeliveryAnswer(serializers.Serializer[Any]):
    id = serializers.CharField()
    endpointId = serializers.CharField()
    eventId = serializers.CharField()
    eventType = serializers.CharField()
    status = serializers.ChoiceField(DeliveryStatus.values)
    attemptCount = serializers.IntegerField()
    nextAttemptAt = serializers.DateTimeField(allow_null=True)
    createdAt = serializers.DateTimeField()
    completedAt = serializers.DateTimeField(allow_null=True)


DeliveryPage = page_of(DeliveryAnswer)


class TimingsAnswer(serializers.Serializer[Any]):
    lookupMs = serializers.IntegerField(allow_null=True)
    connectMs = serializers.IntegerField(allow_null=True)
    tlsMs = serializers.IntegerField(allow_null=True)
    firstByteMs = serializers.IntegerField(allow_null=True)


class AttemptAnswer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    attemptedAt = serializers.DateTimeField()
    durationMs = serializers.IntegerField()
    timings = TimingsAnswer()
    requestHeaders = serializers.DictField(child=serializers.CharField())
    statusCode = serializers.IntegerField(allow_null=True)
    responseBody = serializers.CharField(allow_blank=True, help_text="The first 8 KiB")
    error = serializers.CharField(allow_null=True, help_text="The cause in plain words")
    counted = serializers.BooleanField(help_text="Whether it is one of the seven")


class DeliveryDetailAnswer(DeliveryAnswer):
    payload = serializers.DictField()
    attempts = AttemptAnswer(many=True)
