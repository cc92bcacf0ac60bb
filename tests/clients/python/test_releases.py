"""The client of today and those of every release, packed as partners get them, against the service as it runs.

Each sdist carries its tests: those of a release run as they were written, with the package of that release.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.own_service import Service
from tests.support.programs import PythonProgram
from tests.support.stack import ROOT, variables

pytestmark = [pytest.mark.slow, pytest.mark.packages]

CLIENT = ROOT / "clients" / "python"
RELEASES = sorted((CLIENT / "releases").glob("*.tar.gz"))
TODAY = "today"


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


@pytest.mark.parametrize("release", [TODAY, *RELEASES], ids=lambda release: getattr(release, "stem", release))
def test_its_own_tests_pass(release: Path | str, service: Service, delivering: None, tmp_path: Path) -> None:
    source, package = packed(tmp_path) if release == TODAY else (unpacked(Path(release), tmp_path), None)
    site = installed(package or source, tmp_path / "site")
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "DJANGO_"))},
        "PYTHONPATH": str(site),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "TRAVEL_PARTNER_BASE_URL": service.url,
        "TRAVEL_PARTNER_API_KEY": service.secret,
    }
    found = run(source, environment, "-c", "import travel_partner; print(travel_partner.__file__)")
    assert Path(found.strip()).is_relative_to(site)
    assert (site / "travel_partner" / "py.typed").exists()
    said = run(source, environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    print(said)  # pytest shows it where this test fails, and with -rP
    assert " passed" in said


def packed(place: Path) -> tuple[Path, Path]:
    """The unpacked sdist of the client as it lies here, and its wheel."""
    copy, made = place / "python", place / "made"
    shutil.copytree(
        CLIENT, copy, ignore=shutil.ignore_patterns("releases", "generator", "*.egg-info", "__pycache__")
    )
    run(copy, dict(os.environ), "-m", "build", "--no-isolation", "--outdir", str(made), ".")
    sdist, wheel = [next(made.glob(pattern)) for pattern in ("*.tar.gz", "*.whl")]
    return unpacked(sdist, place), wheel


def unpacked(sdist: Path, place: Path) -> Path:
    shutil.unpack_archive(sdist, place)
    return place / sdist.name.removesuffix(".tar.gz")


def installed(package: Path, site: Path) -> Path:
    """Where it is installed, without what it needs: that is here."""
    settings = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    run(site.parent, dict(os.environ), "-m", "pip", "install", *settings, "--target", str(site), str(package))
    return site


def run(place: Path, environment: dict[str, str], *arguments: str) -> str:
    """What Python says to `arguments`. A failure is told with all that was said."""
    done = subprocess.run(
        [sys.executable, *arguments], cwd=place, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
