"""The exams of a receiver."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.common.clock import Place
from apps.portal.forms import ObjectActionView, ObjectView
from apps.portal.webhooks.endpoints import EndpointView
from apps.webhooks.exams import CASE_HEADER, CASES, Case, Grade, Sent, grades_of
from apps.webhooks.models import Endpoint, EndpointStatus, Exam, ExamStatus, StopReason
from apps.webhooks.selectors import exam_of, exams_of
from apps.webhooks.services.take_exams import start_exam

TEXTS = {
    ExamStatus.QUEUED: "It begins within seconds.",
    ExamStatus.RUNNING: "The cases are sent one after another.",
    ExamStatus.PASSED: "Your receiver passed all eight cases.",
    ExamStatus.FAILED: "Your receiver failed some cases. Fix it and start another exam.",
}
STOPS = {
    StopReason.UNREACHABLE: "The first case got no response, so the others were not sent.",
    StopReason.ENDPOINT_DISABLED: "The endpoint was disabled or deleted, so nothing more was sent.",
    StopReason.OURS: "The exam stopped because of a problem on our side. Start another one, and contact us if it stops again.",
}


@dataclass(frozen=True, slots=True)
class CaseState:
    """`grade` is None for a case that was not sent (yet)."""

    case: Case
    grade: Grade | None
    sends: Sequence[Sent]
    word: str

    @property
    def tone(self) -> str:
        return {"passed": "good", "failed": "bad", "sending": "busy"}.get(self.word, "")

    @property
    def about(self) -> str:
        return f"{self.case.sends} Expected: {'4xx' if self.case.refused else '2xx'}."

    @property
    def requests(self) -> list[dict[str, str]]:
        return [
            {
                "headers": "\n".join(f"{name}: {value}" for name, value in sent.headers.items()),
                "body": sent.body,
                "answer": sent.in_words,
                "took": f"{sent.duration_ms:,} ms",
                "response": sent.response_body,
            }
            for sent in self.sends
        ]


@dataclass(frozen=True, slots=True)
class ExamState:
    cases: list[CaseState]
    text: str
    poll: str
    """How often the page reloads; empty once the exam is over."""

    @property
    def passed(self) -> int:
        return sum(each.word == "passed" for each in self.cases)

    @property
    def sent(self) -> int:
        return sum(each.grade is not None for each in self.cases)

    @property
    def refuses_all(self) -> bool:
        first = self.cases[0]
        return first.word == "failed" and any(
            sent.was_answered and not 200 <= (sent.status_code or 0) <= 299 for sent in first.sends
        )


def started_at(exam: Exam, place: Place) -> datetime:
    """As the clock of the environment shows it; stored is the real time, by which exams are limited and forgotten."""
    return exam.created_at + place.clock_offset


def state_of_exam(exam: Exam) -> ExamState:
    grades = grades_of(exam.results)
    sent = len(grades)
    cases = []
    for number, case in enumerate(CASES):
        grade = grades.get(case.name)
        waiting = ("sending" if number == sent else "waiting") if exam.is_open else "not sent"
        word = waiting if grade is None else "passed" if grade.passed else "failed"
        sends = [Sent.of(each) for each in exam.sends_of(case.name) or []]
        cases.append(CaseState(case, grade, sends, word))
    text = STOPS[StopReason(exam.stop_reason)] if exam.stop_reason else TEXTS[ExamStatus(exam.status)]
    return ExamState(cases, text, "every 2s" if exam.is_open else "")


RECENT = 10


class EndpointExamView(EndpointView, ObjectActionView[Endpoint]):
    """A GET shows what an exam sends and the last ones. A POST starts one."""

    def address(self) -> str:
        return self.portal.reverse("endpoint_exam", endpoint_id=self.object.pk)

    def get(self, request: HttpRequest) -> HttpResponse:
        exams = list(exams_of(*self.portal.stored).filter(endpoint=self.object)[:RECENT])
        return self.render(
            "portal/webhooks/exams/index.html",
            {
                "cases": CASES,
                "case_header": CASE_HEADER,
                "exams": [(exam, started_at(exam, self.portal.place)) for exam in exams],
                "open_exam": next((exam for exam in exams if exam.is_open), None),
                "is_enabled": self.object.status == EndpointStatus.ENABLED,
            },
        )

    def act(self) -> HttpResponse:
        exam = start_exam(endpoint=self.object, actor=self.actor)
        return redirect(self.portal.reverse("exam", exam_id=exam.pk))


class ExamDetailView(ObjectView[Exam]):
    section = "webhooks"
    template = "portal/webhooks/exams/detail.html"

    name, find = "exam", staticmethod(exam_of)

    def extra_context(self) -> dict[str, Any]:
        return {"started_at": started_at(self.object, self.portal.place), "state": state_of_exam(self.object)}
