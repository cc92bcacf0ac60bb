"""What an evidence pack says of one booking. Each body goes through the request log's allow-list: no traveller, no free text, no
secret. Of an event the digest of what was sent is told as well, so whoever kept a delivery can prove that it is the same.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
from django.utils.html import strip_tags

from apps.account_api.presenters import entry_json
from apps.bookings.models import Booking, Product
from apps.common import keyset
from apps.common.clock import rfc3339
from apps.esim import presenters as esim
from apps.esim.details import OrderDetails as EsimDetails
from apps.flights import presenters as flights
from apps.gateway.envelope import render
from apps.gateway.request_log.models import LoggedCall
from apps.gateway.request_log.redaction import redact
from apps.gateway.request_log.selectors import Filters, calls_of
from apps.hotels import presenters as hotels
from apps.portal.bookings.evidence.stream import File
from apps.portal.bookings.history import BookingHistory
from apps.portal.bookings.timeline import TimelineEntry
from apps.transfers import presenters as transfers
from apps.webhooks.booking_events import SentEvent
from apps.webhooks.models import Attempt, Delivery, Event

VERIFY = Path(__file__).with_name("verify.py")
README = Path(__file__).with_name("README.txt")
PAGE = 100
MOST_CALLS = 2_000
"""The newest. A booking that is polled for weeks has more reads than proof needs."""


def files_of(history: BookingHistory, story: Sequence[TimelineEntry]) -> Iterator[File]:
    """The files in the order in which they are sent. Each is read when it is asked for."""
    yield "README.txt", [README.read_bytes()]
    yield "verify.py", [VERIFY.read_bytes()]
    yield "booking.json", [written(booking_json(history.booking))]
    yield "story.txt", [story_text(history.booking, story).encode()]
    yield "requests.json", listed(map(call_json, calls(history.booking)))
    yield "ledger.json", listed(shown(entry_json(line)) for line in history.ledger)
    yield "events.json", listed(event_json(sent.event) for sent in history.events)
    yield "deliveries.json", listed(deliveries(history.events))


def written(value: Any) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode()


def listed(values: Iterable[Any]) -> Iterator[bytes]:
    """A JSON list, one item at a time."""
    begun = False
    for value in values:
        yield (b",\n" if begun else b"[\n") + written(value)
        begun = True
    yield b"\n]\n" if begun else b"[]\n"


def shown(body: Any) -> dict[str, Any]:
    """What the request log would keep of a body."""
    return redact(orjson.loads(render(body))) or {}


def booking_json(booking: Booking) -> dict[str, Any]:
    """As the API answers it."""
    if booking.product == Product.ESIM:
        tops_up = EsimDetails.of(booking).top_up_of is not None
        return shown(esim.top_up_json(booking) if tops_up else esim.order_json(booking))
    present = {
        Product.HOTEL: hotels.stay_booking_json,
        Product.FLIGHT: flights.order_json,
        Product.TRANSFER: transfers.order_json,
    }[Product(booking.product)]
    return shown(present(booking))


def story_text(booking: Booking, story: Sequence[TimelineEntry]) -> str:
    """A line for each entry. Notes are left out: staff and suppliers may have written them."""
    lines = [f"{rfc3339(entry.at)}  {strip_tags(str(entry.title))}" for entry in story]
    return "\n".join([f"{booking.reference}, {booking.status}", "", *lines, ""]).replace("\u00a0", " ")


def calls(booking: Booking) -> Iterator[LoggedCall]:
    """The newest calls of the last 30 days, a page at a time."""
    rows = calls_of(booking.account_id, booking.environment, Filters(booking_ids=(booking.pk,))).defer(None)
    cursor: str | None = ""
    for _ in range(MOST_CALLS // PAGE):
        found, cursor = keyset.page_of(rows, cursor, PAGE, numbered=True)
        yield from found
        if cursor is None:
            return


def call_json(call: LoggedCall) -> dict[str, Any]:
    """As the log keeps it: its bodies were redacted when they were written."""
    return {
        "requestId": str(call.request_id),
        "at": rfc3339(call.created_at),
        "method": call.method,
        "path": call.path,
        "operation": call.operation,
        "status": call.status,
        "errorType": call.error_type,
        "durationMs": call.duration_ms,
        "keyId": call.key_id,
        "idempotencyKey": call.idempotency_key,
        "replayed": call.replayed,
        "checks": [
            {"name": step.name, "verdict": step.verdict, "milliseconds": step.milliseconds}
            for step in call.steps
        ],
        "requestBody": call.request_body,
        "responseBody": call.response_body,
    }


def event_json(event: Event) -> dict[str, Any]:
    try:
        payload = redact(orjson.loads(event.payload))
    except ValueError:
        payload = None
    return {
        "id": event.pk,
        "type": event.type,
        "at": rfc3339(event.created_at),
        "sequence": event.sequence,
        "requestId": event.request_id or None,
        "payloadSha256": hashlib.sha256(event.payload.encode()).hexdigest(),
        "payload": payload,
    }


def deliveries(events: Sequence[SentEvent]) -> Iterator[dict[str, Any]]:
    """Each with its attempts. What a receiver answered is left out: anybody may have written it. One statement."""
    sent = [delivery for event in events for delivery in event.deliveries]
    made: defaultdict[str, list[Attempt]] = defaultdict(list)
    rows = Attempt.objects.filter(delivery__in=sent).defer("request_headers", "response_body")
    for attempt in rows.order_by("delivery_id", "number"):
        made[attempt.delivery_id].append(attempt)
    for delivery in sent:
        yield {**delivery_json(delivery), "attempts": [attempt_json(each) for each in made[delivery.pk]]}


def delivery_json(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.pk,
        "eventId": delivery.event_id,
        "endpointId": delivery.endpoint_id,
        "status": delivery.status,
        "createdAt": rfc3339(delivery.created_at),
        "completedAt": rfc3339(delivery.completed_at) if delivery.completed_at else None,
    }


def attempt_json(attempt: Attempt) -> dict[str, Any]:
    return {
        "number": attempt.number,
        "at": rfc3339(attempt.attempted_at),
        "statusCode": attempt.status_code,
        "error": attempt.error or None,
        "durationMs": attempt.duration_ms,
        "counted": attempt.counted,
        "manual": attempt.manual,
    }
