"""Claiming: two batches an endpoint, one lease each, in turn; lost batches; faults of the test environment."""

import threading
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection

from apps.accounts.faults import Faults, set_faults
from apps.common import clock
from apps.webhooks.deliveries.claim import MAX_LOST, ROWS_PER_BATCH, Batch, ClaimFilter, Job, claim
from apps.webhooks.deliveries.record import record
from apps.webhooks.deliveries.send import AttemptResult
from apps.webhooks.models import Attempt, Delivery, Endpoint
from apps.webhooks.sender import ReceiverAnswer
from apps.webhooks.services.endpoints import disable_endpoint, rotate_secret
from tests.factories.accounts import AccountFactory, SandboxFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.locks import locked
from tests.webhooks.conftest import due_deliveries

pytestmark = pytest.mark.django_db


def delivery_ids(batches: list[Batch]) -> list[str]:
    return [job.delivery_id for batch in batches for job in batch.jobs]


def test_only_due_rows_of_enabled_endpoints_are_claimed() -> None:
    due = DeliveryFactory()
    DeliveryFactory(next_attempt_at=clock.now() + timedelta(seconds=30))
    DeliveryFactory(status="DELIVERED", next_attempt_at=None)
    disable_endpoint(endpoint=DeliveryFactory().endpoint)
    assert delivery_ids(claim(batches=10)) == [due.id]


def test_batch_holds_the_oldest_rows_up_to_its_size() -> None:
    endpoint = EndpointFactory()
    due = due_deliveries(endpoint, ROWS_PER_BATCH + 5)
    [batch] = claim(batches=5)
    assert delivery_ids([batch]) == [delivery.id for delivery in due[:ROWS_PER_BATCH]]


def test_at_most_two_batches_are_in_use_per_endpoint(move_clock: Callable[..., None]) -> None:
    due_deliveries(EndpointFactory(), 3 * ROWS_PER_BATCH)
    other = DeliveryFactory()
    first, second, third = claim(batches=5), claim(batches=5), claim(batches=5)
    assert [len(batches) for batches in (first, second, third)] == [2, 1, 0]
    assert delivery_ids(first).count(other.id) == 1
    move_clock(seconds=31)
    assert len(claim(batches=5)) == 2  # what died holds nobody up


def test_previous_secret_signs_within_its_window_only(move_clock: Callable[..., None]) -> None:
    delivery = DeliveryFactory()
    rotated, _ = rotate_secret(endpoint=delivery.endpoint)
    [batch] = claim(batches=1)
    assert batch.secrets_encrypted == (rotated.secret_encrypted, rotated.previous_secret_encrypted)
    move_clock(hours=24, seconds=1)
    [batch] = claim(batches=1)
    assert batch.secrets_encrypted == (rotated.secret_encrypted,)


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


@pytest.mark.django_db(transaction=True)
def test_endpoint_locked_by_another_dispatcher_is_passed_over() -> None:
    busy, free = DeliveryFactory(), DeliveryFactory()
    with locked(Endpoint.objects.filter(pk=busy.endpoint_id), "NO KEY UPDATE"):
        assert delivery_ids(claim(batches=5)) == [free.id]


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

    first, second = claim(batches=9, only=ClaimFilter(capacity=one_each))
    shares = {batch.share_of: delivery_ids([batch]) for batch in (first, second)}

    assert set(shares) == {partner.pk, other.account_id}
    assert shares[partner.pk][0] in {delivery.pk for delivery in ours}
    assert claim(batches=9, only=ClaimFilter(full=[partner.pk])) == []
    assert {batch.account_id for batch in claim(batches=9)} < {delivery.account_id for delivery in ours}


def test_of_an_endpoint_that_left_an_environment_only_rows_of_the_one_it_is_in_are_claimed() -> None:
    endpoint, other = EndpointFactory(id="we_1"), EndpointFactory(id="we_2")
    due = DeliveryFactory(endpoint=endpoint)
    DeliveryFactory(endpoint=endpoint, account=other.account)
    others = DeliveryFactory(endpoint=other)
    assert sorted(delivery_ids(claim(batches=5))) == sorted([due.pk, others.pk])


def endpoints(accounts: str) -> list[Endpoint]:
    """we_0, we_1 …, each with a delivery that is due: "aab" are two of one account and one of another."""
    owners = {name: AccountFactory(id=f"acc_{name}") for name in sorted(set(accounts))}
    made = [EndpointFactory(id=f"we_{n}", account=owners[name]) for n, name in enumerate(accounts)]
    for endpoint in made:
        DeliveryFactory(endpoint=endpoint)
    return made


def room_for(**most: int) -> Callable[[str, Counter[str]], int]:
    """So many batches of these accounts, and any number of others."""
    return lambda account_id, taken: most.get(account_id, 9) - taken[account_id]


def claimed(batches: list[Batch]) -> list[str]:
    return [batch.endpoint_id for batch in batches]


@pytest.mark.parametrize(
    ("only", "expected"),
    [
        (ClaimFilter(), ["we_0", "we_1", "we_2"]),
        (ClaimFilter(environments=["live"]), ["we_2"]),
        (ClaimFilter(environments=["test"]), ["we_0", "we_1"]),
        (ClaimFilter(full=["acc_a"]), ["we_1", "we_2"]),
        (ClaimFilter(passed_over=["we_1", "we_2"]), ["we_0"]),
        (ClaimFilter(capacity=room_for(acc_b=0)), ["we_0"]),
    ],
)
def test_a_filter_narrows_what_is_claimed(only: ClaimFilter, expected: list[str]) -> None:
    for endpoint in endpoints("abb")[2:]:
        Endpoint.objects.filter(pk=endpoint.pk).update(environment="live")
    assert claimed(claim(batches=5, only=only)) == expected


