"""What cancelling a journey costs before its first departure, and from then on."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from apps.flights.rules import penalty_steps
from apps.flights.suppliers.base import Conditions, Slice
from apps.suppliers.penalty_steps import PenaltyStep

DEPARTS = datetime.fromisoformat("2027-02-03T09:15:00+01:00")
IN_UTC = datetime(2027, 2, 3, 8, 15, tzinfo=UTC)
OUT = Slice("sli_1", "BER", "LIS", DEPARTS, DEPARTS, 210, ())
BACK = replace(OUT, departure_at=datetime.fromisoformat("2027-02-10T09:15:00+00:00"))
TOTAL = 18_460


def test_the_fares_penalty_counts_before_departure_and_then_all_is_lost() -> None:
    conditions = Conditions(refundable=True, changeable=True, penalty_cents=4_000)
    expected = (PenaltyStep(None, 4_000), PenaltyStep(IN_UTC, TOTAL))
    assert penalty_steps(conditions, [BACK, OUT], total_cents=TOTAL) == expected


def test_where_it_is_free_there_is_one_step_the_departure() -> None:
    free = Conditions(refundable=True, changeable=True, penalty_cents=0)
    assert penalty_steps(free, [OUT], total_cents=TOTAL) == (PenaltyStep(IN_UTC, TOTAL),)


@pytest.mark.parametrize("penalty", [TOTAL, 17_000, 20_000])
def test_what_is_not_refundable_costs_all_of_todays_total(penalty: int) -> None:
    conditions = Conditions(refundable=False, changeable=False, penalty_cents=penalty)
    assert penalty_steps(conditions, [OUT], total_cents=TOTAL) == (PenaltyStep(None, TOTAL),)


def test_an_airline_that_does_not_say_leaves_it_open() -> None:
    untold = Conditions(refundable=True, changeable=True, penalty_cents=None)
    assert penalty_steps(untold, [OUT], total_cents=TOTAL) is None
    assert penalty_steps(replace(untold, refundable=False), [OUT], total_cents=TOTAL) is None
    assert penalty_steps(replace(untold, penalty_cents=0), [], total_cents=TOTAL) is None


@pytest.mark.parametrize(("airline_total", "penalty"), [(TOTAL, 4_000), (20_000, 4_000), (16_460, 6_000)])
def test_no_more_comes_back_than_the_airline_returns(airline_total: int, penalty: int) -> None:
    """An airline's total may leave out what a change cost in fees."""
    conditions = Conditions(refundable=True, changeable=True, penalty_cents=4_000)
    found = penalty_steps(conditions, [OUT], total_cents=TOTAL, airline_total_cents=airline_total)
    assert found == (PenaltyStep(None, penalty), PenaltyStep(IN_UTC, TOTAL))
