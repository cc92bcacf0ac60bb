"""The timeline of a delivery: its attempts, and when the next one is due."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.safestring import SafeString

from apps.portal.json_html import text_view
from apps.portal.templatetags.portal import span
from apps.webhooks.causes import advice_for
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus, Endpoint, EndpointStatus
from apps.webhooks.retry_schedule import MAX_ATTEMPTS, RETRY_DELAYS

MEANINGS = {
    DeliveryStatus.PENDING: "It is about to be sent.",
    DeliveryStatus.RETRYING: "It was not accepted yet and is tried again.",
    DeliveryStatus.DELIVERED: "Your endpoint accepted it.",
    DeliveryStatus.FAILED: "Your endpoint answered 410: it is not tried again by itself.",
    DeliveryStatus.EXHAUSTED: "All seven tries failed: it is not tried again by itself.",
}
SOON = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Dot:
    """`tone`: good, bad, busy (the next attempt), warn (lost), or empty for an attempt that was not made."""

    tone: str
    label: str


@dataclass(frozen=True, slots=True)
class AttemptEntry:
    """An attempt with its name on the page (`Try 2`, `Resend`, `Lost`) and advice."""

    attempt: Attempt
    name: str
    tone: str
    advice: str
    headers: str

    @property
    def result(self) -> str:
        return self.attempt.error or f"answered {self.attempt.status_code}"


@dataclass(frozen=True, slots=True)
class DeliveryTimeline:
    schedule: list[Dot]
    resends: list[Dot]
    lost: list[Dot]
    entries: list[AttemptEntry]
    meaning: str
    payload: SafeString
    waits_for_endpoint: bool
    is_due: bool
    poll: str
    """How often the page reloads this part; empty once nothing changes any more."""
    may_resend: bool
    may_send_now: bool
    """Whether it waits for its next try, and that could be made now."""


def delivery_timeline(delivery: Delivery, attempts: Sequence[Attempt], now: datetime) -> DeliveryTimeline:
    entries = attempt_entries(attempts)
    sends = may_send(delivery.endpoint)
    due = delivery.next_attempt_shown_at is not None and delivery.next_attempt_shown_at <= now
    return DeliveryTimeline(
        schedule=schedule_dots(delivery, entries, now),
        resends=[attempt_dot(each) for each in entries if each.attempt.manual and each.tone != "warn"],
        lost=[attempt_dot(each) for each in entries if each.tone == "warn"],
        entries=entries[::-1],
        meaning=status_meaning(delivery, entries),
        payload=text_view(delivery.event.payload),
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
        name = f"Try {number}" if attempt.counted else "Resend" if attempt.manual else "Lost"
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
        dots.append(Dot("busy", f"Try {len(dots) + 1}: {next_in_words(delivery, now)}"))
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
        return Dot("", f"Try {number}: not made")
    return Dot("", f"Try {number}: not yet; {span(RETRY_DELAYS[number - 2])} after the one before")


def poll_interval(delivery: Delivery, now: datetime) -> str:
    if delivery.is_finished:
        return ""
    soon = may_send(delivery.endpoint) and (delivery.next_attempt_shown_at or now) - now <= SOON
    return "every 2s" if soon else "every 30s"


def may_send(endpoint: Endpoint) -> bool:
    return endpoint.status == EndpointStatus.ENABLED and endpoint.deleted_at is None


def status_meaning(delivery: Delivery, entries: Sequence[AttemptEntry]) -> str:
    if delivery.status_before_resend is not None:
        return "It is being sent once more."
    if delivery.status == DeliveryStatus.FAILED and not any(
        each.attempt.status_code == 410 for each in entries
    ):
        gone = delivery.endpoint.deleted_at is not None
        return "Its endpoint was deleted before it was accepted." if gone else "It was not accepted."
    return MEANINGS[DeliveryStatus(delivery.status)]
