"""What a day's figures mean: one pure function, and its words."""

from dataclasses import dataclass
from enum import StrEnum

LEAST_CALLS = 20
"""A share of fewer says little, and might tell what one partner met."""
DEGRADED_SHARE, OUTAGE_SHARE = 0.01, 0.25
DEGRADED_MINUTES, OUTAGE_MINUTES = 5, 60


class State(StrEnum):
    OPERATIONAL = "operational"
    DEGRADED = "degraded"
    OUTAGE = "outage"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one component and one day."""

    calls: int = 0
    failed: int = 0
    checks: int = 0
    failed_checks: int = 0
    unmeasured: int = 0

    @property
    def answered_percent(self) -> float | None:
        """Rounded down to a hundredth, so that 100 means all. None with fewer than `LEAST_CALLS`."""
        if self.calls < LEAST_CALLS:
            return None
        return (self.calls - self.failed) * 10_000 // self.calls / 100


def judged(figures: Figures) -> State:
    """The worse of what the calls and what the checks say; unknown where neither says anything."""
    enough = figures.calls >= LEAST_CALLS
    if not enough and not figures.checks:
        return State.UNKNOWN
    share = figures.failed / figures.calls if enough else 0.0
    if share >= OUTAGE_SHARE or figures.failed_checks >= OUTAGE_MINUTES:
        return State.OUTAGE
    if share >= DEGRADED_SHARE or figures.failed_checks >= DEGRADED_MINUTES:
        return State.DEGRADED
    return State.OPERATIONAL


def in_words(figures: Figures) -> str:
    """What is behind the state: `99.20 % of calls answered, 12 minutes of failed checks`. Empty where there is nothing to say."""
    said = []
    if figures.answered_percent is not None:
        said.append(f"{figures.answered_percent:.2f} % of calls answered")
    if figures.failed_checks:
        said.append(f"{minutes(figures.failed_checks)} of failed checks")
    if figures.unmeasured:
        said.append(f"{minutes(figures.unmeasured)} not measured")
    return ", ".join(said)


def minutes(count: int) -> str:
    return f"{count} minute{'' if count == 1 else 's'}"
