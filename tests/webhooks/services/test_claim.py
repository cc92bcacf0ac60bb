import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.faults import Faults
from apps.common import clock
from apps.webhooks.deliveries.claim import LEASE, ROWS_PER_BATCH, Batch, ClaimFilter, claim
from apps.webhooks.models import Delivery, Endpoint
from apps.webhooks.services.endpoints import disable_endpoint, rotate_secret
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.locks import locked
from tests.support.plans import read_as_the_table_lies
from tests.webhooks.conftest import due_deliveries

pytestmark = pytest.mark.django_db


def delivery_ids(batches: list[Batch]) -> list[str]:
    return [job.delivery_id for batch in batches for job in batch.jobs]


def test_batch_carries_what_a_thread_needs_and_holds_a_lease() -> None:
    delivery = DeliveryFactory(attempt_count=2)
    [batch] = claim(batches=5)
    endpoint = delivery.endpoint
    assert (batch.endpoint_id, batch.url, batch.secrets_encrypted) == (
        endpoint.id,
        endpoint.url,
        (endpoint.secret_encrypted,),
    )
    [job] = batch.jobs
    assert (job.delivery_id, job.event_id, job.payload) == (
        delivery.id,
        delivery.event_id,
        delivery.event.payload,
    )
    assert (job.attempt, job.status_before_resend, job.worn_out) == (3, None, False)
    delivery.refresh_from_db()
    assert (delivery.lease_token, delivery.lease_until) == (batch.token, batch.claimed_at + LEASE)


def test_only_due_rows_of_enabled_endpoints_are_claimed() -> None:
    due = DeliveryFactory()
    DeliveryFactory(next_attempt_at=clock.now() + timedelta(seconds=30))
    DeliveryFactory(status="DELIVERED", next_attempt_at=None)
    disable_endpoint(endpoint=DeliveryFactory().endpoint)
    assert delivery_ids(claim(batches=10)) == [due.id]


def test_claimed_row_is_not_claimed_again_within_its_lease(stopped_clock: Callable[..., None]) -> None:
    DeliveryFactory()
    assert len(claim(batches=5)) == 1
    stopped_clock(seconds=29)
    assert claim(batches=5) == []


def test_batch_holds_the_oldest_rows_up_to_its_size() -> None:
    endpoint = EndpointFactory()
    due = due_deliveries(endpoint, ROWS_PER_BATCH + 5)
    [batch] = claim(batches=5)
    assert delivery_ids([batch]) == [delivery.id for delivery in due[:ROWS_PER_BATCH]]


def test_oldest_rows_are_claimed_first_however_the_table_lies_and_is_read() -> None:
    endpoint, now = EndpointFactory(), clock.now()
    due = [
        DeliveryFactory(endpoint=endpoint, next_attempt_at=now - timedelta(seconds=number))
        for number in range(ROWS_PER_BATCH + 5)
    ]
    read_as_the_table_lies()
    [batch] = claim(batches=1)
    assert delivery_ids([batch]) == [delivery.id for delivery in reversed(due)][:ROWS_PER_BATCH]


@pytest.mark.parametrize(("seconds", "claimed"), [(1e-6, 0), (0, 1)])
def test_a_delivery_is_due_at_its_instant_and_free_at_the_end_of_its_lease(
    monkeypatch: pytest.MonkeyPatch, seconds: float, claimed: int
) -> None:
    instant = clock.now() + timedelta(hours=1)
    DeliveryFactory(next_attempt_at=instant)
    monkeypatch.setattr(clock, "_database_now", lambda: instant - timedelta(seconds=seconds))
    assert len(claim(batches=1)) == claimed
    if claimed:
        monkeypatch.setattr(clock, "_database_now", lambda: instant + LEASE - timedelta(microseconds=1))
        assert claim(batches=1) == []
        monkeypatch.setattr(clock, "_database_now", lambda: instant + LEASE)
        assert len(claim(batches=1)) == 1


def test_two_leases_that_end_at_this_instant_hold_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    now = clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: now)
    due_deliveries(EndpointFactory(), 2 * ROWS_PER_BATCH)
    assert (len(claim(batches=1)), len(claim(batches=1))) == (1, 1)
    monkeypatch.setattr(clock, "_database_now", lambda: now + LEASE)
    assert len(claim(batches=1)) == 1


