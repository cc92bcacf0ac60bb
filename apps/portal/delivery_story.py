"""A delivery as its page tells it: seven dots for the schedule, what was tried beside it, and what to do."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.portal.templatetags.portal import span
from apps.webhooks.advice import advice_for
from apps.webhooks.models import Attempt, Delivery, DeliveryStatus, Endpoint, EndpointStatus
from apps.webhooks.schedule import MAX_ATTEMPTS, RETRY_DELAYS

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
    """`tone`: good, bad, busy (the next one), warn (lost), or nothing for one that was not made."""

    tone: str
    label: str


@dataclass(frozen=True, slots=True)
class Try:
    """An attempt with its name (`Try 2`, `Resend`, `Lost`) and what to do about it."""

    attempt: Attempt
    name: str
    tone: str
    advice: str
    headers: str

    @property
    def said(self) -> str:
        """How it ended, in a few words."""
        return self.attempt.error or f"answered {self.attempt.status_code}"


@dataclass(frozen=True, slots=True)
class Story:
    schedule: list[Dot]
    resends: list[Dot]
    lost: list[Dot]
    tries: list[Try]
    """The newest first."""
    meaning: str
    payload: str
    waits_for_endpoint: bool
    is_due: bool
    poll: str
    """How often the page looks again; empty once nothing changes any more."""
    may_resend: bool


def story_of(delivery: Delivery, attempts: Sequence[Attempt], now: datetime) -> Story:
    tries = tries_of(attempts)
    sends = may_send(delivery.endpoint)
    due = delivery.next_attempt_at is not None and delivery.next_attempt_at <= now
    return Story(
        schedule=schedule_of(delivery, tries, now),
        resends=[dot_of(each) for each in tries if each.attempt.manual and each.tone != "warn"],
        lost=[dot_of(each) for each in tries if each.tone == "warn"],
        tries=tries[::-1],
        meaning=meaning_of(delivery, tries),
        payload=pretty(delivery.event.payload),
        waits_for_endpoint=not delivery.is_finished and not sends,
        is_due=due,
        poll=poll_of(delivery, now),
        may_resend=delivery.is_finished and sends,
    )


def tries_of(attempts: Sequence[Attempt]) -> list[Try]:
    """Numbered as the schedule numbers them; resends and lost ones have names instead."""
    tries, number = [], 0
    for attempt in attempts:
        number += attempt.counted
        name = f"Try {number}" if attempt.counted else "Resend" if attempt.manual else "Lost"
        tries.append(
            Try(
                attempt,
                name,
                tone_of(attempt),
                advice_for(attempt.error_code, attempt.status_code),
                "\n".join(f"{key}: {value}" for key, value in attempt.request_headers.items()),
            )
        )
    return tries


def tone_of(attempt: Attempt) -> str:
    if attempt.error_code == "lost" and not attempt.counted:
        return "warn"
    return "bad" if attempt.error or not 200 <= (attempt.status_code or 0) <= 299 else "good"


def dot_of(each: Try) -> Dot:
    return Dot(each.tone, f"{each.name}: {each.said}")


def schedule_of(delivery: Delivery, tries: Sequence[Try], now: datetime) -> list[Dot]:
    """Seven: those made, the next one, and those that may follow."""
    dots = [dot_of(each) for each in tries if each.attempt.counted]
    if not delivery.is_finished and delivery.status_before_resend is None and len(dots) < MAX_ATTEMPTS:
        dots.append(Dot("busy", f"Try {len(dots) + 1}: {next_words(delivery, now)}"))
    return (dots + [untried(delivery, number) for number in range(len(dots) + 1, MAX_ATTEMPTS + 1)])[
        :MAX_ATTEMPTS
    ]


def next_words(delivery: Delivery, now: datetime) -> str:
    if not may_send(delivery.endpoint):
        return "when the endpoint is enabled"
    left = (delivery.next_attempt_at or now) - now
    return f"next, in {span(left)}" if left > timedelta(0) else "now"


def untried(delivery: Delivery, number: int) -> Dot:
    if delivery.is_finished or delivery.status_before_resend is not None:
        return Dot("", f"Try {number}: not made")
    return Dot("", f"Try {number}: not yet; {span(RETRY_DELAYS[number - 2])} after the one before")


def poll_of(delivery: Delivery, now: datetime) -> str:
    if delivery.is_finished:
        return ""
    soon = may_send(delivery.endpoint) and (delivery.next_attempt_at or now) - now <= SOON
    return "every 2s" if soon else "every 30s"


def may_send(endpoint: Endpoint) -> bool:
    return endpoint.status == EndpointStatus.ENABLED and endpoint.deleted_at is None


def pretty(payload: str) -> str:
    try:
        return json.dumps(json.loads(payload), indent=2, ensure_ascii=False)
    except ValueError:
        return payload


def meaning_of(delivery: Delivery, tries: Sequence[Try]) -> str:
    """What the status means, in a sentence."""
    if delivery.status_before_resend is not None:
        return "It is being sent once more."
    if delivery.status == DeliveryStatus.FAILED and not any(
        each.attempt.status_code == 410 for each in tries
    ):
        gone = delivery.endpoint.deleted_at is not None
        return "Its endpoint was deleted before it was accepted." if gone else "It was not accepted."
    return MEANINGS[DeliveryStatus(delivery.status)]
