"""From an empty folder to a booked flight: each package installed from the service, by the command that the page shows."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from apps.docs.clients import COMMANDS, newest
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


@needs("php")
def test_php(service: Service, tmp_path: Path) -> None:
    run(["sh", "-c", COMMANDS["PHP"].format(url=address("PHP", service))], tmp_path)
    (tmp_path / "booking.php").write_text(first_booking("php", "php"))
    assert BOOKED.fullmatch(run(["php", "booking.php"], tmp_path, service))


@needs("php")
def test_what_follows_the_first_booking_in_the_readme_of_php(service: Service, tmp_path: Path) -> None:
    run(["sh", "-c", COMMANDS["PHP"].format(url=address("PHP", service))], tmp_path)
    booking, cancel, lists, documents, errors, *_ = examples("php", "php")
    program = [booking, documents, cancel, lists, "$body = [];", errors, "echo $order->status;"]
    (tmp_path / "readme.php").write_text("\n".join(program))
    printed = run(["php", "readme.php"], tmp_path, service)
    assert "400 invalid_request: " in printed
    assert (tmp_path / "itinerary.pdf").read_bytes().startswith(b"%PDF-")


@needs("composer")
def test_php_with_composer(service: Service, tmp_path: Path) -> None:
    run(["composer", "init", "--no-interaction", "--name", "acme/shop"], tmp_path)
    run(["composer", "config", "secure-http", "false"], tmp_path)  # a partner's service has https
    run(
        ["composer", "config", "repositories.travel-partner", "composer", f"{service.url}/docs/clients"],
        tmp_path,
    )
    run(["composer", "config", "repositories.packagist", "false"], tmp_path)
    run(["composer", "require", "--no-interaction", "--quiet", "travel-partner/client"], tmp_path)
    code = first_booking("php", "php").replace("'travel-partner/autoload.php'", "'vendor/autoload.php'")
    (tmp_path / "booking.php").write_text(code)
    assert BOOKED.fullmatch(run(["php", "booking.php"], tmp_path, service))


def address(language: str, service: Service) -> str:
    package = newest(language)
    assert package is not None
    return f"{service.url}/docs/clients/{package.file}"


def first_booking(client: str, fence: str) -> str:
    first = examples(client, fence)[0]
    assert len([line for line in first.splitlines() if line]) <= 10
    return first


def examples(client: str, fence: str) -> list[str]:
    """Those of the client's README."""
    readme = (ROOT / "clients" / client / "README.md").read_text()
    return re.findall(rf"^```{fence}\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)


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
