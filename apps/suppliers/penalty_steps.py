"""What cancelling costs from which instant on, where a supplier's terms can be read for certain. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from apps.common.money import Cents


@dataclass(frozen=True, slots=True)
class PenaltyStep:
    """From this instant on (None: from the booking on) cancelling costs so much, until the next step begins."""

    starts_at: datetime | None
    penalty_cents: Cents


PenaltySteps = tuple[PenaltyStep, ...]
"""Ascending, each with an instant and a penalty of its own. Before the first step cancelling costs nothing."""


def without_idle(steps: Iterable[PenaltyStep]) -> PenaltySteps:
    """The steps that change what cancelling costs."""
    found: list[PenaltyStep] = []
    costs = 0
    for step in steps:
        if step.penalty_cents != costs:
            found.append(step)
            costs = step.penalty_cents
    return tuple(found)


def penalty_at(steps: PenaltySteps, instant: datetime) -> int:
    """What cancelling costs at `instant`, in minor units."""
    costs = 0
    for step in steps:
        if step.starts_at is not None and step.starts_at > instant:
            break
        costs = step.penalty_cents
    return costs
