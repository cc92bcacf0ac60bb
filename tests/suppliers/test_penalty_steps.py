"""What steps cost at an instant, and which of them say something."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from apps.suppliers.currency.amounts import converted
from apps.suppliers.currency.conversion import Exchange
from apps.suppliers.penalty_steps import PenaltyStep, penalty_at, without_idle
from apps.hotels.suppliers.liteapi.stays import stay_of
from tests.hotels.suppliers.liteapi.samples import POLICY_STEPS, a_booking

NOON = datetime(2027, 2, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("instant", "costs"),
    [
        (NOON - SECOND, 20),
        (NOON, 50),
        (NOON + timedelta(days=1) - SECOND, 50),
        (NOON + timedelta(days=1), 100),
    ],
)
def test_a_step_costs_from_its_instant_to_the_next(instant: datetime, costs: int) -> None:
    steps = (PenaltyStep(None, 20), PenaltyStep(NOON, 50), PenaltyStep(NOON + timedelta(days=1), 100))
    assert penalty_at(steps, instant) == costs


def test_before_the_first_step_it_is_free() -> None:
    assert penalty_at((PenaltyStep(NOON, 50),), NOON - SECOND) == 0
    assert penalty_at((), NOON) == 0


def test_a_step_that_changes_nothing_is_none() -> None:
    free, paid, again = PenaltyStep(None, 0), PenaltyStep(NOON, 50), PenaltyStep(NOON + SECOND, 50)
    assert without_idle((free, paid, again)) == (paid,)
    assert without_idle((PenaltyStep(None, 50), PenaltyStep(NOON, 0))) == (
        PenaltyStep(None, 50),
        PenaltyStep(NOON, 0),
    )


def test_steps_are_converted_like_the_penalty_itself() -> None:
    exchange = Exchange("EUR", "USD", Decimal("1.0837"), NOON.date())
    (step,) = converted(stay_of(a_booking()), exchange).penalty_steps or ()
    assert step == PenaltyStep(NOON, exchange.cents(POLICY_STEPS[0].penalty_cents))
