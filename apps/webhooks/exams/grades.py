"""What the answers to a case mean: passed or not, why, and the mend."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.webhooks.advice import ADVICE
from apps.webhooks.exams.cases import BY_NAME, ORDINARY, Case

SLOW_MS = 5_000
"""Half of the time that a delivery has. Who takes as long for one event will run out of time when several come at once."""


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
    """`mend` and `code_line` are empty where the case was passed."""

    passed: bool
    said: str
    mend: str = ""
    code_line: str = ""


@dataclass(frozen=True, slots=True)
class Mend:
    text: str
    code_line: str = ""


ACCEPTED_FORGERY = {
    "bad_signature": Mend(
        "Check the signature before anything else, and answer 401 where no value fits. Now anybody can send you events.",
        'if not any(hmac.compare_digest(expected, v1) for v1 in values): return "", 401',
    ),
    "stale_timestamp": Mend(
        "Refuse a timestamp that is more than five minutes off. Now whoever has seen one delivery can send it again for ever.",
        'if abs(time.time() - int(timestamp)) > 300: return "", 400',
    ),
}
REFUSED_RIGHT = {
    "slow": Mend(
        "It was an ordinary delivery, rightly signed. Paste its body and headers into the signature doctor."
    ),
    "duplicate": Mend(
        "Answer 2xx to an event that you have already: a lost answer makes us send it again.",
        'if event["id"] in seen: return "", 200',
    ),
    "out_of_order": Mend(
        "Answer 2xx and drop what is older than what you have: keep the highest sequence of each booking.",
        'if event.get("sequence", latest + 1) <= latest: return "", 200',
    ),
    "two_signatures": Mend(
        "Compare with every v1 value, not with the first alone: two are sent while a secret is rotated.",
        "any(hmac.compare_digest(expected, v1) for v1 in values)",
    ),
    "unknown_type": Mend(
        "Answer 2xx to a type that you do not know: new ones come within v1.",
        'handler = HANDLERS.get(event["type"]); return (handler(event) if handler else ""), 200',
    ),
    "unknown_field": Mend(
        "Ignore fields that you do not know: new ones come within v1.",
        'total = event["data"]["totalCents"]   # name what you read; do not unpack all of it',
    ),
}
CRASHED = Mend(
    "Refuse with 4xx, not 5xx: catch what your verifier raises. A 5xx looks like a fault of yours, and is tried again.",
    'except SignatureError: return "", 401',
)
TOO_SLOW = Mend(
    "Answer as soon as the event is checked and stored, and work on it afterwards: a delivery has 10 seconds in all.",
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
            return Grade(False, which + of_one.said, of_one.mend, of_one.code_line)
    said = ", then ".join(sent.in_words for sent in sends)
    if case.name == ORDINARY:
        said += f" within {max(sent.duration_ms for sent in sends):,} ms"
    return Grade(True, said)


def _after_all_refused(case: Case, grade: Grade) -> Grade:
    """Of a receiver that refuses an ordinary delivery too, its other refusals say nothing."""
    if grade.passed or case.refused or case.name == ORDINARY:
        return grade
    return Grade(False, grade.said, "It refuses an ordinary delivery too: fix that first.")


def _grade_of_one(case: Case, sent: Sent) -> Grade:
    if not sent.was_answered:
        if sent.error_code == "timeout":
            return _failed(sent, TOO_SLOW)
        return Grade(False, sent.error, ADVICE.get(sent.error_code, ""))
    assert sent.status_code is not None
    if case.refused:
        if not sent.error_code:
            return _failed(sent, ACCEPTED_FORGERY[case.name])
        return Grade(True, sent.in_words) if 400 <= sent.status_code <= 499 else _failed(sent, CRASHED)
    if sent.error_code:
        return _failed(sent, REFUSED_RIGHT[case.name])
    if case.name == ORDINARY and sent.duration_ms > SLOW_MS:
        return Grade(
            False, f"{sent.in_words} after {sent.duration_ms / 1000:.1f} s", TOO_SLOW.text, TOO_SLOW.code_line
        )
    return Grade(True, sent.in_words)


def _failed(sent: Sent, mend: Mend) -> Grade:
    return Grade(False, sent.in_words, mend.text, mend.code_line)
