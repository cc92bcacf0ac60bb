"""What cancelling a journey costs, and which leg may take another's place."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

import pytest

from apps.common.errors import InvalidRequest
from apps.flights.itinerary import OrderSlice
from apps.flights.rules import Gap, penalty_steps
from apps.flights.suppliers.base import Conditions, Slice
from apps.suppliers.results import PenaltyStep

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


# --- A leg in place of another -------------------------------------------------------------------------------------------
ZONES = {"LIS": "Europe/Lisbon", "BER": "Europe/Berlin", "JFK": "America/New_York", "AKL": "Pacific/Auckland"}
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
CASES = 10_000


def flight(random: Random, departs: datetime, arrives: datetime) -> Slice:
    origin, destination = random.sample(list(ZONES), 2)
    leaves, lands = (
        departs.astimezone(ZoneInfo(ZONES[origin])),
        arrives.astimezone(ZoneInfo(ZONES[destination])),
    )
    return Slice("", origin, destination, leaves, lands, 0, ())


def exchange(random: Random) -> tuple[list[OrderSlice], OrderSlice, Slice]:
    """An itinerary of one to six legs in order, one of them, and a leg that may take its place or not."""
    at, legs = NEW_YEAR + timedelta(hours=random.randrange(24 * 365)), []
    for place in range(random.randint(1, 6)):
        departs = at + timedelta(hours=random.randrange(200))
        at = departs + timedelta(minutes=random.randrange(30, 1_200))
        legs.append(OrderSlice(f"slice_{place}", flight(random, departs, at)))
    removed = random.choice(legs)
    departs = removed.leg.departure_at + timedelta(hours=random.randrange(-200, 200))
    return legs, removed, flight(random, departs, departs + timedelta(minutes=random.randrange(30, 1_200)))


def test_no_change_leaves_legs_out_of_order_or_parts_them() -> None:
    random, fitting, joined = Random(7), 0, 0
    for _ in range(CASES):
        legs, removed, added = exchange(random)
        gap = Gap(legs, removed)
        before = [known.leg for known in legs]
        after = [added if known is removed else known.leg for known in legs]
        in_order = all(one.arrival_at <= two.departure_at for one, two in pairwise(after))
        assert gap.takes(added) == in_order
        fitting += in_order
        if in_order:  # the day alone is no reason to refuse it
            gap.refuse_other_day(added.origin, added.destination, added.departure_at.date())
        with suppress(InvalidRequest):
            gap.refuse_other_route(added.origin, added.destination)
            joints = list(zip(pairwise(before), pairwise(after), strict=True))
            assert all(
                new[0].destination == new[1].origin
                for old, new in joints
                if old[0].destination == old[1].origin
            )
            joined += bool(joints)
    assert min(fitting, joined) > CASES // 20
