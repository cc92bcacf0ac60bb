"""`make bench ARGS=settlements` in short: that a backlog is worked off by several processes, each settlement once."""

import pytest

from tests.bench.settlements import Outcome, measured, report

RIGHT = {"unsettled": 0, "open holds": 0, "not captured once": 0, "differences in the ledger": 0}


def test_two_processes_work_off_a_backlog(django_db_setup: None) -> None:
    outcome = measured("short_settlements", workers=2, backlog=250, partners=3)
    assert (outcome.settled, outcome.wrong) == (250, RIGHT)
    assert outcome.processor > 0


def test_the_table_tells_rates_their_ratio_costs_and_faults(capsys: pytest.CaptureFixture[str]) -> None:
    two = Outcome(2, 1_000, 10.0, 4.0, 2.0, RIGHT)
    report([two, Outcome(6, 1_000, 4.0, 6.0, 3.0, {**RIGHT, "unsettled": 7})])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[2:] == [
        ["2", "workers", "100", "1.00", "4.00", "2.00"],
        ["6", "workers", "250", "2.50", "6.00", "3.00"],
        ["unsettled:", "7"],
    ]
