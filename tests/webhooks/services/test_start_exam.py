from datetime import timedelta

import pytest

from apps.accounts.actors import Actor
from apps.accounts.models import AccountAuditEntry
from apps.common import clock, redis
from apps.common.errors import Conflict
from apps.webhooks.models import Exam
from apps.webhooks.services.endpoints import disable_endpoint
from apps.webhooks.services.start_exam import PER_HOUR, start_exam
from tests.factories.webhooks import EndpointFactory

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
