from datetime import timedelta
from functools import partial

import pytest
from django.db import connection

from apps.accounts.actors import Actor
from apps.accounts.models import Account, AccountAuditEntry
from apps.common import clock, redis
from apps.common.errors import Conflict
from apps.webhooks.models import Endpoint, Exam
from apps.webhooks.services.endpoints import disable_endpoint
from apps.webhooks.services.take_exams import PER_HOUR, start_exam
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import EndpointFactory
from tests.support.locks import locked
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


def test_a_live_endpoint_is_refused() -> None:
    with pytest.raises(Conflict, match="endpoints of the test environment alone"):
        start_exam(endpoint=EndpointFactory(environment="live"))
    assert not Exam.objects.exists()


def test_a_disabled_endpoint_is_refused() -> None:
    endpoint = EndpointFactory()
    disable_endpoint(endpoint=endpoint)
    with pytest.raises(Conflict, match="disabled"):
        start_exam(endpoint=endpoint)


def test_one_exam_of_an_endpoint_at_a_time() -> None:
    endpoint = EndpointFactory()
    first = start_exam(endpoint=endpoint)
    with pytest.raises(Conflict, match="under way"):
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
    with pytest.raises(Conflict, match="20 exams in the last hour"):
        start_exam(endpoint=endpoint)
    start_exam(endpoint=EndpointFactory())
    Exam.objects.filter(endpoint=endpoint).update(created_at=now - timedelta(minutes=61))
    assert start_exam(endpoint=endpoint).status == "queued"


def test_an_hour_later_is_late_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint, now = EndpointFactory(), clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    for number in range(PER_HOUR):
        began = now - timedelta(hours=1, microseconds=-1 if number else 0)
        Exam.objects.create(
            account=endpoint.account, environment="test", endpoint=endpoint, status="passed", created_at=began
        )
    assert start_exam(endpoint=endpoint).status == "queued"
    with pytest.raises(Conflict, match="20 exams in the last hour"):
        start_exam(endpoint=EndpointFactory(account=endpoint.account))


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
    assert sorted(said) == sorted(["queued", *["There were 20 exams in the last hour; try again later."] * 5])


@pytest.mark.django_db(transaction=True)
def test_an_exam_waits_for_nobody_who_writes_what_refers_to_the_account() -> None:
    """Bookings, events and all else refer to it."""
    endpoint = EndpointFactory()
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with locked(Account.objects.filter(pk=endpoint.account_id), "KEY SHARE"):
        assert start_exam(endpoint=endpoint).status == "queued"
