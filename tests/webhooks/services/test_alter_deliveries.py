"""The faults of a test environment in its webhooks: twice, and in another order."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.faults import Faults
from apps.accounts.models import Sandbox
from apps.accounts.services.set_faults import set_faults
from apps.common import clock
from apps.webhooks.deliveries import claim as alter_deliveries
from apps.webhooks.deliveries.claim import Job, claim
from apps.webhooks.models import Delivery, Endpoint
from tests.factories.webhooks import EndpointFactory
from tests.webhooks.conftest import due_deliveries

pytestmark = pytest.mark.django_db

DIAL = Faults(duplicate_delivery_share=2_000, shuffle_deliveries=1, seed=7)


def claimed(endpoint: Endpoint, faults: Faults | None = DIAL, count: int = 20) -> tuple[list[str], list[Job]]:
    """The deliveries that were due, in their order, and as they are to be sent."""
    Delivery.objects.all().update(
        next_attempt_at=clock.now() + timedelta(days=1), lease_until=None, lease_token=None
    )
    due = [delivery.id for delivery in due_deliveries(endpoint, count)]
    if faults is not None:
        set_faults(account_id=endpoint.account_id, faults=faults)
    [batch] = claim(batches=5)
    return due, batch.jobs


def test_deliveries_come_in_another_order_and_some_twice_by_seed() -> None:
    due, jobs = claimed(EndpointFactory())

    places = sorted(range(20), key=lambda place: DIAL.place(place + 1))
    assert [job.delivery_id for job in jobs] == [due[place] for place in places]
    assert [job.sent_twice for job in jobs] == [DIAL.sends_twice(place + 1) for place in places]
    assert {job.sent_twice for job in jobs} == {True, False}
    assert places != sorted(places)


def test_the_numbers_go_on_with_the_next_batch_and_begin_anew_with_the_faults() -> None:
    endpoint = EndpointFactory()
    first = [job.sent_twice for job in claimed(endpoint)[1]]
    second = [job.sent_twice for job in claimed(endpoint, None)[1]]
    again = [job.sent_twice for job in claimed(endpoint)[1]]

    assert (first == again, first == second) == (True, False)
    assert Sandbox.objects.get().deliveries_drawn == 20


@pytest.mark.parametrize("faults", [None, Faults(), Faults(error_share=10_000)])
def test_without_such_faults_nothing_is_altered_and_nothing_is_asked(faults: Faults | None) -> None:
    endpoint = EndpointFactory()
    if faults is not None:
        set_faults(account_id=endpoint.account_id, faults=faults)
    due = [delivery.id for delivery in due_deliveries(endpoint, 5)]
    with CaptureQueriesContext(connection) as asked:
        [batch] = claim(batches=5)

    assert [job.delivery_id for job in batch.jobs] == due
    assert {job.sent_twice for job in batch.jobs} == {False}
    assert not [query for query in asked.captured_queries if "deliveries_drawn" in query["sql"]]


def test_a_live_endpoint_and_another_account_are_left_alone() -> None:
    sandbox = EndpointFactory()
    live = EndpointFactory(account=sandbox.account, environment="live")
    other = EndpointFactory()
    set_faults(account_id=sandbox.account_id, faults=Faults(duplicate_delivery_share=10_000))
    for endpoint in (sandbox, live, other):
        due_deliveries(endpoint, 2)

    twice = {batch.endpoint_id: {job.sent_twice for job in batch.jobs} for batch in claim(batches=5)}

    assert twice == {sandbox.id: {True}, live.id: {False}, other.id: {False}}


def test_a_batch_whose_numbers_cannot_be_taken_is_sent_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> int:
        raise OperationalError

    monkeypatch.setattr(alter_deliveries, "next_deliveries", away)
    due, jobs = claimed(EndpointFactory())

    assert [job.delivery_id for job in jobs] == due


def test_an_environment_that_was_reset_meanwhile_is_left_alone() -> None:
    endpoint = EndpointFactory()
    set_faults(account_id=endpoint.account_id, faults=DIAL)
    Sandbox.objects.update(retired_at="2026-01-01T00:00:00Z")
    due, jobs = claimed(endpoint, None)

    assert [job.delivery_id for job in jobs] == due
