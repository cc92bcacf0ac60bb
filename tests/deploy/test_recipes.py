"""deploy/nginx, caddy, systemd, process: each program takes its file, and the units start the lines of the Procfile."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
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
    checks = 'if [ "$1" = manage.py ]; then exec echo "python $@" >&2; fi'
    python.write_text(f'#!/bin/sh\n{checks}\necho python $$ "$@"\n')
    python.chmod(0o755)
    (tmp_path / "deploy").mkdir()
    for name in ("Procfile", "deploy/process"):
        shutil.copy(ROOT / name, tmp_path / name)
    command = [tmp_path / "deploy/process", line]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        said, checked = process.communicate(timeout=60)
    assert checked == "python manage.py check --deploy --tag live\n"
    expected = re.sub(r"\$\{\w+:-([^}]+)\}", r"\1", LINES[line])
    assert said.split() == expected.replace("python", f"python {process.pid}", 1).split()


def test_a_line_that_is_not_there_is_refused() -> None:
    done = subprocess.run([ROOT / "deploy/process", "nobody"], stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (64, "The Procfile has no line nobody.\n")


LIVE = {
    "DATABASE_URL": "postgres://service@127.0.0.1:1/none",  # nothing connects
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "SECRET_KEY": "0123456789" * 5,
    "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
    "EMAIL_URL": "smtp://mail.example.com:25",
    "SUPPORT_EMAIL": "support@example.com",
    "TOP_UP_INSTRUCTIONS": "IBAN X, reference {reference}",
}


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ({}, []),
        ({"EMAIL_URL": "consolemail://"}, ["portal.E005"]),
        ({"TOP_UP_INSTRUCTIONS": ""}, ["portal.E006"]),
        ({"TOP_UP_INSTRUCTIONS": "IBAN X"}, ["portal.E007"]),
        ({"SUPPORT_EMAIL": ""}, ["portal.E008"]),
        ({"EMAIL_URL": "consolemail://", "SUPPORT_EMAIL": "", "GATEWAY_ENVIRONMENT": "test"}, []),
    ],
)
def test_a_live_deployment_without_a_way_to_reach_and_pay_you_does_not_start(
    changed: dict[str, str], refused: list[str], tmp_path: Path
) -> None:
    """By the real checks. What would start is a line that ends at once."""
    for name in (
        "apps",
        "config",
        "templates",
        "static",
        "docs",
        "document",
        "clients",
        "manage.py",
        "CHANGELOG.md",
    ):
        if (ROOT / name).exists():
            (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / "deploy/process", tmp_path / "deploy/process")
    (tmp_path / "Procfile").write_text("web: echo started\n")
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", **LIVE, **changed}
    done = subprocess.run(
        [tmp_path / "deploy/process", "web"], env=environment, capture_output=True, text=True, timeout=60
    )
    assert re.findall(r"portal\.E\d+", done.stderr) == refused
    assert (done.returncode, done.stdout) == ((78, "") if refused else (0, "started\n"))


def test_settings_of_compose_lack_mail_alone(tmp_path: Path) -> None:
    """The `check` of deploy/compose.yaml, as a process, with the settings that new-secrets writes."""
    shutil.copytree(ROOT / "deploy/compose", tmp_path / "compose", ignore=shutil.ignore_patterns("secrets"))
    subprocess.run([tmp_path / "compose/new-secrets", "api.example.com"], check=True)
    lines = (tmp_path / "compose/secrets/service.env").read_text().splitlines()
    written = dict(line.split("=", 1) for line in lines if not line.startswith("#"))
    environment = {
        "PATH": "/usr/bin:/bin",
        "REDIS_URL": "redis://redis:6379/0",
        "TRUSTED_PROXY_COUNT": "1",
        **written,
    }
    check = [sys.executable, "manage.py", "check", "--deploy"]
    done = subprocess.run(check, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)
    missing = set(re.findall(r"\w+\.[EW]\d+", done.stderr))
    assert missing - {"portal.E003"} == {"portal.E005"}  # the image has its static files collected
    given = {**environment, "EMAIL_URL": "smtp+tls://user:password@smtp.example.com:587"}
    done = subprocess.run(check, cwd=ROOT, env=given, capture_output=True, text=True, timeout=60)
    assert set(re.findall(r"\w+\.[EW]\d+", done.stderr)) <= {"portal.E003"}
