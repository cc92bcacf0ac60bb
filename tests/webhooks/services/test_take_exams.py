"""The run that takes exams: leases, losses, ends. What receivers' answers mean is in tests/webhooks/exams."""

import os
import uuid
from datetime import timedelta
from itertools import count
from threading import Barrier, current_thread
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection

from apps.common import clock
from apps.gateway.periodic import Tally
from apps.webhooks.causes import no_answer_within
from apps.webhooks.checks import attempts_end_within_their_lease
from apps.webhooks.exams import CASE_HEADER, CASES
from apps.webhooks.models import Endpoint, Exam
from apps.webhooks.sender import ReceiverAnswer, Sender
from apps.webhooks.services import take_exams as module
from apps.webhooks.services.endpoints import delete_endpoint, disable_endpoint
from apps.webhooks.services.take_exams import LEASE, claim, start_exam, take_exams
from apps.webhooks.signatures import signature_headers
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import EndpointFactory
from tests.support.locks import locked
from tests.support.plans import read_as_the_table_lies
from tests.support.ports import free_port
from tests.support.receiver import Receiver, Reply

pytestmark = pytest.mark.django_db


def after(exam: Exam) -> Exam:
    return Exam.objects.get(pk=exam.pk)


def test_eight_cases_are_sent_marked_and_signed_as_told(endpoint: Endpoint, receiver: Receiver) -> None:
    exam = start_exam(endpoint=endpoint)
    assert take_exams(seconds=60) == 8
    names = [request.headers[CASE_HEADER] for request in receiver.requests]
    assert names == [
        "slow",
        "duplicate",
        "duplicate",
        "out_of_order",
        "out_of_order",
        "bad_signature",
        "stale_timestamp",
        "two_signatures",
        "unknown_type",
        "unknown_field",
    ]
    marks = [request.json["data"]["exam"] for request in receiver.requests]
    assert marks == [{"id": exam.pk, "case": name} for name in names]
    right = [
        name for request, name in zip(receiver.requests, names, strict=True) if signed_by(endpoint, request)
    ]
    assert right == [name for name in names if name != "bad_signature"]
    one, two = receiver.requests[1:3]
    assert one.body == two.body
    booking = {
        "bookingType": "hotel",
        "bookingReference": "H-EXAM2345",
        "bookingId": "hbk_exam",
        "externalReference": None,
        "currency": "EUR",
    }
    older, newer, grown = (receiver.requests[number].json["data"] for number in (4, 3, 9))
    assert older == {**booking, "totalCents": 12_000, "exam": marks[4]}
    assert newer == {**booking, "refunded": False, "refundCents": 0, "exam": marks[3]}
    later = {"since": "a later release"}
    assert grown == {**booking, "totalCents": 12_000, "addedLater": later, "exam": marks[9]}
    assert [receiver.requests[number].json["sequence"] for number in (4, 3, 9)] == [1, 2, 1]
    stale = int(receiver.requests[6].headers["webhook-timestamp"])
    assert 3_590 < int(one.headers["webhook-timestamp"]) - stale < 3_610 + 60
    assert receiver.requests[7].headers["X-Service-Signature"].count("v1=") == 2
    assert receiver.requests[8].json["type"] == "exam.unknown_type"
    assert receiver.requests[9].json["addedLater"] == "a later release"


def signed_by(endpoint: Endpoint, request) -> bool:
    right = signature_headers(
        event_id=request.headers["webhook-id"],
        timestamp=int(request.headers["webhook-timestamp"]),
        body=request.body,
        signing_secrets=[endpoint.secret],
    )
    service = right["X-Service-Signature"].rpartition(",")[2]
    standard = request.headers["webhook-signature"].split()
    return service in request.headers["X-Service-Signature"] and right["webhook-signature"] in standard


@pytest.mark.parametrize(("left", "signatures"), [(1, 2), (0, 1)])
def test_a_previous_secret_signs_until_its_end(
    endpoint: Endpoint, receiver: Receiver, stopped_clock, left: int, signatures: int
) -> None:
    Endpoint.objects.update(
        previous_secret_encrypted=endpoint.secret_encrypted,
        previous_secret_expires_at=clock.now() + timedelta(microseconds=left),
    )
    start_exam(endpoint=endpoint)
    take_exams(seconds=60)
    assert receiver.requests[0].headers["X-Service-Signature"].count("v1=") == signatures