def test_at_most_two_batches_are_in_use_per_endpoint(move_clock: Callable[..., None]) -> None:
    due_deliveries(EndpointFactory(), 3 * ROWS_PER_BATCH)
    other = DeliveryFactory()
    first, second, third = claim(batches=5), claim(batches=5), claim(batches=5)
    assert [len(batches) for batches in (first, second, third)] == [2, 1, 0]
    assert delivery_ids(first).count(other.id) == 1
    move_clock(seconds=31)
    assert len(claim(batches=5)) == 2  # what died holds nobody up


def test_batches_are_as_many_as_asked_for() -> None:
    DeliveryFactory.create_batch(6)
    assert len(claim(batches=4)) == 4
    assert len(claim(batches=4)) == 2


@pytest.mark.parametrize("never", ["nothing", "nestloop", "hashjoin", "indexscan"])
def test_claims_go_round_the_endpoints_however_their_tables_lie_and_are_read(never: str) -> None:
    ids = [f"we_{number}" for number in range(3)]
    for id_ in reversed(ids):
        due_deliveries(EndpointFactory(id=id_), 2 * ROWS_PER_BATCH)
    if never != "nothing":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL enable_{never} = off")
    [first] = claim(batches=1)
    [second] = claim(batches=1, after=first.endpoint_id)
    [third] = claim(batches=1, after=second.endpoint_id)
    assert [first.endpoint_id, second.endpoint_id, third.endpoint_id] == ids
    assert claim(batches=1, after=third.endpoint_id) == []


def test_previous_secret_signs_within_its_window_only(move_clock: Callable[..., None]) -> None:
    delivery = DeliveryFactory()
    rotated, _ = rotate_secret(endpoint=delivery.endpoint)
    [batch] = claim(batches=1)
    assert batch.secrets_encrypted == (rotated.secret_encrypted, rotated.previous_secret_encrypted)
    move_clock(hours=24, seconds=1)
    [batch] = claim(batches=1)
    assert batch.secrets_encrypted == (rotated.secret_encrypted,)


@pytest.mark.parametrize("ahead", [timedelta(0), timedelta(days=3)])
def test_a_window_of_two_secrets_ends_at_its_instant(
    monkeypatch: pytest.MonkeyPatch, ahead: timedelta
) -> None:
    """By the clock of the sandbox."""
    endpoint = EndpointFactory()
    SandboxFactory(account=endpoint.account, clock_offset=ahead)
    rotated, _ = rotate_secret(endpoint=due_deliveries(endpoint, ROWS_PER_BATCH + 1)[0].endpoint)
    ends = rotated.previous_secret_expires_at
    assert ends is not None
    signing = []
    for instant in (ends - timedelta(microseconds=1), ends):
        monkeypatch.setattr(clock, "_database_now", lambda instant=instant: instant - ahead)
        [batch] = claim(batches=1)
        signing.append(len(batch.secrets_encrypted))
    assert signing == [2, 1]


def test_a_moved_clock_and_dialled_faults_are_of_their_own_test_environment_only() -> None:
    account, ahead, faults = AccountFactory(), timedelta(days=3), Faults(shuffle_deliveries=1)
    SandboxFactory(account=account, clock_offset=ahead, faults=faults.as_stored())
    own = EndpointFactory(account=account)
    live = EndpointFactory(account=account, environment="live")
    others = EndpointFactory()
    for endpoint in (own, live, others):
        DeliveryFactory(endpoint=endpoint)
    assert {batch.endpoint_id: (batch.ahead, batch.faults) for batch in claim(batches=3)} == {
        own.pk: (ahead, faults),
        live.pk: (timedelta(0), Faults()),
        others.pk: (timedelta(0), Faults()),
    }


def test_each_delivery_carries_its_own_payload_to_its_own_endpoint() -> None:
    due = {delivery.pk: delivery for _ in range(3) for delivery in due_deliveries(EndpointFactory(), 3)}
    batches = claim(batches=3)
    assert [len(batch.jobs) for batch in batches] == [3, 3, 3]
    for batch in batches:
        for job in batch.jobs:
            delivery = due[job.delivery_id]
            assert (job.event_id, job.payload) == (delivery.event_id, delivery.event.payload)
            assert batch.secrets_encrypted == (delivery.endpoint.secret_encrypted,)


