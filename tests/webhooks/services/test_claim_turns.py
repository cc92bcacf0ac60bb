"""Whose deliveries a claim takes: of which accounts and environments, and which endpoints have their turn."""

import uuid
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.common import clock
from apps.webhooks.deliveries.claim import ROWS_PER_BATCH, Batch, ClaimFilter, claim
from apps.webhooks.models import Delivery, Endpoint
from tests.factories.accounts import AccountFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.webhooks.conftest import due_deliveries

pytestmark = pytest.mark.django_db


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
        (ClaimFilter(room=room_for(acc_b=0)), ["we_0"]),
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
    assert claimed(claim(batches=batches, only=ClaimFilter(room=room_for(**rooms)))) == expected


def test_an_account_without_room_is_passed_over_in_one_step_however_many_endpoints_it_has() -> None:
    endpoints("a" * 8 + "b")
    with CaptureQueriesContext(connection) as queries:
        assert claimed(claim(batches=2, only=ClaimFilter(room=room_for(acc_a=1)))) == ["we_0", "we_8"]
    assert sum("SKIP LOCKED) AS picked" in query["sql"] for query in queries) == 2


@pytest.mark.parametrize("why", ["two batches", "all leased", "not due", "nothing"])
def test_an_endpoint_with_nothing_to_claim_takes_nobodys_turn(why: str) -> None:
    first, second = EndpointFactory(id="we_0"), EndpointFactory(id="we_1")
    due_deliveries(first, 3 * ROWS_PER_BATCH if why == "two batches" else 2)
    if why in ("two batches", "all leased"):
        assert len(claim(batches=1)) == 1
    if why == "two batches":
        assert len(claim(batches=1)) == 1
    if why == "not due":
        Delivery.objects.update(next_attempt_at=clock.now() + timedelta(minutes=1))
    if why == "nothing":
        Delivery.objects.update(next_attempt_at=None, status="DELIVERED")
    DeliveryFactory(endpoint=second)
    assert claimed(claim(batches=1)) == ["we_1"]


def test_what_is_due_at_another_endpoint_of_the_account_gives_an_endpoint_no_turn() -> None:
    waiting = EndpointFactory(id="we_0")
    DeliveryFactory(endpoint=waiting, next_attempt_at=clock.now() + timedelta(minutes=1))
    DeliveryFactory(endpoint=EndpointFactory(id="we_1", account=waiting.account))
    assert claimed(claim(batches=1)) == ["we_1"]


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

    found = claim(batches=1, only=ClaimFilter(room=lease_meanwhile))
    assert [job.delivery_id for batch in found for job in batch.jobs] == [free.pk] * left
