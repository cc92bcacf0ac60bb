"""The eight cases of an exam: what each sends, and which answer is right."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.common.clock import rfc3339
from apps.webhooks.catalogue import BOOKING_CANCELLED, BOOKING_CONFIRMED, TEST
from apps.webhooks.models import new_event_id
from apps.webhooks.services.emit import Fact, payload_text
from apps.webhooks.signatures import new_secret, signature_headers

CASE_HEADER = "X-Webhook-Exam"
"""Every request of an exam has it, with the case's name: no receiver needs to take it for a booking's event."""
ORDINARY = "slow"
"""The case of an ordinary delivery, which is sent first and timed."""
UNKNOWN_TYPE = "exam.unknown_type"
STALE_BY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Situation:
    """For whom and when a case is written. `secrets` are those that sign.

    Signatures have the real time, as those of deliveries; `created_at` is the time in the environment.
    """

    exam_id: str
    endpoint_id: str
    environment: str
    secrets: tuple[str, ...]
    now: datetime
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Letter:
    """One request: body, and headers that sign it."""

    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """`refused`: whether the right answer is a 4xx, otherwise a 2xx. `sends`: what is sent, in words for the page."""

    name: str
    title: str
    sends: str
    write: Callable[[Situation], list[Letter]]
    refused: bool = False


def _event(
    situation: Situation,
    case: str,
    type: str = TEST,
    *,
    data: dict[str, object] | None = None,
    **top: str | int,
) -> tuple[str, bytes]:
    """An event's id and body, marked as one of an exam in `data.exam`. `top` are further members beside `data`."""
    event_id = new_event_id()
    mark = {"exam": {"id": situation.exam_id, "case": case}}
    about = data or {"endpointId": situation.endpoint_id, "message": "A case of a receiver exam."}
    written = payload_text(
        event_id=event_id,
        fact=Fact(type, {**about, **mark}),
        created_at=rfc3339(situation.created_at),
        environment=situation.environment,
    )
    return event_id, _with_members(written, top).encode()


def _with_members(payload: str, members: dict[str, str | int]) -> str:
    head = payload.removesuffix("}")
    return head + "".join(f',"{name}":{json.dumps(value)}' for name, value in members.items()) + "}"


def _letter(
    situation: Situation,
    case: str,
    event: tuple[str, bytes],
    *,
    secrets: tuple[str, ...] = (),
    late: timedelta = timedelta(0),
) -> Letter:
    """`event` as an ordinary delivery, unless other `secrets` sign it or it was signed `late` ago."""
    event_id, body = event
    signed = signature_headers(
        event_id=event_id,
        timestamp=int((situation.now - late).timestamp()),
        body=body,
        signing_secrets=secrets or situation.secrets,
    )
    return Letter(body, {**signed, CASE_HEADER: case})


def _booking() -> dict[str, object]:
    """`data` of a booking that does not exist. The event's `sequence` stands beside `data`, as in every delivery."""
    return {
        "bookingType": "hotel",
        "bookingReference": "H-EXAM2345",
        "bookingId": "hbk_exam",
        "externalReference": None,
        "currency": "EUR",
    }


def _ordinary(situation: Situation) -> list[Letter]:
    return [_letter(situation, ORDINARY, _event(situation, ORDINARY))]


def _duplicate(situation: Situation) -> list[Letter]:
    event = _event(situation, "duplicate")
    return [_letter(situation, "duplicate", event) for _ in range(2)]


def _out_of_order(situation: Situation) -> list[Letter]:
    case = "out_of_order"
    first = _event(situation, case, BOOKING_CONFIRMED, data={**_booking(), "totalCents": 12_000}, sequence=1)
    refund = {**_booking(), "refunded": False, "refundCents": 0}
    second = _event(situation, case, BOOKING_CANCELLED, data=refund, sequence=2)
    return [_letter(situation, case, event) for event in (second, first)]


def _bad_signature(situation: Situation) -> list[Letter]:
    case = "bad_signature"
    return [_letter(situation, case, _event(situation, case), secrets=(new_secret(),))]


def _stale_timestamp(situation: Situation) -> list[Letter]:
    case = "stale_timestamp"
    return [_letter(situation, case, _event(situation, case), late=STALE_BY)]


def _two_signatures(situation: Situation) -> list[Letter]:
    """The right one comes second, as it does for a receiver that has the previous secret."""
    case, secrets = "two_signatures", (new_secret(), *situation.secrets)
    return [_letter(situation, case, _event(situation, case), secrets=secrets)]


def _unknown_type(situation: Situation) -> list[Letter]:
    return [_letter(situation, "unknown_type", _event(situation, "unknown_type", UNKNOWN_TYPE))]


def _unknown_field(situation: Situation) -> list[Letter]:
    case = "unknown_field"
    data = {**_booking(), "totalCents": 12_000, "addedLater": {"since": "a later release"}}
    event = _event(situation, case, BOOKING_CONFIRMED, data=data, sequence=1, addedLater="a later release")
    return [_letter(situation, case, event)]


CASES = (
    Case(ORDINARY, "Answers in time", "An ordinary event. The time to the answer is measured.", _ordinary),
    Case("duplicate", "Takes an event twice", "The same event a second time.", _duplicate),
    Case(
        "out_of_order",
        "Takes events in any order",
        "A cancellation, then the confirmation that came before it.",
        _out_of_order,
    ),
    Case(
        "bad_signature",
        "Refuses a bad signature",
        "An event that is signed with a secret that is not yours.",
        _bad_signature,
        refused=True,
    ),
    Case(
        "stale_timestamp",
        "Refuses a stale timestamp",
        "An event that was signed rightly, an hour ago.",
        _stale_timestamp,
        refused=True,
    ),
    Case(
        "two_signatures",
        "Finds the right one of two signatures",
        "An event with two values, as during a rotation; the second is made with your secret.",
        _two_signatures,
    ),
    Case("unknown_type", "Takes a type it does not know", f"An event of type {UNKNOWN_TYPE}.", _unknown_type),
    Case(
        "unknown_field",
        "Takes fields it does not know",
        "A booking.confirmed with new fields, in data and beside it.",
        _unknown_field,
    ),
)
BY_NAME = {case.name: case for case in CASES}
