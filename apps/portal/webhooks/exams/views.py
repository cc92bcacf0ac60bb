"""Receiver exams: the page of an endpoint from which one is started, and the page of one exam."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from apps.portal.context import DEVELOPERS
from apps.portal.form_views import ObjectActionView, ObjectView
from apps.portal.webhooks.endpoints.views import EndpointView
from apps.portal.webhooks.exams.state import started_at, state_of_exam
from apps.webhooks.exams.cases import CASE_HEADER, CASES
from apps.webhooks.models import Endpoint, EndpointStatus, Exam
from apps.webhooks.selectors import exam_of, exams_of
from apps.webhooks.services.start_exam import start_exam

RECENT = 10


class EndpointExamView(EndpointView, ObjectActionView[Endpoint]):
    """A GET shows what an exam sends and the last ones. A POST starts one."""

    def get(self, request: HttpRequest, **ids: Any) -> HttpResponse:
        endpoint, portal = self.object_or_404(**ids), self.portal
        exams = list(exams_of(portal.account_id, portal.environment).filter(endpoint=endpoint)[:RECENT])
        return self.render(
            "portal/webhooks/exams/index.html",
            {
                "endpoint": endpoint,
                "cases": CASES,
                "case_header": CASE_HEADER,
                "exams": [(exam, started_at(exam, portal.place)) for exam in exams],
                "open_exam": next((exam for exam in exams if exam.is_open), None),
                "may_change": portal.has_role(DEVELOPERS),
                "is_enabled": endpoint.status == EndpointStatus.ENABLED,
            },
        )

    def act(self, endpoint: Endpoint) -> HttpResponse:
        exam = start_exam(endpoint=endpoint, actor=self.actor)
        return redirect(self.portal.reverse("exam", exam_id=exam.pk))

    def address_of(self, endpoint: Endpoint) -> str:
        return self.portal.reverse("endpoint_exam", endpoint_id=endpoint.pk)


class ExamDetailView(ObjectView[Exam]):
    section = "webhooks"

    def get_object(self, exam_id: str) -> Exam:
        return exam_of(self.portal.account_id, self.portal.environment, exam_id)

    def address_of(self, exam: Exam) -> str:
        return self.portal.reverse("exam", exam_id=exam.pk)

    def get(self, request: HttpRequest, exam_id: str) -> HttpResponse:
        exam = self.object_or_404(exam_id=exam_id)
        return self.render(
            "portal/webhooks/exams/detail.html",
            {
                "exam": exam,
                "started_at": started_at(exam, self.portal.place),
                "state": state_of_exam(exam),
                "may_change": self.portal.has_role(DEVELOPERS),
            },
        )