@pytest.mark.parametrize(("seconds", "expected"), [(None, 7.5), (30.0, 30.0)])
def test_a_request_has_as_long_as_a_delivery_has_or_as_the_run_is_told(
    endpoint: Endpoint,
    receiver: Receiver,
    settings,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float | None,
    expected: float,
) -> None:
    settings.WEBHOOK_TIMEOUT_SECONDS = 7.5
    allowed: list[float] = []
    real = Sender.post

    def post(self: Sender, url: str, **named: Any) -> ReceiverAnswer:
        allowed.append(named["seconds"])
        return real(self, url, **{**named, "seconds": 60})

    monkeypatch.setattr(Sender, "post", post)
    start_exam(endpoint=endpoint)
    take_exams(seconds=seconds)
    assert allowed == [expected] * 10


def test_an_unreachable_receiver_ends_its_exam_at_the_first_case() -> None:
    exam = start_exam(endpoint=EndpointFactory(url=f"http://127.0.0.1:{free_port()}/hooks"))
    assert take_exams(seconds=60) == 1
    exam = after(exam)
    assert (exam.status, exam.stop_reason, len(exam.results)) == ("stopped", "unreachable", 1)
    [send] = exam.results[0]["sends"]
    assert (send["error_code"], send["error"]) == ("connection_refused", "connection refused")
    assert exam.finished_at is not None


@pytest.mark.parametrize("change", [disable_endpoint, delete_endpoint])
def test_an_endpoint_that_is_disabled_meanwhile_is_sent_nothing(
    endpoint: Endpoint, receiver: Receiver, change
) -> None:
    exam = start_exam(endpoint=endpoint)
    change(endpoint=endpoint)
    assert take_exams(seconds=60) == 0
    assert (after(exam).status, after(exam).stop_reason) == ("stopped", "endpoint_disabled")
    assert receiver.requests == []


def test_an_exam_of_a_sandbox_that_was_reset_sends_nothing_more(
    endpoint: Endpoint, receiver: Receiver
) -> None:
    exam = start_exam(endpoint=endpoint)
    Endpoint.objects.filter(pk=endpoint.pk).update(account=AccountFactory())
    assert take_exams(seconds=60) == 0
    assert (after(exam).status, receiver.requests) == ("stopped", [])


def test_one_process_at_a_time_takes_exams(endpoint: Endpoint, receiver: Receiver) -> None:
    mine = uuid.uuid4()
    start_exam(endpoint=endpoint)
    assert len(claim(mine)) == 1
    start_exam(endpoint=EndpointFactory(url=endpoint.url))
    assert claim(uuid.uuid4()) == []
    assert len(claim(mine)) == 2


def test_a_run_leaves_the_exams_of_another_process_their_lease(
    endpoint: Endpoint, receiver: Receiver
) -> None:
    exam, theirs = start_exam(endpoint=endpoint), uuid.uuid4()
    claim(theirs)
    assert take_exams(seconds=60) == 0
    assert (after(exam).lease_token, receiver.requests) == (theirs, [])


@pytest.mark.django_db(transaction=True)
def test_an_exam_is_claimed_whoever_has_its_endpoint_and_waits_for_nobody_who_has_itself(
    endpoint: Endpoint,
) -> None:
    exams = Exam.objects.filter(pk=start_exam(endpoint=endpoint).pk)
    token = uuid.uuid4()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '200ms'")
        try:
            with locked(exams):
                assert claim(token) == []
            with locked(Endpoint.objects.all()), locked(exams, "KEY SHARE"):
                assert len(claim(token)) == 1
        finally:
            cursor.execute("SET lock_timeout = 0")


def test_a_case_whose_process_died_is_sent_again_and_not_for_ever(
    endpoint: Endpoint, receiver: Receiver, move_clock
) -> None:
    exam = start_exam(endpoint=endpoint)
    for lost in range(4):
        assert [each.lost_count for each in claim(uuid.uuid4())] == [lost]
        move_clock(seconds=LEASE.total_seconds() + 1)
    assert claim(uuid.uuid4()) == []
    assert (after(exam).status, after(exam).stop_reason) == ("stopped", "ours")


def test_the_two_sends_of_a_case_end_within_the_lease_however_long_a_request_may_take(settings) -> None:
    settings.WEBHOOK_TIMEOUT_SECONDS = 28.9
    assert attempts_end_within_their_lease() == []
    assert LEASE.total_seconds() > 2 * settings.WEBHOOK_TIMEOUT_SECONDS


