"""From an empty folder to a booked flight: each package installed from the service, by the command that the page shows."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from apps.docs.clients import newest
from tests.support.own_service import Service
from tests.support.stack import ROOT
from tests.support.tools import needs

pytestmark = [pytest.mark.slow, pytest.mark.packages]

BOOKED = re.compile(r"F-\w{8} ticketed \d+ EUR\n")


def test_python(service: Service, tmp_path: Path) -> None:
    run([sys.executable, "-m", "venv", "venv"], tmp_path)
    python = str(tmp_path / "venv" / "bin" / "python")
    run([python, "-m", "pip", "install", "--quiet", address("Python", service)], tmp_path)
    assert BOOKED.fullmatch(run([python, "-c", first_booking("python", "python")], tmp_path, service))


@needs("npm")
def test_typescript(service: Service, tmp_path: Path) -> None:
    run(["npm", "init", "--yes"], tmp_path)
    run(["npm", "install", "--silent", address("TypeScript", service)], tmp_path)
    program = tmp_path / "booking.mjs"
    program.write_text(
        first_booking("typescript", "ts").replace("!", "")
    )  # without what only a compiler reads
    assert BOOKED.fullmatch(run(["node", program.name], tmp_path, service))


def address(language: str, service: Service) -> str:
    package = newest(language)
    assert package is not None
    return f"{service.url}/docs/clients/{package.file}"


def first_booking(client: str, fence: str) -> str:
    """The first example of the client's README."""
    readme = (ROOT / "clients" / client / "README.md").read_text()
    found = re.search(rf"^```{fence}\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert found is not None
    assert len([line for line in found[1].splitlines() if line]) <= 10
    return found[1]


def run(command: Sequence[str], place: Path, service: Service | None = None) -> str:
    """What it prints, with nothing of this checkout on its paths."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "DJANGO", "PYTEST"))
    }
    if service:
        environment |= {"TRAVEL_PARTNER_BASE_URL": service.url, "TRAVEL_PARTNER_API_KEY": service.secret}
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
