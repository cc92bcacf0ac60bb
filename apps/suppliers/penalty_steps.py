"""What cancelling costs from which instant on, where a supplier's terms can be read for certain. Pure."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from apps.common.money import Cents


class PenaltyStep(NamedTuple):
    """From this instant on (None: from the booking on) cancelling costs so much, until the next step begins.

    A tuple, because a search has a hundred of them: it is stored in a third of a dataclass' time, and quick to find again.
    """

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
