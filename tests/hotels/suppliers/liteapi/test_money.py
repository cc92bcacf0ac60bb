"""Their cancellation policies: what cancelling costs at a moment, and when that changes."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from apps.gateway.renderers import render
from apps.hotels.suppliers.liteapi.money import penalty_cents, steps_of, steps_of_text, verbatim
from apps.suppliers.results import PenaltyStep, PenaltySteps
from tests.hotels.suppliers.liteapi.samples import NON_REFUNDABLE, POLICY_STEPS, POLICY_TEXT

TOTAL = 21_240
NOON = datetime(2027, 2, 1, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def a_told_step(**changes: Any) -> dict[str, Any]:
    step = {
        "cancelTime": "2027-02-01 12:00:00",
        "amount": 106.2,
        "currency": "EUR",
        "type": "amount",
        "timezone": "GMT",
    }
    return {**step, **changes}


def penalty(*steps: Any, at: datetime = NOON, tag: str = "RFN") -> int:
    policy = json.dumps({"cancelPolicyInfos": list(steps), "hotelRemarks": [], "refundableTag": tag})
    return penalty_cents(policy, total_cents=TOTAL, currency="EUR", now=at)


def test_a_step_costs_from_its_time_on() -> None:
    assert penalty(a_told_step(), at=NOON - SECOND) == 0
    assert penalty(a_told_step(), at=NOON) == 10_620
    assert penalty_cents(POLICY_TEXT, total_cents=TOTAL, currency="EUR", now=NOON) == 10_620


@pytest.mark.parametrize("levels", [300, 900])
def test_what_lies_deeper_than_any_policy_is_left_out(levels: int) -> None:
    """No answer of ours could hold it: JSON is written to a depth of some 250."""
    remarks: Any = "too deep"
    for _ in range(levels):
        remarks = [remarks]
    kept = json.loads(verbatim({"refundableTag": "RFN", "hotelRemarks": remarks}))
    assert render(kept)
    assert kept["refundableTag"] == "RFN"
    assert "too deep" not in str(kept)


def test_of_several_the_step_that_began_last_counts_in_whatever_order() -> None:
    later = a_told_step(cancelTime="2027-02-03 00:00:00", amount=212.4)
    steps = [later, a_told_step()]
    assert [penalty(*steps, at=NOON + timedelta(days=days)) for days in (-1, 0, 1, 2)] == [
        0,
        10_620,
        10_620,
        21_240,
    ]


@pytest.mark.parametrize(
    ("zone", "hours"),
    [
        ("GMT", 0),
        (None, 0),
        ("Europe/Lisbon", 0),
        ("Europe/Berlin", -1),
        ("America/New_York", 5),
        ("GMT+2", -2),
        ("UTC-03:30", 3.5),
        ("Nowhere/Else", -14),
        ("../etc/passwd", -14),
    ],
)
def test_a_time_is_in_its_own_zone_and_early_where_that_is_unknown(zone: str | None, hours: float) -> None:
    begins = NOON + timedelta(hours=hours)
    assert penalty(a_told_step(timezone=zone), at=begins) == 10_620
    assert penalty(a_told_step(timezone=zone), at=begins - SECOND) == 0


def test_a_refundable_stay_without_steps_is_free() -> None:
    assert penalty() == 0


def test_a_nonrefundable_stay_costs_all_of_it_at_once() -> None:
    assert penalty(a_told_step(), at=NOON - timedelta(days=99), tag="NRFN") == TOTAL


@pytest.mark.parametrize(
    ("step", "cents"),
    [
        (a_told_step(type="percent", amount=50), 10_620),
        (a_told_step(type="percentage", amount="33.333"), 7_080),
        (a_told_step(amount=999_999), TOTAL),
        (a_told_step(amount=-5), 0),
        (a_told_step(type=None), 10_620),
    ],
)
def test_kinds_of_amount(step: dict[str, Any], cents: int) -> None:
    assert penalty(step) == cents


@pytest.mark.parametrize(
    "step",
    [
        a_told_step(type="nights", amount=1),
        a_told_step(currency="USD"),
        a_told_step(amount=None),
        a_told_step(cancelTime="?"),
        7,
    ],
)
def test_what_cannot_be_understood_may_cost_everything(step: Any) -> None:
    assert penalty(step) == TOTAL


@pytest.mark.parametrize(
    "policy", ["", "null", "[]", "{}", "7", '"RFN"', "{", '{"refundableTag": "RFN", "cancelPolicyInfos": 5}']
)
def test_no_policy_may_cost_everything(policy: str) -> None:
    assert penalty_cents(policy, total_cents=TOTAL, currency="EUR", now=NOON) == TOTAL


def test_the_policies_of_several_rooms_add_up_to_the_total_at_most() -> None:
    rooms = f"[{POLICY_TEXT}, {POLICY_TEXT}]"
    assert penalty_cents(rooms, total_cents=42_480, currency="EUR", now=NOON) == 21_240
    assert penalty_cents(rooms, total_cents=15_000, currency="EUR", now=NOON) == 15_000


def a_room(*steps: Any, tag: str = "RFN") -> dict[str, Any]:
    return {"cancelPolicyInfos": list(steps), "hotelRemarks": [], "refundableTag": tag}


HALF, THIRD = a_told_step(type="percent", amount=50), a_told_step(type="percent", amount="33.333")


@pytest.mark.parametrize(
    ("rooms", "cents"),
    [
        ([a_room(HALF), a_room(HALF)], 10_620),
        ([a_room(HALF), a_room(HALF), a_room(HALF)], 10_620),
        ([a_room(THIRD), a_room(HALF)], 10_620),
        ([a_room(HALF), a_room()], 10_620),
        ([a_room(HALF), a_room(a_told_step(amount=20))], 12_620),
        ([a_room(HALF), a_room(tag="NRFN")], TOTAL),
        ([a_room(HALF), a_room(a_told_step(type="nights"))], TOTAL),
    ],
)
def test_percentages_of_several_rooms_are_of_their_own_prices(rooms: list[Any], cents: int) -> None:
    """Which are not told: never more than the greatest of them of the whole."""
    assert penalty_cents(json.dumps(rooms), total_cents=TOTAL, currency="EUR", now=NOON) == cents


def a_step(
    time: Any = "2027-02-01 12:00:00", amount: Any = Decimal("106.2"), **changes: Any
) -> dict[str, Any]:
    step = {"cancelTime": time, "amount": amount, "currency": "EUR", "type": "amount", "timezone": "GMT"}
    return {**step, **changes}


def a_policy(*steps: Any, tag: Any = "RFN") -> dict[str, Any]:
    return {"cancelPolicyInfos": list(steps), "hotelRemarks": [], "refundableTag": tag}


def steps(*policies: Any) -> PenaltySteps | None:
    return steps_of(list(policies), total_cents=TOTAL, currency="EUR")


def at(day: int, hour: int, cents: int) -> PenaltyStep:
    return PenaltyStep(datetime(2027, 2, day, hour, tzinfo=UTC), cents)


def test_the_documented_policy() -> None:
    assert steps_of_text(POLICY_TEXT, total_cents=TOTAL, currency="EUR") == POLICY_STEPS


@pytest.mark.parametrize(
    ("policies", "expected"),
    [
        ([a_policy(a_step("2027-02-03 00:00:00", 999), a_step())], (at(1, 12, 10_620), at(3, 0, TOTAL))),
        ([a_policy(a_step(type="percent", amount=50))], (at(1, 12, 10_620),)),
        ([a_policy(a_step(timezone="Europe/Berlin"))], (at(1, 11, 10_620),)),
        ([a_policy(a_step(timezone="GMT+2"))], (at(1, 10, 10_620),)),
        ([a_policy(a_step(amount=0), a_step("2027-02-02 12:00:00"))], (at(2, 12, 10_620),)),
        ([NON_REFUNDABLE], (PenaltyStep(None, TOTAL),)),
        ([NON_REFUNDABLE, NON_REFUNDABLE], (PenaltyStep(None, TOTAL),)),
        # Amounts of several rooms add up; the same share of each is that share of all.
        (
            [a_policy(a_step(amount=50)), a_policy(a_step("2027-02-02 12:00:00", 30))],
            (at(1, 12, 5_000), at(2, 12, 8_000)),
        ),
        ([a_policy(a_step(type="percent", amount=25))] * 2, (at(1, 12, 5_310),)),
        ([a_policy(a_step(), a_step())], (at(1, 12, 10_620),)),
    ],
)
def test_policies_as_steps(policies: list[Any], expected: PenaltySteps) -> None:
    assert steps(*policies) == expected


@pytest.mark.parametrize(
    "policies",
    [
        [],
        [None],
        [{}],
        [a_policy()],  # refundable, and nothing says until when
        [a_policy(a_step(), tag=None)],
        [a_policy(a_step(), tag="PARTLY")],
        [a_policy(a_step(type="nights", amount=1))],
        [a_policy(a_step(currency="USD"))],
        [a_policy(a_step(amount=None))],
        [a_policy(a_step(None))],
        [a_policy(a_step("soon"))],
        [a_policy(a_step(timezone="Nowhere/Else"))],
        [a_policy(a_step(), "words")],
        [a_policy(a_step(), a_step(amount=1))],  # two amounts for one instant
        [a_policy(a_step(type="percent", amount=50)), a_policy(a_step(type="percent", amount=40))],
        [a_policy(a_step(type="percent", amount=50)), a_policy(a_step())],
        [a_policy(a_step()), NON_REFUNDABLE],
    ],
)
def test_what_leaves_a_doubt_has_no_steps(policies: list[Any]) -> None:
    assert steps(*policies) is None
