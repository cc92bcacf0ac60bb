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
    odd = [line for line in lines if not re.match(r"#|[a-z0-9-]+==[\w.]+( ;|  +#|$)", line)]
    assert odd == []
    assert "://" not in "\n".join(lines)
