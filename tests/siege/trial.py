"""One attack judged: what others pay while it lasts, beside what they pay without it, in short windows by turns."""

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
    quiet: dict[str, Cost]
    stormy: dict[str, Cost]
    memory_before: float = 0.0
    memory_after: float = 0.0
    tally: dict[str, Any] = field(default_factory=dict)
    attackers_cpu: float = 0.0
    """Share of one processor that the attackers themselves took during the windows."""
    settled: bool = True

    def ratio(self, call: str) -> float:
        return self.stormy[call].p95 / self.quiet[call].p95

    @property
    def memory_ratio(self) -> float:
        return self.memory_after / self.memory_before

    def missed(self) -> Iterator[str]:
        """The goals that were not kept, in words."""
        for name, cost in self.stormy.items():
            if cost.errors:
                yield f"{name}: errors {cost.errors}"
            if name == "health":
                if cost.slowest_seconds > HEALTH_SECONDS:
                    yield f"health took {cost.slowest_seconds:.2f} s"
            elif self.ratio(name) > RATIO:
                yield f"{name}: p95 × {self.ratio(name):.2f}"
        if self.memory_ratio > MEMORY_RATIO:
            yield f"web memory × {self.memory_ratio:.2f}"
        yield from self.missed_by_attackers()

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
        before = self.stage.web_memory()
        quiet: Windows = []
        stormy: Windows = []
        tally: dict[str, Any] = {}
        settled = True
        spent = 0.0
        rounds = attack.rounds or self.rounds
        for number in range(rounds):
            if self.compares:
                quiet.append(self.measure(calls, self.seconds))
            used = self.attackers.cpu_seconds
            self.attackers.ask(
                begin=attack.name, port=self.stage.port, partners=self.stage.partners, told=told
            )
            time.sleep(RAMP_SECONDS)
            stormy.append(self.measure(calls, self.seconds))
            spent += self.attackers.cpu_seconds - used
            tally = self.attackers.ask(end=attack.patience if number == rounds - 1 else 0.0)
            settled = self.stage.settle() and settled
        return Outcome(
            attack,
            by_call(quiet),
            by_call(stormy),
            before,
            self.resting(before),
            tally,
            spent / (rounds * self.seconds),
            settled,
        )

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
