"""Any sequence of steps keeps the books balanced, and leaves what a few lines of Python say it should."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from apps.common.errors import InsufficientFunds
from apps.ledger.consistency import check_ledger
from apps.ledger.money import (
    CaptureExceedsHold,
    HoldResolved,
    Trace,
    adjust,
    capture,
    hold,
    raise_hold,
    refund,
    release,
    top_up,
)
from apps.ledger.selectors import balance_of
from tests.factories.ledger import WalletFactory

AMOUNTS = st.one_of(st.integers(1, 60), st.integers(1, 10**13))
BOOKINGS = st.sampled_from(["F-1", "F-2"])


class Books(RuleBasedStateMachine):
    """The wallet beside its model: what is available, what each hold holds, what each booking has paid."""

    holds = Bundle("holds")

    @initialize()
    def open(self) -> None:
        wallet = WalletFactory()
        self.owner: dict[str, Any] = {
            "account_id": wallet.account_id,
            "environment": wallet.environment,
            "currency": wallet.currency,
        }
        self.prefix = f"{wallet.pk}-"
        self.steps = 0
        self.available = 0
        self.open_holds: dict[str, int] = {}
        self.paid = {"F-1": 0, "F-2": 0}

    @rule(cents=AMOUNTS)
    def top_up(self, cents: int) -> None:
        assert top_up(**self.owner, amount_cents=cents, reference=self.reference()) is True
        self.available += cents

    @rule(cents=st.one_of(AMOUNTS, AMOUNTS.map(int.__neg__)))
    def adjust(self, cents: int) -> None:
        reference = self.reference()
        if self.available + cents < 0:
            with pytest.raises(InsufficientFunds):
                adjust(**self.owner, amount_cents=cents, reference=reference)
            return
        assert adjust(**self.owner, amount_cents=cents, reference=reference) is True
        self.available += cents

    @rule(target=holds, cents=st.one_of(st.just(0), AMOUNTS), booking=BOOKINGS)
    def hold(self, cents: int, booking: str) -> tuple[str, str]:
        asked = {**self.owner, "amount_cents": cents, "reference": self.reference(), "trace": trace(booking)}
        if cents > self.available:
            with pytest.raises(InsufficientFunds) as refused:
                hold(**asked)
            assert refused.value.extras["availableCents"] == self.available
            return "", booking
        hold_id = hold(**asked)
        assert hold(**asked) == hold_id
        self.available -= cents
        self.open_holds[hold_id] = cents
        return hold_id, booking

    @rule(held=holds, cents=AMOUNTS)
    def raise_hold(self, held: tuple[str, str], cents: int) -> None:
        hold_id, booking = held
        present = self.open_holds.get(hold_id)
        if not hold_id:
            return
        if present is None:
            with pytest.raises(HoldResolved):
                raise_hold(hold_id=hold_id, to_cents=cents, trace=trace(booking))
        elif cents - present > self.available:
            with pytest.raises(InsufficientFunds):
                raise_hold(hold_id=hold_id, to_cents=cents, trace=trace(booking))
        else:
            assert raise_hold(hold_id=hold_id, to_cents=cents, trace=trace(booking)) is (cents > present)
            self.open_holds[hold_id] = max(cents, present)
            self.available -= max(cents - present, 0)

    @rule(held=holds, cents=st.one_of(st.none(), st.just(0), AMOUNTS))
    def capture(self, held: tuple[str, str], cents: int | None) -> None:
        hold_id, booking = held
        if hold_id not in self.open_holds:
            if hold_id and cents is None:
                assert capture(hold_id=hold_id, trace=trace(booking)) is False
            return
        present = self.open_holds[hold_id]
        if cents is not None and cents > present:
            with pytest.raises(CaptureExceedsHold):
                capture(hold_id=hold_id, amount_cents=cents, trace=trace(booking))
            return
        captured = present if cents is None else cents
        assert capture(hold_id=hold_id, amount_cents=cents, trace=trace(booking)) is True
        del self.open_holds[hold_id]
        self.available += present - captured
        self.paid[booking] += captured

    @rule(held=holds)
    def release(self, held: tuple[str, str]) -> None:
        hold_id, booking = held
        if hold_id:
            was_open = hold_id in self.open_holds
            assert release(hold_id=hold_id, trace=trace(booking)) is was_open
            self.available += self.open_holds.pop(hold_id, 0)

    @rule(cents=AMOUNTS, booking=BOOKINGS)
    def refund(self, cents: int, booking: str) -> None:
        asked = {**self.owner, "amount_cents": cents, "reference": self.reference(), "trace": trace(booking)}
        if cents > self.paid[booking]:
            with pytest.raises(IntegrityError), transaction.atomic():
                refund(**asked)
            return
        assert [refund(**asked), refund(**asked)] == [True, False]
        self.paid[booking] -= cents
        self.available += cents

    @invariant()
    def the_wallet_is_what_the_model_says(self) -> None:
        balance = balance_of(self.owner["account_id"], "test")
        assert (balance.available_cents, balance.held_cents) == (
            self.available,
            sum(self.open_holds.values()),
        )

    def teardown(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what a commit would check
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        assert check_ledger() == []

    def reference(self) -> str:
        self.steps += 1
        return f"{self.prefix}{self.steps}"


def trace(booking: str) -> Trace:
    return Trace(booking_type="flight", booking_reference=booking)


@pytest.mark.django_db
def test_any_sequence_of_steps_keeps_the_books() -> None:
    run_state_machine_as_test(
        Books,
        settings=settings(
            max_examples=25,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
