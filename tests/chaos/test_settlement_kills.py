"""kill -9 of a worker in the middle of a backlog of settlements: the others go on, and in the end each was made once (M9)."""

import json
import random
import signal
import subprocess
import sys

import psycopg
import pytest

from tests.support.service_processes import Environment, python, service
from tests.support.stack import ROOT

pytestmark = pytest.mark.slow

WORKER = "tests.chaos.settlement_worker"
BACKLOG, PARTNERS = 1_000, 3
RIGHT = {"unsettled": 0, "open holds": 0, "not captured once": 0, "differences in the ledger": 0}
SETTLED = "SELECT count(*) FROM bookings_settlement WHERE settled_at IS NOT NULL"
END_LEASES = (
    "UPDATE bookings_settlement SET next_attempt_at = now() - interval '1 s' WHERE settled_at IS NULL"
)


def asked(environment: Environment, *arguments: str) -> dict[str, int]:
    command = [sys.executable, "-m", WORKER, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, int] = json.loads(done.stdout)
    return found


def said(worker: "subprocess.Popen[str]") -> str:
    assert worker.stdout is not None
    return worker.stdout.readline().strip()


def go(worker: "subprocess.Popen[str]") -> None:
    assert said(worker) == "ready"
    assert worker.stdin is not None
    worker.stdin.write("go\n")
    worker.stdin.flush()


def kill_one_midway(environment: Environment, after: int) -> int:
    """Kill one of several workers once `after` are settled, and let the others end. Returns how many those settled."""
    with (
        python(WORKER, "settle", environment=environment) as victim,
        python(WORKER, "settle", environment=environment) as first,
        python(WORKER, "settle", environment=environment) as second,
        psycopg.connect(environment["DATABASE_URL"], autocommit=True) as watching,
    ):
        for worker in (victim, first, second):
            go(worker)
        while watching.execute(SETTLED).fetchall()[0][0] < after:
            assert victim.poll() is None
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        return sum(int(json.loads(said(worker))["settled"]) for worker in (first, second))


def finish(environment: Environment) -> None:
    """What the dead one had taken, once its lease has ended."""
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as admin:
        admin.execute(END_LEASES)
    with python(WORKER, "settle", environment=environment) as last:
        go(last)
        said(last)


def test_a_killed_worker_loses_and_doubles_nothing(django_db_setup: None, runs: int) -> None:
    seed = random.randrange(2**32)
    print("seed", seed)
    chance = random.Random(seed)
    ends = [killed_once(f"killed_settlements_{run}", chance) for run in range(runs)]
    assert ends == [RIGHT] * runs


def killed_once(name: str, chance: random.Random) -> dict[str, int]:
    """What is wrong in the end."""
    with service(name) as environment:
        assert asked(environment, "fill", str(PARTNERS), str(BACKLOG)) == {"owed": BACKLOG}
        by_others = kill_one_midway(environment, after=chance.randrange(1, BACKLOG // 4))
        assert 0 < by_others <= BACKLOG
        finish(environment)
        return asked(environment, "check")
