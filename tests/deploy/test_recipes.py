"""deploy/nginx, caddy, systemd, process: each program takes its file, and the units start the lines of the Procfile."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from honcho.environ import parse_procfile

from tests.support.stack import ROOT
from tests.support.tools import needs

NGINX = ROOT / "deploy/nginx"


@needs("nginx")
def test_nginx_takes_the_sample(tmp_path: Path) -> None:
    make = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    names = ["-subj", "/CN=api.example.com", "-keyout", "key.pem", "-out", "certificate.pem"]
    subprocess.run([*make, *names], cwd=tmp_path, check=True, stderr=subprocess.DEVNULL)
    for sample in NGINX.iterdir():
        text = sample.read_text().replace("/etc/ssl/travel-partner", str(tmp_path))
        (tmp_path / sample.name).write_text(text.replace("/var/log/nginx", str(tmp_path)))
    temporary = [
        f"{kind}_temp_path {tmp_path};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    ]
    (tmp_path / "nginx.cfg").write_text(
        f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ {' '.join(temporary)} include {tmp_path}/*.conf; }}"
    )
    checked = subprocess.run(
        ["nginx", "-t", "-q", "-p", tmp_path, "-c", tmp_path / "nginx.cfg"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert (checked.returncode, checked.stdout) == (0, "")


@needs("caddy")
def test_caddy_takes_the_sample(tmp_path: Path) -> None:
    sample = ROOT / "deploy/caddy/Caddyfile"
    checked = subprocess.run(
        ["caddy", "validate", "--adapter", "caddyfile", "--config", sample],
        env={"PATH": "/usr/bin:/usr/local/bin", "HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert checked.returncode == 0
    assert [
        line for line in checked.stdout.splitlines() if '"level":"warn"' in line or "formatted" in line
    ] == []


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
