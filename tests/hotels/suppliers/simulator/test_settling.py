import pytest

from apps.hotels.suppliers.simulator.settling import settled
from apps.suppliers.errors import Unavailable


class Clock:
    """Time that passes only in pauses."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses = 0

    def elapsed(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds
        self.pauses += 1


def settle(pending: list[tuple[int, str]], deadline_seconds: float = 1.0) -> tuple[list[str], int]:
    clock = Clock()
    found = settled(pending, deadline_seconds=deadline_seconds, elapsed=clock.elapsed, pause=clock.pause)
    return found, clock.pauses


def test_what_has_settled_is_given_in_order_and_without_waiting() -> None:
    assert settle([(1, "b"), (1, "a")]) == (["b", "a"], 0)


def test_later_rounds_are_waited_for() -> None:
    assert settle([(3, "late"), (1, "early"), (2, "middle")]) == (["late", "early", "middle"], 2)


def test_the_deadline_leaves_out_what_has_not_settled() -> None:
    found, pauses = settle([(1, "early"), (1_000_000, "never")], deadline_seconds=0.01)
    assert found == ["early"]
    assert pauses <= 11


def test_nothing_settled_in_time_is_no_answer() -> None:
    with pytest.raises(Unavailable):
        settle([(1_000_000, "never")], deadline_seconds=0.01)


def test_nothing_to_wait_for_is_an_empty_answer() -> None:
    assert settle([]) == ([], 0)