@pytest.mark.parametrize(
    ("accounts", "rooms", "batches", "expected"),
    [
        ("aaab", {"acc_a": 2}, 9, ["we_0", "we_1", "we_3"]),
        ("aaab", {"acc_a": 2}, 2, ["we_0", "we_1"]),
        ("aaabb", {"acc_a": 2}, 3, ["we_0", "we_1", "we_3"]),
        ("aabb", {"acc_a": 1, "acc_b": 2}, 3, ["we_0", "we_2", "we_3"]),
        ("aabbbc", {"acc_a": 1, "acc_b": 2}, 4, ["we_0", "we_2", "we_3", "we_5"]),
        ("abab", {"acc_a": 1, "acc_b": 9}, 3, ["we_0", "we_1", "we_3"]),
        ("aab", {"acc_a": 0}, 1, ["we_2"]),
    ],
)
def test_places_that_an_account_has_no_room_for_go_to_those_behind_it(
    accounts: str, rooms: dict[str, int], batches: int, expected: list[str]
) -> None:
    endpoints(accounts)
    assert claimed(claim(batches=batches, only=ClaimFilter(capacity=room_for(**rooms)))) == expected


@pytest.mark.parametrize(("tokens", "left"), [(1, 1), (2, 0)])
def test_what_another_leased_before_the_lock_was_taken_is_counted(tokens: int, left: int) -> None:
    """It committed after this claim had looked, and before it had the lock."""
    taken, also_taken, free = due_deliveries(EndpointFactory(), 3)
    held = [uuid.uuid4() for _ in range(tokens)]

    def lease_meanwhile(account_id: str, counted: Counter[str]) -> int:
        until = clock.now() + timedelta(seconds=30)
        for delivery, token in ((taken, held[0]), (also_taken, held[-1])):
            Delivery.objects.filter(pk=delivery.pk).update(lease_token=token, lease_until=until)
        return 1

    found = claim(batches=1, only=ClaimFilter(capacity=lease_meanwhile))
    assert [job.delivery_id for batch in found for job in batch.jobs] == [free.pk] * left


def lost_counts(deliveries: list[Delivery]) -> list[int]:
    counts = dict(Delivery.objects.values_list("pk", "lost_count"))
    return [counts[delivery.pk] for delivery in deliveries]


def accepted(batch: Batch, number: int) -> AttemptResult:
    return AttemptResult(batch, batch.jobs[number], batch.now(), {}, ReceiverAnswer(200, "", None, 1))


def test_attempt_without_a_result_is_repeated_and_not_counted(move_clock: Callable[..., None]) -> None:
    delivery = DeliveryFactory()
    [lost] = claim(batches=1)
    move_clock(seconds=31)
    [again] = claim(batches=1)
    assert (again.jobs[0].attempt, again.jobs[0].worn_out) == (1, False)
    delivery.refresh_from_db()
    assert (delivery.attempt_count, delivery.lost_count) == (0, 1)
    attempt = Attempt.objects.get()
    assert (attempt.number, attempt.counted, attempt.error_code) == (1, False, "lost")
    assert (attempt.attempted_at, attempt.endpoint) == (lost.claimed_at, delivery.endpoint)


def test_sixth_loss_counts(move_clock: Callable[..., None]) -> None:
    DeliveryFactory()
    worn_out = []
    for _ in range(MAX_LOST + 2):
        [batch] = claim(batches=1)
        worn_out.append(batch.jobs[0].worn_out)
        move_clock(seconds=31)
    assert worn_out == [False] * (MAX_LOST + 1) + [True]
    assert Attempt.objects.filter(counted=False).count() == MAX_LOST
    assert Delivery.objects.get().lost_count == MAX_LOST


def test_only_the_row_in_flight_counts_as_lost_when_a_dispatcher_dies(
    move_clock: Callable[..., None],
) -> None:
    endpoint = EndpointFactory()
    due = due_deliveries(endpoint, 5)
    [dead] = claim(batches=1)
    record([accepted(dead, 0), accepted(dead, 1)])
    move_clock(seconds=31)
    [again] = claim(batches=1)
    assert delivery_ids([again]) == [delivery.id for delivery in due[2:]]
    assert lost_counts(due) == [0, 0, 1, 0, 0]
    [lost] = Attempt.objects.filter(error_code="lost")
    assert lost.delivery_id == due[2].id


DIAL = Faults(duplicate_delivery_share=2_000, shuffle_deliveries=1, seed=7)


def claimed_altered(
    endpoint: Endpoint, faults: Faults | None = DIAL, count: int = 20
) -> tuple[list[str], list[Job]]:
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
    due, jobs = claimed_altered(EndpointFactory())

    places = sorted(range(20), key=lambda place: DIAL.place(place + 1))
    assert [job.delivery_id for job in jobs] == [due[place] for place in places]
    assert [job.sent_twice for job in jobs] == [DIAL.sends_twice(place + 1) for place in places]
    assert {job.sent_twice for job in jobs} == {True, False}
    assert places != sorted(places)


def test_a_live_endpoint_and_another_account_are_left_alone() -> None:
    sandbox = EndpointFactory()
    live = EndpointFactory(account=sandbox.account, environment="live")
    other = EndpointFactory()
    set_faults(account_id=sandbox.account_id, faults=Faults(duplicate_delivery_share=10_000))
    for endpoint in (sandbox, live, other):
        due_deliveries(endpoint, 2)

    twice = {batch.endpoint_id: {job.sent_twice for job in batch.jobs} for batch in claim(batches=5)}

    assert twice == {sandbox.id: {True}, live.id: {False}, other.id: {False}}