def test_an_exam_is_its_processes_for_a_minute_from_its_last_answer_on(
    endpoint: Endpoint, receiver: Receiver, stopped_clock
) -> None:
    exam, mine = start_exam(endpoint=endpoint), uuid.uuid4()
    [claimed] = claim(mine)
    stopped_clock(seconds=59.9)
    assert claim(uuid.uuid4()) == []
    turn = module._next_turn(claimed, Tally())
    assert turn is not None
    assert module.record(turn, [{"status_code": 200, "error_code": ""}], mine)
    stopped_clock(seconds=59.9)
    assert claim(uuid.uuid4()) == []
    stopped_clock(seconds=0.1)
    assert [each.pk for each in claim(uuid.uuid4())] == [exam.pk]


def test_the_eight_oldest_exams_are_taken_together(receiver: Receiver) -> None:
    endpoints = [EndpointFactory(url=receiver.url) for _ in range(9)]
    exams = [start_exam(endpoint=endpoint) for endpoint in reversed(endpoints)]
    for exam in reversed(exams):  # written anew, each behind those after it
        exam.save()
    read_as_the_table_lies()
    token = uuid.uuid4()
    assert [each.pk for each in claim(token)] == [each.pk for each in exams[:8]]


def test_eight_exams_wait_for_their_receivers_together_however_few_cores_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    together, threads = Barrier(8, timeout=10), set()

    def post(*given: object, **named: object) -> ReceiverAnswer:
        together.wait()
        threads.add(current_thread().name)
        return ReceiverAnswer(None, "", no_answer_within(60), 60_000)

    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(Sender, "post", post)
    for _ in range(8):
        start_exam(endpoint=EndpointFactory())
    assert take_exams() == 8
    assert threads == {f"exam_{number}" for number in range(8)}


def test_of_an_answer_the_first_500_characters_are_kept(endpoint: Endpoint, receiver: Receiver) -> None:
    receiver.answer = Reply(status=500, body=b"x" * 501)
    exam = start_exam(endpoint=endpoint)
    take_exams(seconds=60)
    kept = {send["response_body"] for result in after(exam).results for send in result["sends"]}
    assert kept == {"x" * 500}


def test_a_run_begins_no_round_after_sixty_seconds(
    endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    start_exam(endpoint=endpoint)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=count(1000.0, 20.0).__next__))
    assert take_exams(seconds=60) == 2


def test_a_run_gives_its_exams_back_when_its_time_is_over(
    endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    exam = start_exam(endpoint=endpoint)
    monkeypatch.setattr(module, "_send_all", fail)
    tally = Tally()
    take_exams(seconds=60, tally=tally)
    assert tally.outcome.failures != {}
    assert (after(exam).status, after(exam).lease_token) == ("running", None)
    assert take_exams(seconds=60) == 0, "Whoever asks for no tally is told by the log."
    monkeypatch.undo()
    assert take_exams(seconds=60) == len(CASES)
    assert (after(exam).status, after(exam).lost_count) == ("failed", 0)


def fail(*given: object) -> None:
    raise RuntimeError("no thread left")


def test_an_exam_that_cannot_be_written_stops_and_no_other(endpoint: Endpoint, receiver: Receiver) -> None:
    broken = start_exam(endpoint=EndpointFactory(url=endpoint.url, secret_encrypted="not ours"))
    sound = start_exam(endpoint=endpoint)
    tally = Tally()
    assert take_exams(seconds=60, tally=tally) == len(CASES)
    assert (after(broken).status, after(broken).stop_reason) == ("stopped", "ours")
    assert after(sound).status == "failed"
    assert tally.outcome.failures == {"": "InvalidToken"}


def test_a_result_without_the_lease_is_dropped(endpoint: Endpoint, receiver: Receiver) -> None:
    exam = start_exam(endpoint=endpoint)
    [claimed] = claim(uuid.uuid4())
    turn = module._next_turn(claimed, Tally())
    assert turn is not None
    assert module.record(turn, [], uuid.uuid4()) is False
    assert after(exam).results == []


def test_nothing_is_sent_inside_a_transaction(
    endpoint: Endpoint, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    depths = []
    real = Sender.post
    outside = len(connection.savepoint_ids)

    def post(self, *args, **named):
        depths.append(len(connection.savepoint_ids) - outside)
        return real(self, *args, **named)

    monkeypatch.setattr(Sender, "post", post)
    monkeypatch.setattr(module, "ThreadPoolExecutor", InThisThread)
    start_exam(endpoint=endpoint)
    take_exams(seconds=60)
    assert depths == [0] * 10


class InThisThread:
    def __init__(self, **options: object) -> None:
        self.map = map

    def __enter__(self) -> "InThisThread":
        return self

    def __exit__(self, *failure: object) -> None:
        """Nothing to wait for."""
