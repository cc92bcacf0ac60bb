"""The steps of a retry: which operation it finds, and how that is carried on."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from apps.bookings.flow import claim
from apps.bookings.flow.lease import LeaseLost
from apps.bookings.models import Operation
from apps.common import clock
from apps.common.errors import IdempotencyKeyInProgress, UpstreamUnavailable
from apps.gateway.idempotency import Claim
from apps.gateway.requests import Caller
from apps.keys.partner import Partner
from apps.onboarding.services.onboard_partner import Onboarded
from tests.bookings.books import latest
from tests.bookings.rows import a_booking, an_operation

RECORD = 4_711


def caller_with(*, taken_over: bool | None) -> Caller:
    """Without a claim where `taken_over` is None."""
    claim = (
        None
        if taken_over is None
        else Claim(RECORD, uuid.UUID(int=7), clock.now(), taken_over, clock_offset=timedelta(0))
    )
    return Caller(
        Partner("acct_1", "active", "key_1", "test", frozenset(), (), "EUR", 0), "req_1", claim=claim
    )


@pytest.fixture
def begun(onboarded: Onboarded) -> Callable[..., Operation]:
    """`begun(state="failed")`: an operation of RECORD, and a booking of its own."""

    def make(**columns: Any) -> Operation:
        columns = {"idempotency_record_id": RECORD, "hold_id": "", **columns}
        return an_operation(a_booking(onboarded.test_key, status="pending"), **columns)

    return make


def test_a_retry_finds_the_latest_attempt_of_its_own_key(begun: Callable[..., Operation]) -> None:
    begun(state="failed")
    latest_own = begun(state="uncertain")
    begun(state="confirmed", idempotency_record_id=RECORD + 1)
    assert claim.begun_by(caller_with(taken_over=True)) == latest_own


def test_a_failed_attempt_is_begun_anew_and_keys_are_indexed_once(begun: Callable[..., Operation]) -> None:
    begun(state="failed")
    assert claim.begun_by(caller_with(taken_over=True)) is None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexname FROM pg_indexes"
            " WHERE tablename = 'bookings_operation' AND indexdef LIKE '%(idempotency_record_id)%' ORDER BY 1"
        )
        assert cursor.fetchall() == [("operation_failed_under_key",), ("operation_one_live_per_key",)]


@pytest.mark.parametrize("taken_over", [None, False])
def test_the_first_call_with_a_key_looks_for_nothing(
    begun: Callable[..., Operation],
    django_assert_num_queries: Callable[..., Any],
    taken_over: bool | None,
) -> None:
    begun(state="uncertain")
    with django_assert_num_queries(0):
        assert claim.begun_by(caller_with(taken_over=taken_over)) is None


@pytest.mark.parametrize(
    ("earlier", "carried_on"), [(None, False), ("failed", False), ("uncertain", True), ("confirmed", True)]
)
def test_only_what_has_not_failed_is_carried_on(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch, earlier: str | None, carried_on: bool
) -> None:
    caller = caller_with(taken_over=True)
    before = begun(state=earlier) if earlier else None
    anew = Operation()
    monkeypatch.setattr(claim, "perform", lambda operation, *, caller: ("anew", operation, caller))
    monkeypatch.setattr(claim, "resume", lambda operation, *, caller: ("on", operation, caller))
    assert claim.carry_out(caller=caller, begin=lambda: anew) == (
        ("on", before, caller) if carried_on else ("anew", anew, caller)
    )


@pytest.mark.parametrize(
    ("state", "refusal"),
    [("uncertain", LeaseLost), ("calling", IdempotencyKeyInProgress), ("held", IdempotencyKeyInProgress)],
)
def test_what_another_process_is_at_work_on_is_left_to_it(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch, state: str, refusal: type[Exception]
) -> None:
    operation = begun(state=state, lease_until=clock.now() + timedelta(seconds=5))
    monkeypatch.setattr(claim, "perform", pytest.fail)
    monkeypatch.setattr(claim, "look_up", pytest.fail)
    with pytest.raises(refusal) as refused:
        claim.resume(operation, caller=caller_with(taken_over=True))
    assert type(refused.value) is refusal


@pytest.mark.parametrize("state", ["calling", "uncertain"])
@pytest.mark.parametrize("has_it", [True, False])
def test_what_the_supplier_may_have_is_looked_up_and_never_called(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch, state: str, has_it: bool
) -> None:
    operation = begun(state=state)
    monkeypatch.setattr(claim, "perform", pytest.fail)
    monkeypatch.setattr(claim, "look_up", lambda operation: has_it)
    if has_it:
        assert claim.resume(operation, caller=caller_with(taken_over=True)) is operation.booking
        return
    with pytest.raises(UpstreamUnavailable) as refused:
        claim.resume(operation, caller=caller_with(taken_over=True))
    assert type(refused.value) is UpstreamUnavailable


def test_what_was_never_called_is_called_under_a_lease_of_ones_own(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    operation = begun(state="held")
    before, caller = operation.lease_token, caller_with(taken_over=True)
    monkeypatch.setattr(claim, "perform", lambda operation, *, caller: (operation.lease_token, caller))
    monkeypatch.setattr(claim, "look_up", pytest.fail)
    assert claim.resume(operation, caller=caller) == (latest().lease_token, caller)
    assert latest().lease_token != before


def test_what_is_with_staff_is_said_in_words_that_may_be_kept(begun: Callable[..., Operation]) -> None:
    operation = begun(state="review")
    with pytest.raises(UpstreamUnavailable) as refused:
        claim.resume(operation, caller=caller_with(taken_over=True))
    assert refused.value.own_texts == {"Our staff are clarifying this booking with the supplier."}


def test_a_lease_lost_while_looking_is_no_broken_look_up(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(operation: Operation) -> bool:
        raise LeaseLost

    monkeypatch.setattr(claim, "look_up", lost)
    monkeypatch.setattr(claim, "wait_anyway", pytest.fail)
    with pytest.raises(LeaseLost):
        claim.found(begun(state="uncertain"))


def test_a_look_up_that_breaks_found_nothing_and_waits(
    begun: Callable[..., Operation], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(operation: Operation) -> bool:
        raise KeyError("an answer that nobody foresaw")

    monkeypatch.setattr(claim, "look_up", broken)
    assert claim.found(begun(state="uncertain")) is False
    assert (latest().state, latest().lookups) == ("uncertain", 1)
