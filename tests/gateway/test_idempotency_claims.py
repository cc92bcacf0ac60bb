"""Who has an Idempotency-Key, and until when (reliability I1, I4 and I5): claims and their leases."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection

from apps.common import clock
from apps.common.errors import Conflict, IdempotencyKeyInProgress, IdempotencyKeyReuse
from apps.gateway.idempotency import Claim, StoredAnswer, claim
from apps.gateway.models import IdempotencyRecord
from apps.gateway.responses import Answer
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.threads import all_at_once

pytestmark = pytest.mark.usefixtures("noon")

KEY = "one-and-the-same-key"


@pytest.mark.django_db(transaction=True)
def test_claims_at_once_are_granted_to_one():
    partner = partner_of(api_of_new_partner())

    def try_to_claim() -> str:
        try:
            return type(claim(partner, KEY, "print")).__name__
        except Exception as refusal:
            return type(refusal).__name__

    assert Counter(all_at_once([try_to_claim] * 32)) == {"Claim": 1, "IdempotencyKeyInProgress": 31}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["released", "freed for any body", "lease ended", "forgotten"])
def test_a_free_key_is_taken_over_by_one(how: str, move_clock):
    partner = partner_of(api_of_new_partner())
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    if how in ("released", "freed for any body"):
        first.release(for_any_body=how != "released")
    elif how == "forgotten":
        first.complete(Answer({}))
    move_clock(hours=24)

    def try_to_claim() -> object:
        try:
            found = claim(partner, KEY, "print")
        except Exception as refusal:
            return type(refusal).__name__
        return found.taken_over if isinstance(found, Claim) else StoredAnswer

    found = Counter(all_at_once([try_to_claim] * 32))
    assert found == {how != "forgotten": 1, "IdempotencyKeyInProgress": 31}


@pytest.mark.django_db
def test_a_late_call_neither_answers_nor_frees_the_key_that_its_successor_has(move_clock):
    partner = partner_of(api_of_new_partner())
    late = claim(partner, KEY, "print")
    move_clock(seconds=46)
    successor = claim(partner, KEY, "print")
    assert isinstance(late, Claim)
    assert isinstance(successor, Claim)

    with pytest.raises(IdempotencyKeyInProgress):
        late.refuse_if_taken_over()
    assert late.complete(Answer({"by": "the late one"}, 201)) is False
    late.release(for_any_body=True)

    successor.refuse_if_taken_over()
    record = IdempotencyRecord.objects.get()
    assert (record.state, record.lease_token, record.fingerprint) == ("running", successor.token, "print")
    assert successor.complete(Answer({"by": "the successor"}, 200)) is True
    found = claim(partner, KEY, "print")
    assert isinstance(found, StoredAnswer)
    assert (found.status, found.body) == (200, b'{"by":"the successor"}')


@pytest.mark.django_db
def test_a_lease_ends_at_its_instant(monkeypatch):
    partner, begun = partner_of(api_of_new_partner()), clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: begun)
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    assert first.lease_until == begun + timedelta(seconds=45)

    monkeypatch.setattr(clock, "_database_now", lambda: first.lease_until - timedelta(microseconds=1))
    with pytest.raises(IdempotencyKeyInProgress):
        claim(partner, KEY, "print")
    monkeypatch.setattr(clock, "_database_now", lambda: first.lease_until)
    successor = claim(partner, KEY, "print")
    assert isinstance(successor, Claim)
    assert (successor.taken_over, successor.lease_until) == (True, begun + timedelta(seconds=90))


def once_the_record_is_read(act: Callable[[], object]) -> Callable[..., object]:
    """For `connection.execute_wrapper`: `act` comes in between the next read of a record and what follows it."""
    due = [act]

    def executing(execute: Callable[..., object], sql: str, *rest: object) -> object:
        result = execute(sql, *rest)
        if due and sql.startswith("SELECT") and "gateway_idempotencyrecord" in sql:
            due.pop()()
        return result

    return executing


def after_the_read(partner, act: Callable[[], object], print_: str) -> object:
    try:
        with connection.execute_wrapper(once_the_record_is_read(act)):
            return claim(partner, KEY, print_)
    except (IdempotencyKeyInProgress, IdempotencyKeyReuse) as refusal:
        return type(refusal)


@pytest.mark.django_db
def test_a_released_key_that_another_call_took_and_released_meanwhile_is_not_taken_over_unseen():
    """What began meanwhile may have another body."""
    partner = partner_of(api_of_new_partner())
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    first.release(for_any_body=True)

    def take_and_release() -> None:
        meanwhile = claim(partner, KEY, "another print")
        assert isinstance(meanwhile, Claim)
        meanwhile.release()

    assert after_the_read(partner, take_and_release, "print") is IdempotencyKeyInProgress
    record = IdempotencyRecord.objects.get()
    assert (record.state, record.fingerprint) == ("released", "another print")


@pytest.mark.django_db
def test_a_dead_call_that_answers_at_the_last_moment_is_not_taken_over(move_clock):
    partner = partner_of(api_of_new_partner())
    late = claim(partner, KEY, "print")
    assert isinstance(late, Claim)
    move_clock(seconds=45)

    found = after_the_read(partner, lambda: late.complete(Answer({"n": 1})), "print")

    assert found is IdempotencyKeyInProgress
    assert isinstance(claim(partner, KEY, "print"), StoredAnswer)


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["the late call answers", "its successor takes over"])
def test_a_key_that_is_used_at_the_last_moment_is_not_given_up_for_another_body(move_clock, what: str):
    partner = partner_of(api_of_new_partner())
    late = claim(partner, KEY, "print")
    assert isinstance(late, Claim)
    move_clock(hours=25)

    def use() -> None:
        if what == "the late call answers":
            assert late.complete(Answer({"n": 1}))
        else:
            assert isinstance(claim(partner, KEY, "print"), Claim)

    assert after_the_read(partner, use, "another print") is IdempotencyKeyReuse
    assert IdempotencyRecord.objects.get().fingerprint == "print"


@pytest.mark.django_db
def test_a_key_is_given_up_24_hours_after_its_lease_to_the_instant(monkeypatch):
    partner, begun = partner_of(api_of_new_partner()), clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: begun)
    assert isinstance(claim(partner, KEY, "print"), Claim)
    given_up = begun + timedelta(seconds=45, hours=24)

    monkeypatch.setattr(clock, "_database_now", lambda: given_up - timedelta(microseconds=1))
    with pytest.raises(IdempotencyKeyReuse):
        claim(partner, KEY, "another print")
    monkeypatch.setattr(clock, "_database_now", lambda: given_up)
    found = claim(partner, KEY, "another print")
    assert isinstance(found, Claim)
    assert not found.taken_over


@pytest.mark.django_db
@pytest.mark.parametrize("taken_over", [False, True])
def test_an_answer_is_kept_for_24_hours_also_where_the_clock_of_the_caller_is_far_ahead(
    taken_over: bool, move_clock
):
    """Kept from the real time on, it would be forgotten at once, and its operation carried out again."""
    partner = replace(partner_of(api_of_new_partner()), clock_offset=timedelta(days=30))
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    if taken_over:
        first.release()
        first = claim(partner, KEY, "print")
        assert isinstance(first, Claim)
    assert first.complete(Answer({"n": 1}))

    move_clock(hours=23, minutes=59)
    assert claim(partner, KEY, "print") == StoredAnswer(200, b'{"n":1}', "")
    move_clock(minutes=1)
    assert isinstance(claim(partner, KEY, "print"), Claim)


@pytest.mark.django_db
def test_an_answer_that_nobody_can_read_any_more_is_a_conflict_in_our_own_words(settings):
    partner = partner_of(api_of_new_partner())
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    assert first.complete(Answer({"secret": "whsec_1"}, 201, secret=True))
    stored = claim(partner, KEY, "print")
    assert isinstance(stored, StoredAnswer)
    assert (stored.status, stored.body, stored.secret) == (201, b'{"secret":"whsec_1"}', True)

    IdempotencyRecord.objects.update(body="sealed:ford_1:nobody has its key", encrypted=False)
    with pytest.raises(Conflict) as refused:
        claim(partner, KEY, "print")
    assert refused.value.own_texts == {
        "The response stored under this Idempotency-Key can no longer be read: read the booking."
    }
