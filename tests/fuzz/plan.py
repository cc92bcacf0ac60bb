"""How many cases there are, and what came of them."""

from collections import Counter

from schemathesis import Case

SEED = 20_261_120
SHORT = 4

asked_for = 0
counted: Counter[tuple[str, int]] = Counter()


def thorough() -> bool:
    """Whether `make fuzz` asks, and not the suite."""
    return asked_for > 0


def examples() -> int:
    """Cases for each operation, beside the boundary values of a thorough run."""
    return asked_for or SHORT


def count(case: Case, status: int) -> None:
    counted[case.operation.label, status] += 1


def lines() -> list[str]:
    """A line for each operation: how often it answered what."""
    total = sum(counted.values())
    by_operation: dict[str, list[str]] = {}
    for (label, status), times in sorted(counted.items()):
        by_operation.setdefault(label, []).append(f"{status} × {times}")
    return [
        *(f"{label}: {', '.join(answers)}" for label, answers in by_operation.items()),
        f"{total} cases",
    ]
