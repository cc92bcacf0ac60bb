"""What a policy of theirs means, step by step, and where it cannot be told."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from apps.hotels.suppliers.liteapi.money import steps_of, steps_of_text
from apps.suppliers.results import PenaltyStep, PenaltySteps
from tests.hotels.suppliers.liteapi.samples import NON_REFUNDABLE, POLICY_STEPS, POLICY_TEXT

TOTAL = 21_240


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
        [7],
        [{}],
        [a_policy()],  # refundable, and nothing says until when
        [a_policy(a_step(), tag=None)],
        [a_policy(a_step(), tag="PARTLY")],
        [a_policy(a_step(type="nights", amount=1))],
        [a_policy(a_step(currency="USD"))],
        [a_policy(a_step(amount=None))],
        [a_policy(a_step(amount="much"))],
        [a_policy(a_step(None))],
        [a_policy(a_step(20270201))],
        [a_policy(a_step("soon"))],
        [a_policy(a_step(timezone="Nowhere/Else"))],
        [a_policy(a_step(timezone=7))],
        [a_policy(a_step(), "words")],
        [a_policy(a_step(), a_step(amount=1))],  # two amounts for one instant
        [a_policy(a_step(type="percent", amount=50)), a_policy(a_step(type="percent", amount=40))],
        [a_policy(a_step(type="percent", amount=50)), a_policy(a_step())],
        [a_policy(a_step()), NON_REFUNDABLE],
    ],
)
def test_what_leaves_a_doubt_has_no_steps(policies: list[Any]) -> None:
    assert steps(*policies) is None


@pytest.mark.parametrize("text", ["", "{", "null", "[]", "{}", '"RFN"'])
def test_a_text_that_is_no_policy_has_no_steps(text: str) -> None:
    assert steps_of_text(text, total_cents=TOTAL, currency="EUR") is None
