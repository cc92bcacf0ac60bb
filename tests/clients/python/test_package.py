"""The client as partners get it, packed, against the service as it runs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from apps.docs.clients import PACKAGES, newest
from tests.support.own_service import Service
from tests.support.programs import PythonProgram
from tests.support.stack import ROOT, variables

pytestmark = [pytest.mark.slow, pytest.mark.packages]

CLIENT = ROOT / "clients" / "python"


@pytest.fixture(scope="module")
def delivering(service: Service) -> Iterator[None]:
    """What the service has to deliver is delivered."""
    environment = {**os.environ, **variables(service.environment)}
    dispatcher = PythonProgram(["manage.py", "deliver_webhooks", "--forever", "--skip-checks"], environment)
    try:
        yield
    finally:
        dispatcher.terminate()
        dispatcher.wait()


def test_its_own_tests_pass(service: Service, delivering: None, tmp_path: Path) -> None:
    site = installed(tmp_path / "site")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "DJANGO_"))},
        "PYTHONPATH": str(site),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "TRAVEL_PARTNER_BASE_URL": service.url,
        "TRAVEL_PARTNER_API_KEY": service.secret,
    }
    shutil.copytree(CLIENT / "tests", tmp_path / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CLIENT / "pyproject.toml", tmp_path)
    found = run(tmp_path, environment, "-c", "import travel_partner; print(travel_partner.__file__)")
    assert Path(found.strip()).is_relative_to(site)
    assert (site / "travel_partner" / "py.typed").exists()
    said = run(tmp_path, environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    print(said)  # pytest shows it where this test fails, and with -rP
    assert " passed" in said


def installed(site: Path) -> Path:
    """Where it is installed, without what it needs: that is here."""
    package = newest("Python")
    assert package is not None
    settings = ["--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", "--target", str(site)]
    run(site.parent, dict(os.environ), "-m", "pip", "install", *settings, str(PACKAGES / package.file))
    return site


def run(place: Path, environment: dict[str, str], *arguments: str) -> str:
    """What Python says to `arguments`. A failure is told with all that was said."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=place, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
