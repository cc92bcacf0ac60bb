"""The timeline of a delivery: its attempts, and when the next one is due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from http import HTTPStatus

from django.utils.safestring import SafeString

from apps.portal.json_html import text_view
from apps.portal.templatetags.portal import span
from apps.webhooks.causes import advice_for
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus, Endpoint, EndpointStatus
from apps.webhooks.retry_schedule import MAX_ATTEMPTS, RETRY_DELAYS

SOON = timedelta(minutes=1)
PHRASES = {status.value: status.phrase for status in HTTPStatus}


@dataclass(frozen=True, slots=True)
class Dot:
    """`tone`: good, bad, busy (the next attempt), warn (lost), or empty for an attempt that was not made."""

    tone: str
    label: str


@dataclass(frozen=True, slots=True)
class AttemptEntry:
    """An attempt with its name on the page (`Attempt 2`, `Resend`, `Lost`) and advice."""

    attempt: Attempt
    name: str
    tone: str
    advice: str
    headers: str

    @property
    def result(self) -> str:
        return self.attempt.error or f"answered {self.attempt.status_code}"

    @property
    def cause(self) -> str:
        """`Service Unavailable`, `no response within 10 s`: the status stands beside it."""
        status = self.attempt.status_code
        if self.tone == "good":
            return "Accepted"
        words = self.attempt.error.removeprefix(f"answered {status}").removeprefix("; ")
        return words or PHRASES.get(status or 0, "Not accepted")


@dataclass(frozen=True, slots=True)
class DeliveryTimeline:
    schedule: list[Dot]
    resends: list[Dot]
    lost: list[Dot]
    entries: list[AttemptEntry]
    headline: str
    """What became of it, without a full stop: the next attempt may follow in the same line."""
    payload: SafeString
    raw_payload: str
    waits_for_endpoint: bool
    is_due: bool
    poll: str
    """How often the page reloads this part; empty once nothing changes any more."""
    may_resend: bool
    may_send_now: bool
    """Whether it waits for its next attempt, and that could be made now."""


def delivery_timeline(delivery: Delivery, attempts: Sequence[Attempt], now: datetime) -> DeliveryTimeline:
    entries = attempt_entries(attempts)
    sends = may_send(delivery.endpoint)
    due = delivery.next_attempt_shown_at is not None and delivery.next_attempt_shown_at <= now
    return DeliveryTimeline(
        schedule=schedule_dots(delivery, entries, now),
        resends=[attempt_dot(each) for each in entries if each.attempt.manual and each.tone != "warn"],
        lost=[attempt_dot(each) for each in entries if each.tone == "warn"],
        entries=entries[::-1],
        headline=headline(delivery, entries),
        payload=text_view(delivery.event.payload),
        raw_payload=delivery.event.payload,
        waits_for_endpoint=not delivery.is_finished and not sends,
        is_due=due,
        poll=poll_interval(delivery, now),
        may_resend=delivery.is_finished and sends,
        may_send_now=not delivery.is_finished and sends and not due,
    )


def attempt_entries(attempts: Sequence[Attempt]) -> list[AttemptEntry]:
    """Attempts of the schedule have numbers. Resends and lost attempts have names instead."""
    entries, number = [], 0
    for attempt in attempts:
        number += attempt.counted
        name = f"Attempt {number}" if attempt.counted else "Resend" if attempt.manual else "Lost"
        entries.append(
            AttemptEntry(
                attempt,
                name,
                tone_of(attempt),
                advice_for(attempt.error_code, attempt.status_code),
                "\n".join(f"{key}: {value}" for key, value in attempt.request_headers.items()),
            )
        )
    return entries


def tone_of(attempt: Attempt) -> str:
    if attempt.error_code == "lost" and not attempt.counted:
        return "warn"
    return "bad" if attempt.error or not 200 <= (attempt.status_code or 0) <= 299 else "good"


def attempt_dot(each: AttemptEntry) -> Dot:
    return Dot(each.tone, f"{each.name}: {each.result}")


def schedule_dots(delivery: Delivery, entries: Sequence[AttemptEntry], now: datetime) -> list[Dot]:
    """Seven dots: the attempts made, the next one, and those that may follow."""
    dots = [attempt_dot(each) for each in entries if each.attempt.counted]
    if not delivery.is_finished and delivery.status_before_resend is None and len(dots) < MAX_ATTEMPTS:
        dots.append(Dot("busy", f"Attempt {len(dots) + 1}: {next_in_words(delivery, now)}"))
    return (dots + [open_dot(delivery, number) for number in range(len(dots) + 1, MAX_ATTEMPTS + 1)])[
        :MAX_ATTEMPTS
    ]


def next_in_words(delivery: Delivery, now: datetime) -> str:
    if not may_send(delivery.endpoint):
        return "when the endpoint is enabled"
    left = (delivery.next_attempt_shown_at or now) - now
    return f"next, in {span(left)}" if left > timedelta(0) else "now"


def open_dot(delivery: Delivery, number: int) -> Dot:
    if delivery.is_finished or delivery.status_before_resend is not None:
        return Dot("", f"Attempt {number}: not made")
    return Dot("", f"Attempt {number}: not yet; {span(RETRY_DELAYS[number - 2])} after the one before")


def poll_interval(delivery: Delivery, now: datetime) -> str:
    if delivery.is_finished:
        return ""
    soon = may_send(delivery.endpoint) and (delivery.next_attempt_shown_at or now) - now <= SOON
    return "every 2s" if soon else "every 30s"


def may_send(endpoint: Endpoint) -> bool:
    return endpoint.status == EndpointStatus.ENABLED and endpoint.deleted_at is None


def headline(delivery: Delivery, entries: Sequence[AttemptEntry]) -> str:
    """`Failed 2 of 7 attempts`"""
    if delivery.status_before_resend is not None:
        return "Sending again"
    tries = [each for each in entries if each.attempt.counted]
    accepted = [each for each in entries if each.tone == "good"]
    match DeliveryStatus(delivery.status):
        case DeliveryStatus.PENDING:
            return "Not tried yet"
        case DeliveryStatus.RETRYING:
            return f"Failed {len(tries)} of {MAX_ATTEMPTS} attempts"
        case DeliveryStatus.DELIVERED if accepted and accepted[-1].attempt.counted:
            return f"Delivered on attempt {len(tries)} of {MAX_ATTEMPTS}"
        case DeliveryStatus.DELIVERED:
            return "Delivered by a resend" if accepted else "Delivered"
        case DeliveryStatus.EXHAUSTED:
            return f"Failed all {MAX_ATTEMPTS} attempts"
    if any(each.attempt.status_code == 410 for each in entries):
        return "Failed: the endpoint returned 410; not sent again"
    gone = delivery.endpoint.deleted_at is not None
    return "Failed: the endpoint was deleted" if gone else "Failed: not accepted; not sent again"
