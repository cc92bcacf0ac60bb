"""Exams are started, sent case by case, and graded."""

import uuid
from datetime import timedelta
from functools import partial

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import AccountAuditEntry
from apps.common import clock, redis
from apps.common.errors import Conflict
from apps.gateway.periodic import Tally
from apps.webhooks.exams import CASES
from apps.webhooks.models import Endpoint, Exam
from apps.webhooks.services import take_exams as module
from apps.webhooks.services.endpoints import delete_endpoint, disable_endpoint
from apps.webhooks.services.take_exams import LEASE, PER_HOUR, claim, start_exam, take_exams
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import EndpointFactory
from tests.support.ports import free_port
from tests.support.receiver import Receiver
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db


def test_an_exam_is_queued_and_audited(django_capture_on_commit_callbacks) -> None:
    endpoint = EndpointFactory(url="https://hooks.partner.example/hooks?token=secret")
    with django_capture_on_commit_callbacks(execute=True):
        exam = start_exam(endpoint=endpoint, actor=Actor("ana@partner.example"))
    assert (exam.status, exam.results, exam.account, exam.environment) == (
        "queued",
        [],
        endpoint.account,
        "test",
    )
    entry = AccountAuditEntry.objects.get()
    assert (entry.action, entry.actor_label, entry.subject_id) == (
        "webhooks.examined",
        "ana@partner.example",
        endpoint.pk,
    )
    assert (entry.subject_name, entry.details) == ("https://hooks.partner.example/hooks", {"exam": exam.pk})
    assert redis.run(lambda client: client.llen("webhooks")) == 1


def test_a_live_and_a_disabled_endpoint_are_refused() -> None:
    disabled = disable_endpoint(endpoint=EndpointFactory())
    for endpoint, why in (
        (EndpointFactory(environment="live"), "test environment alone"),
        (disabled, "disabled"),
    ):
        with pytest.raises(Conflict, match=why):
            start_exam(endpoint=endpoint)
    assert not Exam.objects.exists()


def test_one_exam_of_an_endpoint_at_a_time() -> None:
    endpoint = EndpointFactory()
    first = start_exam(endpoint=endpoint)
    with pytest.raises(Conflict, match="already running"):
        start_exam(endpoint=endpoint)
    start_exam(endpoint=EndpointFactory(account=endpoint.account))
    Exam.objects.filter(pk=first.pk).update(status="passed")
    assert start_exam(endpoint=endpoint).pk != first.pk


def test_so_many_an_hour_and_no_more() -> None:
    endpoint = EndpointFactory()
    now = clock.now()
    for _ in range(PER_HOUR):
        Exam.objects.create(
            account=endpoint.account, environment="test", endpoint=endpoint, status="passed", created_at=now
        )
    with pytest.raises(Conflict, match="20 exams were started"):
        start_exam(endpoint=endpoint)
    start_exam(endpoint=EndpointFactory())
    Exam.objects.filter(endpoint=endpoint).update(created_at=now - timedelta(minutes=61))
    assert start_exam(endpoint=endpoint).status == "queued"


@pytest.mark.django_db(transaction=True)
def test_of_many_that_begin_at_once_so_many_are_begun() -> None:
    account = AccountFactory()
    endpoints = EndpointFactory.create_batch(6, account=account)
    Exam.objects.bulk_create(
        Exam(
            account=account,
            environment="test",
            endpoint=endpoints[0],
            status="passed",
            created_at=clock.now(),
        )
        for _ in range(PER_HOUR - 1)
    )

    def begin(endpoint: Endpoint) -> str:
        try:
            return start_exam(endpoint=endpoint).status
        except Conflict as refusal:
            return refusal.message

    said = all_at_once([partial(begin, endpoint) for endpoint in endpoints])
    assert sorted(said) == sorted(
        ["queued", *["20 exams were started in the last hour; try again later."] * 5]
    )


def after(exam: Exam) -> Exam:
    return Exam.objects.get(pk=exam.pk)


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


def test_a_case_whose_process_died_is_sent_again_and_not_for_ever(
    endpoint: Endpoint, receiver: Receiver, move_clock
) -> None:
    exam = start_exam(endpoint=endpoint)
    for lost in range(4):
        assert [each.lost_count for each in claim(uuid.uuid4())] == [lost]
        move_clock(seconds=LEASE.total_seconds() + 1)
    assert claim(uuid.uuid4()) == []
    assert (after(exam).status, after(exam).stop_reason) == ("stopped", "ours")


def test_an_exam_that_cannot_be_written_stops_and_no_other(endpoint: Endpoint, receiver: Receiver) -> None:
    broken = start_exam(endpoint=EndpointFactory(url=endpoint.url, secret_encrypted="not ours"))
    sound = start_exam(endpoint=endpoint)
    tally = Tally()
    assert take_exams(seconds=60, tally=tally) == len(CASES)
    assert (after(broken).status, after(broken).stop_reason) == ("stopped", "ours")
    assert after(sound).status == "failed"
    assert tally.failures == {"": "InvalidToken"}


def test_a_result_without_the_lease_is_dropped(endpoint: Endpoint, receiver: Receiver) -> None:
    exam = start_exam(endpoint=endpoint)
    [claimed] = claim(uuid.uuid4())
    turn = module._next_turn(claimed, Tally())
    assert turn is not None
    assert module.record(turn, [], uuid.uuid4()) is False
    assert after(exam).results == []
