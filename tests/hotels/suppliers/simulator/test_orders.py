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


def test_policies_have_the_form_of_who_wrote_them() -> None:
    assert json.loads(ATLAS.policy(terms())) == {
        "cancelPolicyInfos": [
            {
                "cancelTime": "2027-02-01 18:00:00",
                "amount": "150.01",
                "currency": "EUR",
                "type": "amount",
                "timezone": "GMT",
            },
            {
                "cancelTime": "2027-02-03 15:00:00",
                "amount": "300.01",
                "currency": "EUR",
                "type": "amount",
                "timezone": "GMT",
            },
        ],
        "hotelRemarks": [],
        "refundableTag": "RFN",
    }
    assert json.loads(ROOMWIRE.policy(terms())) == [
        {"from": "2027-02-01T18:00:00+00:00", "percent": 50},
        {"from": "2027-02-03T15:00:00+00:00", "percent": 100},
    ]
    assert json.loads(DIRECT.policy(terms())) == {
        "refundable": True,
        "freeUntil": "2027-02-01T18:00:00+00:00",
        "chargeNights": 1,
        "noShow": {"from": "2027-02-03T15:00:00+00:00", "chargeNights": 3},
        "text": "Free of charge until 01 February 2027, 18:00 UTC, then one night.",
    }


def test_amounts_have_the_decimals_of_their_currency() -> None:
    policy = json.loads(ATLAS.policy(terms(currency="JPY")))
    assert [info["amount"] for info in policy["cancelPolicyInfos"]] == ["15001", "30001"]