@pytest.mark.parametrize(("due", "statements"), [(0, 1), (1, 2)])
def test_a_claim_without_losses_is_two_statements_and_one_where_nothing_is_due(
    due: int, statements: int
) -> None:
    DeliveryFactory.create_batch(due)
    clock.now()
    with CaptureQueriesContext(connection) as queries:
        assert len(claim(batches=1)) == due
    assert sum("SAVEPOINT" not in query["sql"] for query in queries) == statements


@pytest.mark.django_db(transaction=True)
def test_endpoint_locked_by_another_dispatcher_is_passed_over() -> None:
    busy, free = DeliveryFactory(), DeliveryFactory()
    with locked(Endpoint.objects.filter(pk=busy.endpoint_id), "NO KEY UPDATE"):
        assert delivery_ids(claim(batches=5)) == [free.id]


@pytest.mark.django_db(transaction=True)
def test_row_in_other_hands_is_passed_over() -> None:
    taken, free = due_deliveries(EndpointFactory(), 2)
    with locked(Delivery.objects.filter(pk=taken.pk)):
        assert delivery_ids(claim(batches=1)) == [free.id]


@pytest.mark.django_db(transaction=True)
def test_a_claim_waits_for_nobody_who_writes_events_for_the_endpoint() -> None:
    """An INSERT refers to the endpoint, and holds its row for that."""
    due = DeliveryFactory()
    with locked(Endpoint.objects.filter(pk=due.endpoint_id), "KEY SHARE"):
        assert delivery_ids(claim(batches=1)) == [due.id]


@pytest.mark.django_db(transaction=True)
def test_parallel_claims_never_share_a_row_nor_exceed_two_batches() -> None:
    endpoints = EndpointFactory.create_batch(3)
    for endpoint in endpoints:
        due_deliveries(endpoint, 4 * ROWS_PER_BATCH)
    claimed: list[Batch] = []
    start = threading.Barrier(6)

    def compete() -> None:
        start.wait()
        for _ in range(5):
            claimed.extend(claim(batches=4))
        connection.close()

    threads = [threading.Thread(target=compete) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ids = delivery_ids(claimed)
    assert len(ids) == len(set(ids))
    by_endpoint = [sum(batch.endpoint_id == endpoint.id for batch in claimed) for endpoint in endpoints]
    assert by_endpoint == [2, 2, 2]


def test_all_sandboxes_of_a_partner_have_one_share() -> None:
    partner = AccountFactory()
    ours = [DeliveryFactory(endpoint__account=AccountFactory(sandbox_of=partner)) for _ in range(3)]
    other = DeliveryFactory()

    def one_each(account_id: str, taken: Counter[str]) -> int:
        return 1 - taken[account_id]

    first, second = claim(batches=9, only=ClaimFilter(room=one_each))
    shares = {batch.share_of: delivery_ids([batch]) for batch in (first, second)}

    assert set(shares) == {partner.pk, other.account_id}
    assert shares[partner.pk][0] in {delivery.pk for delivery in ours}
    assert claim(batches=9, only=ClaimFilter(full=[partner.pk])) == []
    assert {batch.account_id for batch in claim(batches=9)} < {delivery.account_id for delivery in ours}


def test_an_endpoint_whose_due_rows_are_all_of_an_environment_it_left_takes_nobodys_place() -> None:
    left, other = EndpointFactory(id="we_1"), EndpointFactory(id="we_2")
    DeliveryFactory(endpoint=left, account=AccountFactory())
    due = DeliveryFactory(endpoint=other)
    assert delivery_ids(claim(batches=1)) == [due.pk]


def test_of_an_endpoint_that_left_an_environment_only_rows_of_the_one_it_is_in_are_claimed() -> None:
    endpoint, other = EndpointFactory(id="we_1"), EndpointFactory(id="we_2")
    due = DeliveryFactory(endpoint=endpoint)
    DeliveryFactory(endpoint=endpoint, account=other.account)
    others = DeliveryFactory(endpoint=other)
    assert sorted(delivery_ids(claim(batches=5))) == sorted([due.pk, others.pk])
