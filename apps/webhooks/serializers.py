"""Webhook bodies and answers, and how rows are written as answers; the payloads are in `event_data` (contract §3, Webhooks)."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import orjson
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from apps.common.clock import rfc3339
from apps.gateway import fields, value_forms
from apps.gateway.serializers import ENVIRONMENTS, AnswerBody, Body, page_of
from apps.webhooks import events as catalogue
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus, Endpoint, EndpointStatus
from apps.webhooks.services.endpoints import refusal_of_url

MAX_URL = 2_048
MAX_EVENTS = 64
EVENT_TYPES = (*sorted(catalogue.SUBSCRIBABLE), catalogue.TEST)


class Url(fields.Text):
    """Where to deliver to. Whether a name leads to a public address is seen when connecting."""

    # The quotation mark stands without a backslash: JavaScript and generated clients stumble over one.
    pattern = r"""^https?://[A-Za-z0-9._:\[\]-]+([/?][!"$-\[\]-~]*)?$"""

    def __init__(self, **more: Any) -> None:
        super().__init__(max_length=MAX_URL, **more)

    def to_internal_value(self, data: object) -> str:
        url = super().to_internal_value(data)
        if refusal := refusal_of_url(url):
            raise serializers.ValidationError(refusal)
        return url


@extend_schema_field(
    {
        "type": "string",
        "description": "A type of event that an endpoint can receive. Some are declared but never sent.",
        "enum": sorted(catalogue.SUBSCRIBABLE),
    },
    component_name="WebhookEventType",
)
class EventType(fields.Text):
    """An event that can be subscribed to."""

    form = value_forms.OneOf(EVENT_TYPES)

    def to_internal_value(self, data: object) -> str:
        event = super().to_internal_value(data)
        if event not in catalogue.SUBSCRIBABLE:
            raise serializers.ValidationError(catalogue.NOT_SUBSCRIBABLE)
        return event


class Events(fields.Many):
    def __init__(self, **more: Any) -> None:
        super().__init__(child=EventType(), min_length=1, max_length=MAX_EVENTS, **more)


class EndpointBody(Body):
    """Where to send events, and which."""

    url = Url(
        example="https://example.com/hooks",
        help_text=(
            "Where to deliver to: `https://` on a public host, without user name and password, on"
            " port 443 or 1024 and above. 2048 characters at most."
        ),
    )
    events = Events(
        example=["booking.confirmed", "booking.cancelled"],
        logged=True,
        help_text="The event types to send there. A repeated one counts once.",
    )
    description = fields.Text(
        required=False,
        allow_blank=True,
        help_text="A note for yourself, such as which system listens there. 255 characters at most; it may be empty.",
    )


class EndpointChangeBody(Body):
    """Every field is optional; `enabled` also clears the count of failures."""

    url = Url(
        required=False,
        help_text="The new address, with the same rules as on creation. The next attempt uses it.",
    )
    events = Events(
        required=False,
        logged=True,
        help_text="The event types to send from now on, instead of the current ones.",
    )
    description = fields.Text(required=False, allow_blank=True, help_text="The new note; it may be empty.")
    status = fields.Choice(
        EndpointStatus.values,
        required=False,
        example="enabled",
        logged=True,
        help_text=(
            "`enabled` sends waiting deliveries immediately and sets the count of failures to 0. `disabled` sends nothing "
            "until it is enabled again."
        ),
    )


@extend_schema_serializer(component_name="WebhookSecretRotationRequest")
class RotateSecretBody(Body):
    """How to replace the signing secret. An empty object keeps the old one valid for 24 hours."""

    immediate = fields.Flag(
        default=False,
        help_text=(
            "`true`: the old secret stops working immediately, for example after a leak. `false`: deliveries are signed with "
            "both for 24 hours."
        ),
    )


class EmptyBody(Body):
    """Nothing: send `{}` or no body."""


