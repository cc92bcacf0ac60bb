"""The idempotency store against a model: in any order of claims, answers, deaths and late awakenings, one execution a key."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, multiple, rule, run_state_machine_as_test

from apps.common import clock
from apps.common.errors import IdempotencyKeyInProgress, IdempotencyKeyReuse
from apps.gateway.idempotency import ANY_BODY, Claim, StoredAnswer, claim
from apps.gateway.renderers import render
from apps.gateway.responses import Answer
from apps.keys.partner import Partner
from tests.factories.gateway import api_of_new_partner, partner_of

LEASE = timedelta(seconds=45)
RETENTION = timedelta(hours=24)
KEYS = ("first-key", "second-key")
PRINTS = ("this request", "another request")


@dataclass
class Known:
    """What the model knows of one key."""

    fingerprint: str
    owner: Claim | None
    lease_until: datetime
    answer: StoredAnswer | None = None
    answered_at: datetime | None = None

    def is_given_up_for(self, print_: str, now: datetime) -> bool:
        """Whether another request may have the key, because the first was never answered and its caller never came back."""
        other = self.fingerprint not in {print_, ANY_BODY}
        return other and self.answer is None and now - self.lease_until >= RETENTION


class Clock:
    """The database's clock, in the test's hand."""

    instant = datetime(2027, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.instant


class Interleaving(RuleBasedStateMachine):
    """One partner's calls. Each rule predicts from the model what the store must say."""

    claims = Bundle("claims")
    now: Clock

    def __init__(self) -> None:
        super().__init__()
        self.partner: Partner = partner_of(api_of_new_partner())
        self.known: dict[str, Known] = {}
        self.executions: dict[str, int] = dict.fromkeys(KEYS, 0)

    @rule(target=claims, key=st.sampled_from(KEYS), print_=st.sampled_from(PRINTS))
    def call(self, key: str, print_: str) -> Any:
        found: Any
        try:
            found = claim(self.partner, key, print_)
        except (IdempotencyKeyInProgress, IdempotencyKeyReuse) as refusal:
            found = refusal
        known = self.known.get(key)
        if (
            known is not None
            and known.answered_at is not None
            and self.now.instant - known.answered_at >= RETENTION
        ):
            known = None
        if known is not None and known.is_given_up_for(print_, self.now.instant):
            known = None
        if known is None:
            assert isinstance(found, Claim)
            assert not found.taken_over
        elif known.fingerprint not in {print_, ANY_BODY}:
            assert isinstance(found, IdempotencyKeyReuse)
        elif known.answer is not None:
            assert found == known.answer
        elif known.owner is not None and known.lease_until > self.now.instant:
            assert isinstance(found, IdempotencyKeyInProgress)
        else:
            assert isinstance(found, Claim)
            assert found.taken_over
        if not isinstance(found, Claim):
            return multiple()
        self.known[key] = Known(print_, found, self.now.instant + LEASE)
        return key, found

    @rule(made=claims, status=st.sampled_from([200, 201, 400, 404, 409]), secret=st.booleans())
    def answer(self, made: tuple[str, Claim], status: int, secret: bool) -> None:
        """A call ends, in time or long after its lease: only the owner's answer is kept."""
        key, mine = made
        body = {"n": self.executions[key], "status": status}
        mine.complete(Answer(body, status, secret=secret))
        if self.known[key].owner is mine:
            self.executions[key] += 1
            known = self.known[key]
            known.owner, known.answered_at = None, self.now.instant
            known.answer = StoredAnswer(status, render(body), "", secret=secret)

    @rule(made=claims, nothing_begun=st.booleans())
    def fail(self, made: tuple[str, Claim], nothing_begun: bool) -> None:
        """A call ends in a 5xx, or in a 429 of the quota: then nothing was begun."""
        key, mine = made
        mine.release(for_any_body=nothing_begun)
        known = self.known[key]
        if known.owner is mine:
            known.owner, known.lease_until = None, self.now.instant
            known.fingerprint = ANY_BODY if nothing_begun else known.fingerprint

    @rule(delta=st.sampled_from([timedelta(seconds=1), LEASE - timedelta(seconds=1), LEASE, RETENTION]))
    def wait(self, delta: timedelta) -> None:
        self.now.instant += delta


@pytest.mark.django_db
def test_any_interleaving_executes_each_key_once(monkeypatch: pytest.MonkeyPatch):
    Interleaving.now = Clock()
    monkeypatch.setattr(clock, "_database_now", Interleaving.now)

    run_state_machine_as_test(
        Interleaving,
        settings=settings(
            max_examples=60,
            stateful_step_count=25,
            derandomize=True,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
