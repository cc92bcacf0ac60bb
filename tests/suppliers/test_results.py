"""Which steps say something, and what they are in another currency."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from apps.hotels.suppliers.liteapi.mapping import stay_of
from apps.suppliers.currency import Exchange, converted
from apps.suppliers.results import Found, PenaltyStep, Withheld, without_idle
from tests.hotels.suppliers.liteapi.samples import POLICY_STEPS, a_booking


def test_counts_add_up_reason_by_reason() -> None:
    assert Withheld(1, 2, 3, 4) + Withheld(10, 20, 30, 40) == Withheld(11, 22, 33, 44)


def test_what_is_over_is_counted_beside_what_was_withheld_before() -> None:
    sold = Found([1, 2, 3], Withheld(unreadable=1)).still_sold(lambda offer: offer > 1)
    assert (sold, sold.withheld) == ([1], Withheld(no_longer_sold=2, unreadable=1))


NOON = datetime(2027, 2, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


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