# --- Answers, as `presenters` builds them ---------------------------------------------------------------------------
class EndpointAnswer(AnswerBody):
    """An address that events are sent to."""

    id = fields.Id(
        logged=True,
        help_text="The endpoint's id, `we_…`. Use it to read, change, test or delete the endpoint.",
    )
    url = serializers.CharField(help_text="Where deliveries are posted to.")
    events = fields.Many(
        child=fields.Word(EVENT_TYPES), logged=True, help_text="The event types that are sent there."
    )
    description = serializers.CharField(allow_blank=True, help_text="Your note; an empty text without one.")
    status = fields.Choice(
        EndpointStatus.values,
        logged=True,
        help_text=(
            "`enabled`: it receives events. `disabled`: it receives nothing, and new events create no deliveries for it."
        ),
    )
    disabledReason = serializers.CharField(
        allow_null=True,
        help_text=(
            "`consecutive_failures`: ten deliveries in a row failed. `disabled_by_partner`: at your request. `null` while it "
            "is enabled."
        ),
    )
    disabledAt = fields.Instant(
        allow_null=True, logged=True, help_text="When it was disabled; `null` while it is enabled."
    )
    consecutiveFailures = fields.Whole(
        logged=True,
        help_text=(
            "How many deliveries in a row have ended `FAILED` or `EXHAUSTED`. At 10 the endpoint "
            "is disabled; a success sets it to 0."
        ),
    )
    environment = fields.Choice(
        ["test", "live"], logged=True, help_text="The environment whose events it receives."
    )
    previousSecretExpiresAt = fields.Instant(
        allow_null=True,
        logged=True,
        help_text=(
            "Until when deliveries are also signed with the previous secret; if it is in the past, they no longer are; `null` "
            "without one."
        ),
    )
    createdAt = fields.Instant(logged=True, help_text="When the endpoint was registered.")
    updatedAt = fields.Instant(logged=True, help_text="When the endpoint last changed.")


class EndpointWithSecretAnswer(EndpointAnswer):
    """An endpoint with its signing secret, which no other response shows."""

    secret = serializers.CharField(
        help_text=(
            "The signing secret, `whsec_…`. Keep it safe: it is shown only in this response and in a replay of it."
        ),
    )


EndpointPage = page_of(EndpointAnswer)


class DeliveryAnswer(AnswerBody):
    """One event on its way to one endpoint."""

    id = fields.Id(
        logged=True,
        help_text="The delivery's id, `whd_…`. Use it to read it with its attempts, or to send it again.",
    )
    endpointId = fields.Id(logged=True, help_text="The endpoint that it goes to, `we_…`.")
    eventId = fields.Id(
        logged=True,
        help_text="The event that it delivers, `evt_…`: the payload's `id` and the header `webhook-id`.",
    )
    eventType = fields.Word(
        EVENT_TYPES, logged=True, help_text="The type of the event, such as `booking.confirmed`."
    )
    status = fields.Choice(
        DeliveryStatus.values,
        logged=True,
        help_text=(
            "`PENDING`: due, not attempted yet. `RETRYING`: the last attempt failed, and another is scheduled. `DELIVERED`: "
            "your endpoint returned 2xx. `FAILED`: it returned 410, or was deleted. `EXHAUSTED`: all 7 attempts failed."
        ),
    )
    attemptCount = fields.Whole(
        logged=True, help_text="How many attempts had a result so far, resends included."
    )
    nextAttemptAt = fields.Instant(
        allow_null=True, logged=True, help_text="When the next attempt is due; `null`: no further attempt."
    )
    createdAt = fields.Instant(
        logged=True,
        help_text=(
            "When the delivery was created: with its event, or later if the event was sent to this endpoint afterwards."
        ),
    )
    completedAt = fields.Instant(
        allow_null=True,
        logged=True,
        help_text="When the delivery ended, also by a successful resend; `null` before.",
    )


DeliveryPage = page_of(DeliveryAnswer)


@extend_schema_serializer(component_name="WebhookAttemptTimings")
class TimingsAnswer(AnswerBody):
    """How long each phase of an attempt took."""

    lookupMs = serializers.IntegerField(
        allow_null=True,
        help_text="The DNS lookup of the host name, in milliseconds; `null`: not reached.",
    )
    connectMs = serializers.IntegerField(
        allow_null=True, help_text="Opening the connection, in milliseconds; `null`: not reached."
    )
    tlsMs = serializers.IntegerField(
        allow_null=True, help_text="The TLS handshake, in milliseconds; `null`: not reached, or without TLS."
    )
    firstByteMs = serializers.IntegerField(
        allow_null=True,
        help_text=(
            "From the last byte sent to the first byte of the response, in milliseconds; `null`: there was no response."
        ),
    )


@extend_schema_serializer(component_name="WebhookDeliveryAttempt")
class AttemptAnswer(AnswerBody):
    """One attempt to deliver."""

    number = fields.Whole(logged=True, help_text="1 for the first attempt, and so on.")
    attemptedAt = serializers.DateTimeField(help_text="When the attempt began. RFC 3339, in UTC.")
    durationMs = fields.Whole(logged=True, help_text="How long it took in all, in milliseconds.")
    timings = TimingsAnswer(help_text="How long each phase took.")
    requestHeaders = serializers.DictField(
        child=serializers.CharField(), help_text="The headers that were sent, by name, signatures included."
    )
    statusCode = fields.Whole(
        allow_null=True,
        logged=True,
        help_text="The HTTP status that your endpoint returned; `null` if there was no complete response.",
    )
    responseBody = serializers.CharField(
        allow_blank=True, help_text="The response of your endpoint: the first 8 KiB, as text."
    )
    error = serializers.CharField(
        allow_null=True, help_text="Why the attempt failed, in plain words; `null` after a 2xx."
    )
    counted = serializers.BooleanField(help_text="Whether it is one of the 7 attempts; a resend is not.")


