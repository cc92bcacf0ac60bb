"""One attack judged: what others pay while it lasts, beside what they pay without it, in short windows by turns.

Three windows hold some forty bookings, of which the two slowest decide the p95. A figure above its goal is therefore measured
over twice as many windows more, and judged by all of them together. Errors are counted in every window, and never forgiven.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.siege.attack import Attack
from tests.siege.puppet import Puppet
from tests.siege.stage import Stage
from tests.siege.victims import as_json

RATIO = 1.3  # of the quiet p95, at most
HEALTH_SECONDS = 1.0
MEMORY_RATIO = 1.2
REST_SECONDS = 30
RAMP_SECONDS = 0.2
AGAIN = 2  # times as many windows more, where a figure is above its goal

Windows = list[dict[str, Any]]


@dataclass
class Cost:
    """What one kind of call was answered in, in all windows of one sort."""

    windows: Windows

    @property
    def p50(self) -> float:
        return quantile(self.ms, 0.5)

    @property
    def p95(self) -> float:
        """Of all windows together: one has fifteen bookings, of which the slowest would decide."""
        return quantile(self.ms, 0.95)

    @property
    def ms(self) -> list[float]:
        return [took for window in self.windows for took in window["ms"]]

    @property
    def slowest_seconds(self) -> float:
        return float(max(window["slowest"] for window in self.windows))

    @property
    def errors(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for window in self.windows:
            for what, times in window["errors"].items():
                found[what] = found.get(what, 0) + times
        return found

    @property
    def calls(self) -> int:
        return sum(len(window["ms"]) for window in self.windows)


@dataclass
class Outcome:
    attack: Attack
    memory_before: float = 0.0
    memory_after: float = 0.0
    quiet_windows: Windows = field(default_factory=list)
    stormy_windows: Windows = field(default_factory=list)
    tally: dict[str, Any] = field(default_factory=dict)
    """How the connections of the last wave ended."""
    cpu_seconds: float = 0.0
    """Processor time that the attackers themselves took during the windows."""
    seconds: float = 0.0
    """How long the windows with the attack were, together."""
    settled: bool = True

    @property
    def quiet(self) -> dict[str, Cost]:
        return by_call(self.quiet_windows)

    @property
    def stormy(self) -> dict[str, Cost]:
        return by_call(self.stormy_windows)

    def ratio(self, call: str) -> float:
        return self.stormy[call].p95 / self.quiet[call].p95

    @property
    def attackers_cpu(self) -> float:
        """Share of one processor."""
        return self.cpu_seconds / self.seconds

    @property
    def windows(self) -> int:
        return len(self.stormy_windows)

    @property
    def memory_ratio(self) -> float:
        return self.memory_after / self.memory_before

    def missed(self) -> Iterator[str]:
        """The goals that were not kept, in words."""
        for name, cost in self.stormy.items():
            if cost.errors:
                yield f"{name}: errors {cost.errors}"
            if name == "health" and cost.slowest_seconds > HEALTH_SECONDS:
                yield f"health took {cost.slowest_seconds:.2f} s"
        yield from self.dear()
        yield from self.missed_by_attackers()

    def dear(self) -> Iterator[str]:
        """Figures above their goals, which a few slow calls of the machine's own may explain."""
        for name in self.stormy:
            if name != "health" and self.ratio(name) > RATIO:
                yield f"{name}: p95 × {self.ratio(name):.2f}"
        if self.memory_ratio > MEMORY_RATIO:
            yield f"web memory × {self.memory_ratio:.2f}"

    def broken(self) -> Iterator[str]:
        """What no machine's noise explains: the short form looks for nothing else."""
        yield from (f"{name}: errors {cost.errors}" for name, cost in self.stormy.items() if cost.errors)
        if self.memory_ratio > MEMORY_RATIO + 0.3:
            yield f"web memory × {self.memory_ratio:.2f}"
        yield from self.missed_by_attackers()

    def missed_by_attackers(self) -> Iterator[str]:
        if self.attack.must_end and self.tally["held"]:
            yield f"{self.tally['held']} connections still held after {self.attack.patience:.0f} s"
        failed = self.tally["ends"].get("500", 0)
        if failed:
            yield f"{failed} × 500 to the attackers"
        if not self.settled:
            yield "not itself again within a minute"


@dataclass
class Judge:
    """Tries attacks on one stage, with one process of victims and one of attackers."""

    stage: Stage
    victims: Puppet
    attackers: Puppet
    rounds: int = 3
    seconds: float = 3.0
    compares: bool = True
    """Whether there are quiet windows to compare with; the short form does without them, and knows no ratios."""

    def try_out(self, attack: Attack) -> Outcome:
        self.stage.hang(attack.hung)
        if attack.crew:
            self.stage.start_crew()
        else:
            self.stage.end_crew()
        told = attack.prepare(self.stage) if attack.prepare else {}
        self.stage.settle()
        calls = [as_json(call) for call in self.stage.calls(attack.victims)]
        if self.compares:
            self.measure(calls, 1.0)  # whatever is first of its kind costs more
        outcome = Outcome(attack, self.stage.web_memory())
        waves = attack.rounds or self.rounds
        self.read(outcome, calls, told, waves)
        if self.compares and any(outcome.dear()):
            self.read(outcome, calls, told, AGAIN * waves)
        return outcome

    def read(self, outcome: Outcome, calls: list[dict[str, Any]], told: dict[str, Any], waves: int) -> None:
        """Add `waves` windows with the attack to the outcome, and as many without it."""
        attack = outcome.attack
        for number in range(waves):
            if self.compares:
                outcome.quiet_windows.append(self.measure(calls, self.seconds))
            used = self.attackers.cpu_seconds
            self.attackers.ask(
                begin=attack.name, port=self.stage.port, partners=self.stage.partners, told=told
            )
            time.sleep(RAMP_SECONDS)
            outcome.stormy_windows.append(self.measure(calls, self.seconds))
            outcome.cpu_seconds += self.attackers.cpu_seconds - used
            outcome.seconds += self.seconds
            outcome.tally = self.attackers.ask(end=attack.patience if number == waves - 1 else 0.0)
            outcome.settled = self.stage.settle() and outcome.settled
        outcome.memory_after = self.resting(outcome.memory_before)

    def measure(self, calls: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
        found: dict[str, Any] = self.victims.ask(port=self.stage.port, seconds=seconds, calls=calls)
        return found

    def resting(self, before: float) -> float:
        """The web processes' memory once they had some time to give it back."""
        give_up = time.monotonic() + REST_SECONDS
        after = self.stage.web_memory()
        while after > before * MEMORY_RATIO and time.monotonic() < give_up:
            time.sleep(1.0)
            after = self.stage.web_memory()
        return after


def by_call(windows: Windows) -> dict[str, Cost]:
    return {name: Cost([window[name] for window in windows]) for name in (windows[0] if windows else ())}


def quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
