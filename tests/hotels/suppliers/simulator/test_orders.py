"""The terms of the simulated hotels."""

import json
from datetime import UTC, date, datetime, timedelta

import pytest

from apps.hotels.suppliers.simulator.orders import WHOLESALERS, Terms, Wholesaler, penalty_at
from apps.suppliers.results import PenaltyStep

ATLAS, ROOMWIRE, DIRECT = WHOLESALERS
FREE_UNTIL = datetime(2027, 2, 1, 18, tzinfo=UTC)
ARRIVAL = datetime(2027, 2, 3, 15, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def terms(**changes: object) -> Terms:
    """Three nights for 300.01 EUR, free to cancel until two days before."""
    agreed = {
        "refundable": True,
        "total_cents": 30_001,
        "currency": "EUR",
        "arrival": ARRIVAL,
        "check_in": date(2027, 2, 3),
        "nights": 3,
        "free_days": 2,
    }
    return Terms(**{**agreed, **changes})


@pytest.mark.parametrize(("wholesaler", "part"), [(ATLAS, 15_001), (ROOMWIRE, 15_001), (DIRECT, 10_001)])
def test_a_refundable_stay_costs_nothing_then_a_part_then_all(wholesaler: Wholesaler, part: int) -> None:
    steps = wholesaler.steps(terms())
    assert steps == (PenaltyStep(FREE_UNTIL, part), PenaltyStep(ARRIVAL, 30_001))
    moments = (FREE_UNTIL - SECOND, FREE_UNTIL, ARRIVAL - SECOND, ARRIVAL)
    assert [penalty_at(steps, moment) for moment in moments] == [0, part, part, 30_001]


@pytest.mark.parametrize("wholesaler", WHOLESALERS)
def test_a_nonrefundable_stay_costs_all_from_the_booking_on(wholesaler: Wholesaler) -> None:
    steps = wholesaler.steps(terms(refundable=False))
    assert penalty_at(steps, datetime(2020, 1, 1, tzinfo=UTC)) == 30_001


def test_amounts_have_the_decimals_of_their_currency() -> None:
    policy = json.loads(ATLAS.policy(terms(currency="JPY")))
    assert [info["amount"] for info in policy["cancelPolicyInfos"]] == ["15001", "30001"]
