"""Endpoints and deliveries on the wire."""

from collections.abc import Iterable
from datetime import datetime

import orjson

from apps.common.clock import rfc3339
from apps.webhooks.models import Attempt, Delivery, Endpoint

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
