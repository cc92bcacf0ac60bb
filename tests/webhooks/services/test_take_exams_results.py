"""What becomes of one result: whose exam it is, whether the exam goes on, and who waits meanwhile."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, transaction

from apps.gateway.periodic import Tally
from apps.webhooks.models import Endpoint, Exam
from apps.webhooks.services import take_exams as module
from apps.webhooks.services.take_exams import Turn, claim, record, start_exam
from tests.factories.webhooks import EndpointFactory
from tests.support.locks import locked, until_somebody_waits

pytestmark = pytest.mark.django_db

ACCEPTED: list[dict[str, Any]] = [{"status_code": 200, "error_code": ""}]
UNANSWERED: list[dict[str, Any]] = [{"status_code": None, "error_code": "timeout"}]


def after(exam: Exam) -> Exam:
    return Exam.objects.get(pk=exam.pk)


def turns_of(token: uuid.UUID) -> list[Turn]:
    """The next case of each open exam, claimed under this token."""
    return [turn for exam in claim(token) if (turn := module._next_turn(exam, Tally())) is not None]


def test_an_exam_goes_on_where_a_later_case_has_no_answer(endpoint: Endpoint) -> None:
    exam, token = start_exam(endpoint=endpoint), uuid.uuid4()
    for sends in (ACCEPTED, UNANSWERED):
        [turn] = turns_of(token)
        assert record(turn, sends, token)
    assert (after(exam).status, len(after(exam).results)) == ("running", 2)


def test_an_exam_that_is_over_is_in_nobodys_hands(endpoint: Endpoint) -> None:
    exam, token = start_exam(endpoint=endpoint), uuid.uuid4()
    [turn] = turns_of(token)
    assert record(turn, UNANSWERED, token)
    exam = after(exam)
    assert (exam.status, exam.lease_token, exam.lease_until) == ("stopped", None, None)


def test_a_result_of_an_exam_that_has_ended_is_dropped(endpoint: Endpoint) -> None:
    exam, token = start_exam(endpoint=endpoint), uuid.uuid4()
    [turn] = turns_of(token)
    Exam.objects.update(status="stopped")
    assert record(turn, ACCEPTED, token) is False
    assert after(exam).results == []


def test_of_exams_taken_together_each_has_its_own_result(endpoint: Endpoint) -> None:
    exams = [start_exam(endpoint=each) for each in (endpoint, EndpointFactory(url=endpoint.url))]
    token = uuid.uuid4()
    for turn in turns_of(token):
        assert record(turn, ACCEPTED, token)
    assert [len(after(exam).results) for exam in exams] == [1, 1]


@pytest.mark.django_db(transaction=True)
def test_a_result_whose_lease_another_process_is_taking_is_dropped(endpoint: Endpoint) -> None:
    exam, mine, other = start_exam(endpoint=endpoint), uuid.uuid4(), uuid.uuid4()
    [turn] = turns_of(mine)

    def record_mine() -> bool:
        try:
            return record(turn, ACCEPTED, mine)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            Exam.objects.update(lease_token=other)
            recording = pool.submit(record_mine)
            until_somebody_waits()
        assert recording.result() is False
    assert (after(exam).lease_token, after(exam).results) == (other, [])


@pytest.mark.django_db(transaction=True)
def test_a_result_waits_for_nobody_who_refers_to_its_exam(endpoint: Endpoint) -> None:
    start_exam(endpoint=endpoint)
    token = uuid.uuid4()
    [turn] = turns_of(token)
    with locked(Exam.objects.all(), "KEY SHARE"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = '50ms'")
        assert record(turn, ACCEPTED, token)
