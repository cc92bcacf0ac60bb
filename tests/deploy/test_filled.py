"""What `deploy/rehearse migrations` fills a database with obeys every rule of it."""

import json
import subprocess
import sys

import pytest

from tests.bench.webhooks import service
from tests.deploy.rehearsal.filled import TABLES
from tests.deploy.rehearsal.load import Call
from tests.deploy.rehearsal.migrations import durations, latency
from tests.support.stack import ROOT

ROWS = 1_600


@pytest.mark.stack
def test_copied_rows_name_each_other_and_the_ledger_adds_up(django_db_setup: None) -> None:
    with service("filled") as environment:
        told = subprocess.run(
            [sys.executable, "-m", "tests.deploy.rehearsal.fill_worker", str(ROWS)],
            cwd=ROOT,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
    found = json.loads(told)
    assert (found.pop("untied"), found.pop("differences")) == ([], [])
    assert found["bookings_booking"] >= 100
    assert found["ledger_entry"] >= 400
    assert found["bookings_settlement"] >= 20
    assert 0.95 * ROWS < sum(found[table] for table in TABLES) < 1.1 * ROWS


def test_a_migration_takes_what_lies_between_it_and_the_one_before() -> None:
    assert durations([("a", 12.0), ("b", 15.5)], 10.0) == [("a", 2.0), ("b", 3.5)]


def test_waits_are_told_by_kind() -> None:
    calls = [Call(0, seconds / 100, 200, "", "read") for seconds in range(1, 101)]
    assert latency([*calls, Call(1, 3, 201, "", "order")]) == (
        "1 orders, median 2.00 s, p99 2.00 s, longest 2.00 s; 100 reads, median 0.51 s, p99 1.00 s, longest 1.00 s"
    )
