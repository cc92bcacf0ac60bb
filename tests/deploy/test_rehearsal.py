"""docs/deploy.md is written so that `deploy/rehearse path` can run it. .ci/run does, which takes a minute."""

import re
import subprocess

from tests.deploy.rehearsal.path import PAGE, blocks, script
from tests.deploy.rehearsal.planted import FAULTS
from tests.support.stack import ROOT

FOUND = blocks(PAGE.read_text())


def test_every_command_of_the_page_is_run_but_for_systemds() -> None:
    everything = script(FOUND, root=True)
    assert [block.heading for block in FOUND if block.commands not in everything] == ["5. Processes"]
    assert {block.who for block in FOUND} == {"", "root", "systemd"}


def test_the_page_has_no_command_that_the_rehearsal_does_not_see() -> None:
    assert PAGE.read_text().count("\n```sh") == len(FOUND) == 10


def test_the_commands_are_a_program_that_bash_reads() -> None:
    read = subprocess.run(["bash", "-n", "-c", script(FOUND, root=True)], stderr=subprocess.PIPE, text=True)
    assert (read.returncode, read.stderr) == (0, "")


def test_twelve_faults_are_planted_and_each_alert_that_is_named_is_shipped() -> None:
    rules = set(re.findall(r"- alert: (\w+)", (ROOT / "deploy/monitoring/alerts.yml").read_text()))
    named = {name for fault in FAULTS for name in (fault.alert, *fault.consequences)}
    assert named - rules == set()
    assert len({fault.name for fault in FAULTS}) == 12
