"""docs/deploy.md is written so that `deploy/rehearse path` can run it. .ci/run does, which takes a minute."""

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.deploy.rehearsal import __main__ as rehearsal
from tests.deploy.rehearsal import table
from tests.deploy.rehearsal.failures import Outcome
from tests.deploy.rehearsal.faults import Shown
from tests.deploy.rehearsal.page import PAGE, Block, blocks
from tests.deploy.rehearsal.path import script
from tests.deploy.rehearsal.planted import FAULTS, Fault, dead
from tests.deploy.rehearsal.prometheus import shortened
from tests.support.stack import ROOT

FOUND = blocks(PAGE.read_text())


def test_blocks_are_taken_in_the_order_of_the_page() -> None:
    text = "## 1. A\n```sh\none\ntwo\n```\nwords\n```sh systemd\nthree\n```\n## 2. B\n```\nno command\n```\n```sh\nfour\n```\n"
    assert blocks(text) == [
        Block("1. A", "", "one\ntwo\n"),
        Block("1. A", "systemd", "three\n"),
        Block("2. B", "", "four\n"),
    ]


def test_every_command_of_the_page_is_run_but_for_systemds() -> None:
    everything = script(FOUND, root=True)
    assert [block.heading for block in FOUND if block.commands not in everything] == ["7. Processes"]
    assert {block.who for block in FOUND} == {"", "root", "systemd"}


def test_the_page_has_no_command_that_the_rehearsal_does_not_see() -> None:
    assert PAGE.read_text().count("\n```sh") == len(FOUND) == 14


def test_the_commands_are_a_program_that_bash_reads() -> None:
    read = subprocess.run(["bash", "-n", "-c", script(FOUND, root=True)], stderr=subprocess.PIPE, text=True)
    assert (read.returncode, read.stderr) == (0, "")


def test_continuous_integration_walks_the_path() -> None:
    continuous = (ROOT / ".ci/run").read_text()
    assert "\ndeploy/rehearse path\n" in continuous
    assert "\ndeploy/rehearse primary redis web restore --times 1\n" in continuous


@pytest.mark.slow
def test_what_was_started_ends_daemons_as_well(tmp_path: Path) -> None:
    program = """
import subprocess
from tests.deploy.rehearsal.descendants import adopt, descendants, end_all
adopt()
subprocess.run(["sh", "-c", "setsid sleep 300 & setsid sh -c 'trap : TERM; sleep 301' & echo $! >{0}/child"])
assert len(descendants()) >= 2
end_all()
print(descendants())
"""
    quick = program.format(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", quick], cwd=ROOT, env=os.environ, stdout=subprocess.PIPE, text=True, check=True
    )
    assert done.stdout == "[]\n"
    child = int((tmp_path / "child").read_text())
    assert not Path(f"/proc/{child}").exists()


def test_every_name_is_told_in_the_help_and_known() -> None:
    assert rehearsal.arguments(["all"]).names == ["all"]
    told = set(re.findall(r"^    (\w+)  ", rehearsal.__doc__ or "", re.MULTILINE))
    assert told == {"path", "faults", "all", *rehearsal.TIMES}


def test_an_outcome_is_one_line_of_the_table() -> None:
    outcome = Outcome("a part killed × 2", [0.4, 2.26], acknowledged=7, calls=12)
    outcome.meanwhile["order"] = Counter({"201": 5, "503 upstream_unavailable": 2})
    assert table.line(outcome) == (
        "| a part killed × 2 | 12 | 7 | 2.3 (most 2.3) | orders 5 × 201, 2 × 503 upstream_unavailable | nothing |"
    )
    outcome.wrong.append("lost: ford_1")
    assert table.line(outcome).endswith("| lost: ford_1 |")


def test_durations_and_ages_are_shortened_for_the_rehearsal_and_nothing_else() -> None:
    assert shortened("for: 1m\nfor: 10m\nfor: 5s\nrate(x[5m]) offset 1d") == (
        "for: 12s\nfor: 30s\nfor: 2s\nrate(x[30s]) offset 30s"
    )
    ages = 'max(a_late_seconds) > 600 or max(b_age_seconds{process="beat"}) <= 60 or max(c) > 60 or d > 0.5'
    assert shortened(ages) == (
        'max(a_late_seconds) > 120 or max(b_age_seconds{process="beat"}) <= 12 or max(c) > 60 or d > 0.5'
    )


def test_every_rule_is_shortened() -> None:
    rules = (ROOT / "deploy/monitoring/alerts.yml").read_text()
    short = shortened(rules)
    assert short.count("alert:") == rules.count("alert:")
    assert re.findall(r"(?:for: |\[|offset )\d+[mhd]", short) == []
    assert [age for age in re.findall(r"(?:>|<=) (\d+)", short) if age in {"60", "600", "3600"}] == []


def test_twelve_faults_are_planted_and_each_alert_that_is_named_is_shipped() -> None:
    rules = set(re.findall(r"- alert: (\w+)", (ROOT / "deploy/monitoring/alerts.yml").read_text()))
    named = {name for fault in FAULTS for name in (fault.alert, *fault.consequences)}
    assert named - rules == set()
    assert len({fault.name for fault in FAULTS}) == 12


def test_an_alert_that_is_not_meant_is_wrong_and_a_declared_one_is_told_with_its_reason() -> None:
    fault = Fault("a part dead", "PartDead", dead("part"), {"PartLate": "it does not run"})
    found = Shown(fault, raised_after=11.6, ended_after=4.2, others={"PartLate"})
    assert found.line == "| a part dead | `PartDead` | 12 | PartLate: it does not run | 4 | nothing |"
    found.others.add("OtherDead")
    assert found.wrong == ["OtherDead is not meant"]
    assert Shown(fault).wrong == ["never raised", "did not end"]
