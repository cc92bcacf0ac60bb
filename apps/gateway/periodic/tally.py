"""How a run of a periodic task ended: what failed, and who answered.

A task that raises has failed. One that asks several suppliers, and goes on when one of them fails, returns a `Tally` instead: it
has failed for each supplier that did not answer a single time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.common.errors import cut

ITSELF = ""
"""Stands for the task itself beside the suppliers that it asks."""
LONGEST_WHY = 200
UNREADABLE = "?"
"""Stands for a NUL, as for a lone surrogate: a supplier's words may hold both."""
ENOUGH = 2
"""So many failures in a row are an alert. More are not counted."""

Failing = Mapping[str, int]
"""Who has failed in the last runs → how often in a row, `ENOUGH` at most."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`failures`: who failed → why. `answered`: who did not. Nothing is known of anybody else."""

    answered: frozenset[str] = frozenset({ITSELF})
    failures: Mapping[str, str] = field(default_factory=dict)

    def applied_to(self, failing: Failing) -> dict[str, int]:
        """Who is failing after this run. A supplier that the run had no need to ask stays as it was."""
        left = {whom: times for whom, times in failing.items() if whom not in self.answered}
        return left | {whom: min(ENOUGH, failing.get(whom, 0) + 1) for whom in self.failures}

    @property
    def why(self) -> str:
        said = [f"{whom}: {why}" if whom else why for whom, why in sorted(self.failures.items())]
        return cut("; ".join(said), LONGEST_WHY)


class Tally:
    """What a run notes while it goes through its work."""

    def __init__(self) -> None:
        self._answered: set[str] = set()
        self._failed: dict[str, str] = {}

    def answered(self, whom: str) -> None:
        self._answered.add(whom)

    def failed(self, whom: str, error: BaseException) -> None:
        """`whom`: the supplier, or ITSELF for a fault of this service."""
        self._failed[whom] = told(error)

    @property
    def outcome(self) -> Outcome:
        failures = {whom: why for whom, why in self._failed.items() if whom not in self._answered}
        return Outcome(frozenset({ITSELF, *self._answered} - failures.keys()), failures)


def outcome_of(returned: object) -> Outcome:
    """The outcome of a run that returned this."""
    return returned.outcome if isinstance(returned, Tally) else Outcome()


def outcome_of_failure(error: BaseException) -> Outcome:
    """The outcome of a run that raised this."""
    return Outcome(frozenset(), {ITSELF: told(error)})


def told(error: BaseException) -> str:
    """The error in one line: its kind and the first line of its text, without what PostgreSQL stores in no text."""
    first = str(error).strip().partition("\n")[0]
    text = first.replace("\x00", UNREADABLE).encode(errors="replace").decode()
    return cut(f"{type(error).__name__}: {text}" if text else type(error).__name__, LONGEST_WHY)
