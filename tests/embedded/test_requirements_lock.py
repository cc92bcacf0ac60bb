import re
import tomllib
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent.parent


def names(requirements: list[str]) -> set[str]:
    found = (re.match(r"[A-Za-z0-9._-]+", requirement) for requirement in requirements)
    return {re.sub(r"[-_.]+", "-", match[0]).lower() for match in found if match}


def test_every_dependency_is_locked():
    project = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = project["dependencies"] + extras["embedded"] + extras["dev"]
    lines = (BASE_DIR / "requirements.lock").read_text().splitlines()
    assert names(wanted) - names(lines) == set(), "run `make lock`"


def test_the_lock_names_exact_versions_and_no_place_to_get_them_from():
    lines = (BASE_DIR / "requirements.lock").read_text().splitlines()
    odd = [line for line in lines if not re.match(r" *#|[a-z0-9-]+==[\w.]+( ;.*)? \\$|    --hash=", line)]
    assert odd == []
    assert "://" not in "\n".join(lines)


def test_every_version_is_locked_to_the_files_that_were_seen():
    text = (BASE_DIR / "requirements.lock").read_text()
    versions = re.findall(r"^[a-z0-9-]+==.*", text, re.MULTILINE)
    hashed = re.findall(r"^([a-z0-9-]+==.*) \\\n    --hash=sha256:[0-9a-f]{64}(?!\S)", text, re.MULTILINE)
    assert len(versions) > 100
    assert [version.removesuffix(" \\") for version in versions] == hashed


def test_what_is_installed_is_checked_against_the_hashes():
    makefile = (BASE_DIR / "Makefile").read_text()
    installs = [line for line in makefile.splitlines() if "--requirement requirements.lock" in line]
    assert ["--require-hashes" in line for line in installs] == [True]
    assert "--generate-hashes" in makefile
