"""The receiver exam: what is sent in its eight cases, and what the answers mean. Pure; `services.take_exams` sends."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import orjson

from apps.common.clock import rfc3339
from apps.webhooks.causes import ADVICE
from apps.webhooks.events import BOOKING_CANCELLED, BOOKING_CONFIRMED, TEST, Fact, payload_text
from apps.webhooks.models import new_event_id
from apps.webhooks.signatures import new_secret, signature_headers

CASE_HEADER = "X-Webhook-Exam"
"""Every request of an exam has it, with the case's name: no receiver needs to take it for a booking's event."""

ORDINARY = "slow"
"""The case of an ordinary delivery, which is sent first and timed."""

UNKNOWN_TYPE = "exam.unknown_type"


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
class Event:
    """An event of a case. `beside` has further members next to `data`; without `data` it is that of a test."""

    type: str = TEST
    data: Mapping[str, object] = field(default_factory=dict)
    beside: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fix:
    text: str
    code_line: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """`refused`: whether the right answer is a 4xx, otherwise a 2xx. `sends`: what is sent, in words for the page.

    `fix` is for a receiver that answers otherwise. Each event is sent `times` times,
    signed `late` ago with the endpoint's secrets if `own_secrets`, and before them with another one if `other_secret`.
    """

    name: str
    title: str
    sends: str
    fix: Fix
    refused: bool = False
    events: Sequence[Event] = (Event(),)
    times: int = 1
    late: timedelta = timedelta(0)
    own_secrets: bool = True
    other_secret: bool = False

    def write(self, situation: Situation) -> list[Letter]:
        return [letter for event in self.events for letter in [self._letter(situation, event)] * self.times]

    def _letter(self, situation: Situation, event: Event) -> Letter:
        event_id = new_event_id()
        about = event.data or {"endpointId": situation.endpoint_id, "message": "A case of a receiver exam."}
        payload = payload_text(
            event_id=event_id,
            fact=Fact(event.type, {**about, "exam": {"id": situation.exam_id, "case": self.name}}),
            created_at=rfc3339(situation.created_at),
            environment=situation.environment,
        )
        body = orjson.dumps({**orjson.loads(payload), **event.beside})
        other = (new_secret(),) if self.other_secret else ()
        signed = signature_headers(
            event_id=event_id,
            timestamp=int((situation.now - self.late).timestamp()),
            body=body,
            signing_secrets=other + (situation.secrets if self.own_secrets else ()),
        )
        return Letter(body, {**signed, CASE_HEADER: self.name})


BOOKING = {
    "bookingType": "hotel",
    "bookingReference": "H-EXAM2345",
    "bookingId": "hbk_exam",
    "externalReference": None,
    "currency": "EUR",
}
"""`data` of a booking that does not exist. The event's `sequence` is next to `data`, as in every delivery."""

CASES = (
    Case(
        ORDINARY,
        "Responds in time",
        "An ordinary event. The response time is measured.",
        Fix(
            "This was an ordinary delivery with a valid signature. Paste its body and headers into the signature doctor."
        ),
    ),
    Case(
        "duplicate",
        "Accepts an event twice",
        "The same event, sent twice.",
        Fix(
            "Respond with 2xx to an event that you already have: after a lost response we send it again.",
            'if event["id"] in seen: return "", 200',
        ),
        times=2,
    ),
    Case(
        "out_of_order",
        "Accepts events in any order",
        "A cancellation, then the earlier confirmation.",
        Fix(
            "Respond with 2xx and ignore older events: keep the highest sequence of each booking.",
            'if event.get("sequence", latest + 1) <= latest: return "", 200',
        ),
        events=(
            Event(BOOKING_CANCELLED, {**BOOKING, "refunded": False, "refundCents": 0}, {"sequence": 2}),
            Event(BOOKING_CONFIRMED, {**BOOKING, "totalCents": 12_000}, {"sequence": 1}),
        ),
    ),
    Case(
        "bad_signature",
        "Rejects an invalid signature",
        "An event signed with a secret that is not yours.",
        Fix(
            "Verify the signature first, and respond with 401 if no value matches. Right now anyone can send you events.",
            'if not any(hmac.compare_digest(expected, v1) for v1 in values): return "", 401',
        ),
        refused=True,
        own_secrets=False,
        other_secret=True,
    ),
    Case(
        "stale_timestamp",
        "Rejects an old timestamp",
        "An event with a valid signature, made an hour ago.",
        Fix(
            "Reject a timestamp that is more than five minutes off. Otherwise anyone who has seen one delivery can replay it "
            "at any time.",
            'if abs(time.time() - int(timestamp)) > 300: return "", 400',
        ),
        refused=True,
        late=timedelta(hours=1),
    ),
    Case(
        "two_signatures",
        "Checks both signatures",
        "An event with two values, as during a rotation. The second one is made with your secret.",
        Fix(
            "Compare with every v1 value, not only the first: two are sent while a secret is rotated.",
            "any(hmac.compare_digest(expected, v1) for v1 in values)",
        ),
        other_secret=True,
    ),
    Case(
        "unknown_type",
        "Accepts an unknown type",
        f"An event of type {UNKNOWN_TYPE}.",
        Fix(
            "Respond with 2xx to a type that you do not know: v1 may add types.",
            'handler = HANDLERS.get(event["type"]); return (handler(event) if handler else ""), 200',
        ),
        events=(Event(UNKNOWN_TYPE),),
    ),
    Case(
        "unknown_field",
        "Accepts unknown fields",
        "A booking.confirmed event with new fields, inside and outside of data.",
        Fix(
            "Ignore fields that you do not know: v1 may add fields.",
            'total = event["data"]["totalCents"]   # name what you read; do not unpack all of it',
        ),
        events=(
            Event(
                BOOKING_CONFIRMED,
                {**BOOKING, "totalCents": 12_000, "addedLater": {"since": "a later release"}},
                {"sequence": 1, "addedLater": "a later release"},
            ),
        ),
    ),
)

