"""Starts the process that is measured, and prints what each part of a call costs it; then what a large supplier's answer costs.

Instructions do not depend on what else the machine does: how far the rounds are apart says how well a figure repeats.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import MappingProxyType

from tests.bench.parts import callgrind, meters
from tests.bench.parts.inside import CALIBRATION
from tests.bench.parts.spots import PARTS
from tests.bench.server import DATABASE, another_redis
from tests.bench.stays import MEASURED
from tests.support.own_service import own_database

ROUNDS = 5
CALLS_OF_A_ROUND = {meters.PERF: 100, meters.CALLGRIND: 5, meters.TIME: 100}
THOUSAND = 1_000

Costs = dict[str, float]
"""Of one call of an operation, by part."""


def main(calls: int = 0, rounds: int = ROUNDS, meter: str = "") -> None:
    """`meter`: one of `meters`; the best that there is where none is named. `calls`: by the meter where it is 0."""
    chosen = meter or meters.best()
    if not meters.is_here(chosen):
        raise SystemExit(f"error: {chosen} cannot count on this machine; {meters.best()} can")
    calls = calls or CALLS_OF_A_ROUND[chosen]
    counted = count(chosen, calls, rounds)
    report([{name: counted.costs(number, name) for name in MEASURED} for number in range(rounds)])
    print(f"{meters.WORDS[chosen]}: of a call, medians of {rounds} rounds of {calls}.")
    print(answer_of_a_supplier())


@dataclass(frozen=True)
class Counted:
    pieces: Mapping[str, int]
    spent: Mapping[str, int]
    calls: int

    @property
    def of_a_cut(self) -> float:
        """What a piece costs in which nothing happens."""
        labels = [label for label in self.pieces if label.startswith(f"{CALIBRATION}/")]
        return sum(self.spent[label] for label in labels) / sum(self.pieces[label] for label in labels)

    def costs(self, number: int, operation: str) -> Costs:
        """In thousands."""
        labels = {part: f"{number} {operation}/{part}" for part in PARTS}
        return {
            part: (self.spent.get(label, 0) - self.of_a_cut * self.pieces.get(label, 0))
            / self.calls
            / THOUSAND
            for part, label in labels.items()
        }


# --- The process that is measured -----------------------------------------------------------------------------------
def count(meter: str, calls: int, rounds: int, settings: Mapping[str, str] = MappingProxyType({})) -> Counted:
    """`settings`: variables of the process beside those that every one has."""
    with environment_of_a_partner() as (environment, partner), tempfile.TemporaryDirectory() as folder:
        environment |= settings
        told = json.dumps({"meter": meter, "calls": calls, "rounds": rounds, **partner})
        program = [sys.executable, "-m", "tests.bench.parts.inside", told]
        run = callgrind.command(Path(folder), program) if meter == meters.CALLGRIND else program
        done = subprocess.run(run, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        found = json.loads(done.stdout.splitlines()[-1])
        spent = callgrind.spent_in(Path(folder)) if meter == meters.CALLGRIND else found["spent"]
    return Counted(found["pieces"], spent, calls)


@contextmanager
def environment_of_a_partner() -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """A database with one partner, who has a rate to book; it is dropped afterwards."""
    with own_database(f"{DATABASE}_parts") as url:
        environment = {
            **os.environ,
            "DATABASE_URL": url,
            "REDIS_URL": another_redis(),
            "DJANGO_SETTINGS_MODULE": "tests.bench.parts.settings",
            "PYTHONHASHSEED": "0",  # where a name lies in a dictionary costs more or less
        }
        yield environment, json.loads(output_of("tests.bench.partners", "1", environment=environment))[0]


def output_of(module: str, *arguments: str, environment: dict[str, str]) -> str:
    """The last line that a module prints."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.splitlines()[-1]


def answer_of_a_supplier() -> str:
    settings = {"DJANGO_SETTINGS_MODULE": "tests.bench.parts.settings"}
    return output_of("tests.bench.parts.supplier_answer", environment={**os.environ, **settings})


# --- The table ------------------------------------------------------------------------------------------------------
def report(rounds: list[dict[str, Costs]]) -> None:
    print(f"\n{'':18}" + "".join(f"{name:>22}" for name in MEASURED))
    wholes = {name: [sum(found[name].values()) for found in rounds] for name in MEASURED}
    for part in PARTS:
        costs = {name: median(found[name][part] for found in rounds) for name in MEASURED}
        print(
            f"{part:18}"
            + "".join(f"{costs[name]:15,.0f}{costs[name] / median(wholes[name]):7.0%}" for name in MEASURED)
        )
    print(f"{'together':18}" + "".join(f"{median(wholes[name]):15,.0f}{'':7}" for name in MEASURED))
    print(f"{'rounds differ by':18}" + "".join(f"{apart(each):22.1%}" for each in wholes.values()))


def apart(values: list[float]) -> float:
    """The largest above the smallest, as a share of it, without the one at each end where there are many."""
    ordered = sorted(values)[1:-1] if len(values) > 3 else values
    return max(ordered) / min(ordered) - 1
