"""deploy/Containerfile and deploy/compose.yaml. No container runs here: they are read."""

import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from honcho.environ import parse_procfile

from tests.support.stack import ROOT
from tests.support.tools import needs

DEPLOY = ROOT / "deploy"
CONTAINERFILE = DEPLOY / "Containerfile"
LINES = set(parse_procfile((ROOT / "Procfile").read_text()).processes)
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: one for name, one in SERVICES.items() if one.get("image") == "travel-partner-api"}


def instructions() -> list[tuple[str, str]]:
    """Each instruction and its words, with continued lines joined."""
    text = re.sub(r"^#.*\n", "", CONTAINERFILE.read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [
        (word, rest) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line.strip())
    ]


def test_nothing_runs_as_root() -> None:
    words = [word for word, _ in instructions()]
    user = next(rest for word, rest in reversed(instructions()) if word == "USER")
    assert user.split(":")[0] not in {"root", "0"}
    assert words.index("USER", len(words) - 1 - words[::-1].index("FROM")) < words.index("ENTRYPOINT")


def test_hadolint_finds_nothing() -> None:
    hadolint = Path(sys.executable).parent / "hadolint"
    told = subprocess.run(
        [hadolint, "--no-color", CONTAINERFILE], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert (told.returncode, told.stdout) == (0, "")


def test_the_settings_take_what_the_build_sets() -> None:
    (collect,) = [rest for _, rest in instructions() if "collectstatic" in rest]
    said = dict(re.findall(r"([A-Z_]+)=(\S+)", collect))
    started = subprocess.run(
        [sys.executable, "-c", "import config.settings"], cwd=ROOT, env=said, capture_output=True, text=True
    )
    assert (started.returncode, started.stderr) == (0, "")


def test_what_the_image_needs_is_let_in_and_no_test() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    admitted = {line[1:] for line in lines if line.startswith("!")}
    assert lines[1] == "*"
    assert [path for path in admitted if not (ROOT / path).exists()] == []
    assert admitted >= {"apps", "config", "templates", "static", "manage.py", "Procfile", "deploy/process"}
    assert [path for path in ("tests", "requirements/dev.lock", ".env", "var") if path in admitted] == []
    read_at_build = [rest.split()[0] for word, rest in instructions() if word == "COPY" and "lock" in rest]
    assert [path for path in read_at_build if not any(fnmatch(path, one) for one in admitted)] == []


def test_compose_runs_every_line_and_web_twice() -> None:
    commands = sorted(one["command"][0] for one in OURS.values() if one["command"])
    assert commands == sorted([*LINES, "web"])


@pytest.mark.parametrize("name", OURS)
def test_our_containers_have_a_read_only_root_and_no_rights(name: str) -> None:
    ours = OURS[name]
    assert ours["read_only"] is True
    assert ours["cap_drop"] == ["ALL"]
    assert ours["security_opt"] == ["no-new-privileges:true"]


def test_only_the_proxy_can_be_reached_from_outside() -> None:
    assert [name for name, one in SERVICES.items() if "ports" in one] == ["proxy"]


def test_what_is_mounted_is_there() -> None:
    mounts = [volume.split(":")[0] for one in SERVICES.values() for volume in one.get("volumes", ())]
    paths = [path for path in mounts if path.startswith("./") and "/secrets/" not in path]
    assert len(paths) == 5
    assert [path for path in paths if not (DEPLOY / path).exists()] == []


@needs("docker-compose")
def test_a_client_reads_the_compose_file_with_secrets_that_are_made(tmp_path: Path) -> None:
    shutil.copytree(DEPLOY, tmp_path / "deploy", ignore=shutil.ignore_patterns("secrets"))
    making = [tmp_path / "deploy/compose/new-secrets", "api.example.com"]
    subprocess.run(making, check=True)
    read = ["docker-compose", "--file", tmp_path / "deploy/compose.yaml", "config", "--quiet"]
    checked = subprocess.run(read, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert (checked.returncode, checked.stdout) == (0, "")
    secrets = tmp_path / "deploy/compose/secrets"
    assert secrets.stat().st_mode & 0o077 == 0
    again = subprocess.run(making, stderr=subprocess.PIPE)
    assert again.returncode != 0, "secrets in use are never replaced"