class DeliveryDetailAnswer(DeliveryAnswer):
    """A delivery with its payload and its attempts."""

    payload = serializers.DictField(
        help_text="The event as it is sent: `id`, `type`, `createdAt`, `environment` and `data`, and a booking's `sequence`."
    )
    attempts = AttemptAnswer(many=True, help_text="The attempts of the last 30 days, oldest first.")


# --- The feed -------------------------------------------------------------------------------------------------------
@extend_schema_serializer(component_name="FeedEvent")
class EventAnswer(AnswerBody):
    """An event as it is delivered."""

    id = fields.Id(logged=True, help_text="The event's id, `evt_…`: the same in its deliveries.")
    type = fields.Word(
        EVENT_TYPES, logged=True, help_text="What happened. Ignore types that you do not know."
    )
    createdAt = fields.Instant(logged=True, help_text="When it happened.")
    environment = fields.Choice(
        ENVIRONMENTS,
        logged=True,
        help_text="Where it happened: in the sandbox or in the live service.",
    )
    data = serializers.DictField(  # type: ignore[assignment]
        help_text="Its details, as described on the page of its type in the documentation."
    )
    sequence = fields.Whole(
        required=False,
        logged=True,
        help_text=(
            "Which event of its booking it is: 1, 2, 3 and so on, without gaps. Left out if there is no booking, and for "
            "events from before 1.2."
        ),
    )


@extend_schema_serializer(component_name="FeedEventList")
class EventPage(AnswerBody):
    """A part of the feed."""

    data = EventAnswer(  # type: ignore[assignment]
        many=True, help_text="The events, oldest first. Empty: none match so far."
    )
    hasMore = serializers.BooleanField(
        help_text="Whether to read on immediately. `false`: you have all events so far."
    )
    nextAfter = fields.Id(
        logged=True, help_text="Send it as `after` to continue from here. Present on an empty page too."
    )


DELIVERY_COLUMNS = (
    *("account_id", "environment", "endpoint_id", "event_id", "event_type", "status", "attempt_count"),
    *("next_attempt_at", "created_at", "completed_at", "endpoint__schedule_ahead", "endpoint__due_from"),
)
"""What `delivery_json` reads."""


def endpoint_json(endpoint: Endpoint) -> dict[str, object]:
    return {
        "id": endpoint.id,
        "url": endpoint.url,
        "events": list(endpoint.events),
        "description": endpoint.description,
        "status": endpoint.status,
        "disabledReason": endpoint.disabled_reason,
        "disabledAt": timestamp(endpoint.disabled_at),
        "consecutiveFailures": endpoint.consecutive_failures,
        "environment": endpoint.environment,
        "previousSecretExpiresAt": timestamp(endpoint.previous_secret_expires_at),
        "createdAt": rfc3339(endpoint.created_at),
        "updatedAt": rfc3339(endpoint.updated_at),
    }


def delivery_json(delivery: Delivery) -> dict[str, object]:
    return {
        "id": delivery.id,
        "endpointId": delivery.endpoint_id,
        "eventId": delivery.event_id,
        "eventType": delivery.event_type,
        "status": delivery.status,
        "attemptCount": delivery.attempt_count,
        "nextAttemptAt": timestamp(delivery.next_attempt_shown_at),
        "createdAt": rfc3339(delivery.created_at),
        "completedAt": timestamp(delivery.completed_at),
    }


def delivery_detail_json(delivery: Delivery, attempts: Iterable[Attempt]) -> dict[str, object]:
    return {
        **delivery_json(delivery),
        "payload": orjson.loads(delivery.event.payload),
        "attempts": [attempt_json(attempt) for attempt in attempts],
    }


def attempt_json(attempt: Attempt) -> dict[str, object]:
    return {
        "number": attempt.number,
        "attemptedAt": rfc3339(attempt.attempted_at),
        "durationMs": attempt.duration_ms,
        "timings": {
            "lookupMs": attempt.lookup_ms,
            "connectMs": attempt.connect_ms,
            "tlsMs": attempt.tls_ms,
            "firstByteMs": attempt.first_byte_ms,
        },
        "requestHeaders": attempt.request_headers,
        "statusCode": attempt.status_code,
        "responseBody": attempt.response_body,
        "error": attempt.error or None,
        "counted": attempt.counted,
    }


def timestamp(instant: datetime | None) -> str | None:
    return rfc3339(instant) if instant else None
