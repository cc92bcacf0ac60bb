"""How a siege judges: by all windows together, with more of them where a figure is above its goal."""

from typing import Any, cast

import pytest

from tests.siege.attack import Attack
from tests.siege.field import Field
from tests.siege.puppet import Puppet
from tests.siege.stage import Stage
from tests.siege.trial import Judge
from tests.siege.victims import Call


class Scripted:
    """A stage and its victims: of ten calls in a window, the first two take what `takes` says, window by window."""

    port = 0
    partners: dict[str, Any] = {}
    cpu_seconds = 0.0

    def __init__(self, *takes: float, error_at: int = -1) -> None:
        self.takes, self.error_at = takes, error_at
        self.windows = 0

    def ask(self, **order: Any) -> dict[str, Any]:
        if "calls" not in order:
            return {"ends": {}, "seconds": [], "held": 0}
        if order["seconds"] == 1.0:  # the warm-up
            return {}
        errors = {"503": 1} if self.windows == self.error_at else {}
        ms = [self.takes[self.windows % len(self.takes)]] * 2 + [10.0] * 8
        self.windows += 1
        return {name: {"ms": ms, "errors": errors, "slowest": 0.1} for name in ("account", "health")}

    def calls(self, names: tuple[str, ...]) -> list[Call]:
        return [Call(name, "GET", "/", {}) for name in names]

    def web_memory(self) -> float:
        return 100.0

    def settle(self) -> bool:
        return True

    def hang(self, products: tuple[str, ...]) -> None:
        pass

    def end_crew(self) -> None:
        pass


async def nothing(field: Field) -> None:
    pass


def judged(scripted: Scripted) -> tuple[int, list[str]]:
    """Windows of either sort, and what was missed."""
    stage, puppet = cast("Stage", scripted), cast("Puppet", scripted)
    outcome = Judge(stage, puppet, puppet, rounds=3, seconds=3.0).try_out(Attack("scripted", nothing))
    assert len(outcome.quiet_windows) == outcome.windows
    return outcome.windows, list(outcome.missed())


def test_a_figure_within_its_goal_is_read_once() -> None:
    assert judged(Scripted(10.0, 12.0)) == (3, [])


def test_a_figure_above_its_goal_is_read_again_and_judged_by_all_windows() -> None:
    assert judged(Scripted(10.0, 20.0)) == (9, ["account: p95 × 2.00"])


def test_two_slow_calls_of_one_window_are_not_the_attack_s() -> None:
    assert judged(Scripted(10.0, 20.0, *[10.0] * 16)) == (9, [])


def test_an_error_is_never_forgiven() -> None:
    windows, missed = judged(Scripted(10.0, error_at=1))
    assert windows == 3
    assert missed == ["account: errors {'503': 1}", "health: errors {'503': 1}"]


@pytest.mark.parametrize("seconds", [0.4, 3.0])
def test_health_must_answer_within_a_second(seconds: float) -> None:
    stage, puppet = cast("Stage", Scripted(10.0)), cast("Puppet", Scripted(10.0))
    outcome = Judge(stage, puppet, puppet).try_out(Attack("scripted", nothing))
    for window in outcome.stormy_windows:
        window["health"]["slowest"] = seconds
    assert list(outcome.missed()) == ([] if seconds < 1 else ["health took 3.00 s"])
