"""deploy/systemd and deploy/process: systemd takes the units, and each starts a line of the Procfile."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from honcho.environ import parse_procfile

from tests.support.stack import ROOT
from tests.support.tools import needs

UNITS = sorted((ROOT / "deploy/systemd").iterdir())
LINES = parse_procfile((ROOT / "Procfile").read_text()).processes


@needs("systemd-analyze")
def test_systemd_takes_every_unit(tmp_path: Path) -> None:
    for unit in UNITS:
        (tmp_path / unit.name).write_text(unit.read_text().replace("/opt/travel-partner", str(ROOT)))
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *sorted(tmp_path.iterdir())],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert (checked.returncode, checked.stdout) == (0, "")


def test_the_units_between_them_start_every_line() -> None:
    (template,) = [unit for unit in UNITS if unit.name == "travel-partner@.service"]
    named = set(re.findall(r"@(\w+)", template.read_text().splitlines()[0]))
    assert named | {"web"} == set(LINES)


@pytest.mark.parametrize("line", LINES)
def test_a_process_becomes_its_line(line: str, tmp_path: Path) -> None:
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho python $$ "$@"\n')
    python.chmod(0o755)
    (tmp_path / "deploy").mkdir()
    for name in ("Procfile", "deploy/process"):
        shutil.copy(ROOT / name, tmp_path / name)
    with subprocess.Popen([tmp_path / "deploy/process", line], stdout=subprocess.PIPE, text=True) as process:
        said, _ = process.communicate(timeout=60)
    expected = re.sub(r"\$\{\w+:-([^}]+)\}", r"\1", LINES[line])
    assert said.split() == expected.replace("python", f"python {process.pid}", 1).split()


def test_a_line_that_is_not_there_is_refused() -> None:
    done = subprocess.run([ROOT / "deploy/process", "nobody"], stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (64, "The Procfile has no line nobody.\n")