BY_NAME = {case.name: case for case in CASES}
SLOW_MS = 5_000
"""Half of the time limit of a delivery. A receiver that needs this long for one event fails when several arrive at once."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One request of a case and its answer. `error` says why there was none, or why it does not count as accepted."""

    status_code: int | None
    duration_ms: int
    error_code: str
    error: str
    response_body: str
    headers: dict[str, str]
    body: str

    @classmethod
    def of(cls, stored: dict[str, Any]) -> "Sent":
        return cls(**{name: stored[name] for name in cls.__slots__})

    @property
    def was_answered(self) -> bool:
        return self.status_code is not None and self.error_code != "timeout"

    @property
    def in_words(self) -> str:
        return f"answered {self.status_code}" if self.was_answered else self.error


@dataclass(frozen=True, slots=True)
class Grade:
    """`fix` and `code_line` are empty where the case was passed."""

    passed: bool
    said: str
    fix: str = ""
    code_line: str = ""


CRASHED = Fix(
    "Reject with 4xx, not 5xx: catch the exceptions of your verifier. A 5xx is retried.",
    'except SignatureError: return "", 401',
)

TOO_SLOW = Fix(
    "Respond as soon as the event is verified and stored, and process it afterwards. A delivery times out after 10 seconds.",
    'queue.put(event); return "", 202',
)


def grades_of(results: Sequence[dict[str, Any]]) -> dict[str, Grade]:
    """The grade of each case that was sent, by its name."""
    sent = {result["case"]: [Sent.of(each) for each in result["sends"]] for result in results}
    grades = {name: grade(BY_NAME[name], sends) for name, sends in sent.items()}
    ordinary = sent.get(ORDINARY)
    if ordinary is None or not any(each.error_code for each in ordinary):
        return grades
    return {name: _after_all_refused(BY_NAME[name], each) for name, each in grades.items()}


def grade(case: Case, sends: Sequence[Sent]) -> Grade:
    """The grade of one case, by the first of its requests that was answered otherwise than expected."""
    for number, sent in enumerate(sends, start=1):
        of_one = _grade_of_one(case, sent)
        if not of_one.passed:
            which = f"request {number} of {len(sends)}: " if len(sends) > 1 else ""
            return Grade(False, which + of_one.said, of_one.fix, of_one.code_line)
    said = ", then ".join(sent.in_words for sent in sends)
    if case.name == ORDINARY:
        said += f" within {max(sent.duration_ms for sent in sends):,} ms"
    return Grade(True, said)


def _after_all_refused(case: Case, grade: Grade) -> Grade:
    """If a receiver rejects even an ordinary delivery, its other rejections prove nothing."""
    if grade.passed or case.refused or case.name == ORDINARY:
        return grade
    return Grade(False, grade.said, "It also rejects an ordinary delivery: fix that first.")


def _grade_of_one(case: Case, sent: Sent) -> Grade:
    if not sent.was_answered:
        if sent.error_code == "timeout":
            return _failed(sent, TOO_SLOW)
        return Grade(False, sent.error, ADVICE.get(sent.error_code, ""))
    assert sent.status_code is not None
    if case.refused:
        if not sent.error_code:
            return _failed(sent, case.fix)
        return Grade(True, sent.in_words) if 400 <= sent.status_code <= 499 else _failed(sent, CRASHED)
    if sent.error_code:
        return _failed(sent, case.fix)
    if case.name == ORDINARY and sent.duration_ms > SLOW_MS:
        return Grade(
            False, f"{sent.in_words} after {sent.duration_ms / 1000:.1f} s", TOO_SLOW.text, TOO_SLOW.code_line
        )
    return Grade(True, sent.in_words)


def _failed(sent: Sent, fix: Fix) -> Grade:
    return Grade(False, sent.in_words, fix.text, fix.code_line)
