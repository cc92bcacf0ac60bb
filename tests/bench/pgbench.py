"""Bookings beside pgbench, which sends PostgreSQL the same statements without a service around them.

On one account every transaction waits for the same wallet; on 256 they seldom meet.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.load import PROCESSES, THREADS, Shot, fire
from tests.bench.recording import order
from tests.bench.server import Server, served
from tests.support.private_servers import binary

ROUNDS = 5
SECONDS = 3.0
PARTNERS = 256
GOALS = {1: 0.4, PARTNERS: 0.2}
RATE = re.compile(r"tps = ([0-9.]+)")


def main(rounds: int = ROUNDS) -> None:
    program = binary("pgbench")
    with served() as server, recording(server) as bench:
        print(f"\n{'POST flight order':22}{'req/s':>9}{'p99 ms':>9}{'pgbench':>9}{'of it':>8}{'goal':>7}")
        for accounts, goal in GOALS.items():
            bench.report(program, accounts, goal, rounds)
    print("pgbench: transactions a second of the same statements, from as many connections, prepared.")


@dataclass(frozen=True)
class Bench:
    server: Server
    script: Path
    partners: list[dict[str, str]]
    runs: Iterator[int]

    def report(self, program: Path, accounts: int, goal: float, rounds: int) -> None:
        shot = self.shot(accounts)
        fire(shot, self.server.port, 1.0, f"warm-{accounts}")
        found = [
            (fire(shot, self.server.port, SECONDS, f"{accounts}-{number}"), self.rate(program, accounts))
            for number in range(rounds)
        ]
        of_it = median(volley.per_second / rate for volley, rate in found)
        rate, p99 = (
            median(volley.per_second for volley, _ in found),
            median(volley.p99 for volley, _ in found),
        )
        name = f"{accounts} accounts" if accounts > 1 else "one account"
        print(
            f"{name:22}{rate:9.0f}{p99:9.1f}{median(rate for _, rate in found):9.0f}{of_it:8.2f}{goal:7.2f}"
        )

    def shot(self, accounts: int) -> Shot:
        """Orders of each partner in turn."""
        orders = [
            Shot.post(
                "POST flight order",
                "/v1/flights/orders",
                partner["secret"],
                json.dumps(order(partner["offerId"])),
            )
            for partner in self.partners[:accounts]
        ]
        return Shot.in_turn(orders)

    def rate(self, program: Path, accounts: int) -> float:
        """Transactions a second; raises where one of them failed."""
        environment, clients = self.server.environment, PROCESSES * THREADS
        variables = {"i": next(self.runs) * 1_000_000, "partners": accounts}
        done = subprocess.run(
            [
                *(str(program), "--no-vacuum", "--protocol=prepared", f"--file={self.script}"),
                *(f"--client={clients}", f"--jobs={PROCESSES}", f"--time={SECONDS:.0f}"),
                *(f"--define={name}={value}" for name, value in variables.items()),
                environment["DATABASE_URL"].replace("postgres://", "postgresql://", 1),
            ],
            check=False,
            capture_output=True,
            text=True,
        )
        told = RATE.search(done.stdout)
        if done.returncode or told is None:
            raise RuntimeError(done.stdout + done.stderr)
        return float(told[1])


@contextmanager
def recording(server: Server) -> Iterator[Bench]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.recording", str(PARTNERS)],
        env=server.environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "booking.sql"
        path.write_text(told["script"])
        yield Bench(server, path, told["partners"], count(1))
