"""A backlog of settlements, worked off by two worker processes and by six, each time on a database of its own.

A settlement is a transfer's capture, as a booking that was really made left it; the others are copies of it, of many partners.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.bench.webhooks import Environment, python, service

ROOT = Path(__file__).resolve().parents[2]
WORKER = "tests.bench.settlements_worker"
BACKLOG = 20_000
PARTNERS = 200
WORKERS = (2, 6)


@dataclass(frozen=True)
class Outcome:
    """`processor` and `postgresql`: seconds of processor time, of the workers and of what serves them."""

    workers: int
    settled: int
    seconds: float
    processor: float
    postgresql: float
    wrong: dict[str, int]

    @property
    def rate(self) -> float:
        return self.settled / self.seconds


def main(backlog: int = BACKLOG) -> None:
    print(f"{backlog:,} settlements of {PARTNERS} partners, {os.cpu_count()} processors")
    outcomes: list[Outcome] = []
    for workers in WORKERS:
        outcomes.append(measured(f"bench_settlements_{workers}", workers, backlog))
        report(outcomes)  # at once: the next may take long, and a run may be cut short


def measured(name: str, workers: int, backlog: int, partners: int = PARTNERS) -> Outcome:
    """Fill, work off, check."""
    with service(name) as environment, ExitStack() as stack:
        environment["DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS"] = "60000"  # however busy the machine is
        filled = asked(environment, "fill", str(partners), str(backlog))
        assert filled == {"owed": backlog}, filled
        crew = [
            stack.enter_context(python(WORKER, "settle", environment=environment)) for _ in range(workers)
        ]
        for worker in crew:
            assert said(worker) == "ready"
        began = time.monotonic()
        for worker in crew:
            assert worker.stdin is not None
            worker.stdin.write("go\n")
            worker.stdin.flush()
        shares = [json.loads(said(worker)) for worker in crew]
        seconds = time.monotonic() - began
        settled, processor, postgresql = (
            sum(share[what] for share in shares) for what in ("settled", "processor", "postgresql")
        )
        return Outcome(workers, int(settled), seconds, processor, postgresql, asked(environment, "check"))


def asked(environment: Environment, *arguments: str) -> dict[str, int]:
    command = [sys.executable, "-m", WORKER, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, int] = json.loads(done.stdout)
    return found


def said(worker: "subprocess.Popen[str]") -> str:
    assert worker.stdout is not None
    return worker.stdout.readline().strip()


def report(outcomes: Sequence[Outcome]) -> None:
    """Rates, their ratio, and what a thousand cost: where processors are few, the ratio says nothing, and the cost does."""
    first = outcomes[0]
    print(
        f"\n{'':12}{'a second':>10}{'ratio':>8}{'processor seconds a thousand: workers':>40}{'PostgreSQL':>12}"
    )
    for each in outcomes:
        thousands = each.settled / 1000
        print(
            f"{f'{each.workers} workers':12}{each.rate:10.0f}{each.rate / first.rate:8.2f}"
            f"{each.processor / thousands:40.2f}{each.postgresql / thousands:12.2f}"
        )
        for what, count in each.wrong.items():
            if count:
                print(f"  {what}: {count}")
