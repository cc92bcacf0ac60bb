"""The README of the client: its first booking runs as it stands there, and all else is Python."""

import ast
import os
import re
import subprocess
import sys

import pytest
from travel_partner import errors

from tests.support.own_service import Service
from tests.support.stack import ROOT

CLIENT = ROOT / "clients" / "python"
README = (CLIENT / "README.md").read_text()
SNIPPETS = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


@pytest.mark.slow
def test_the_first_booking_is_made(service: Service) -> None:
    assert len(SNIPPETS[0].splitlines()) <= 10
    environment = {
        **os.environ,
        "PYTHONPATH": str(CLIENT / "src"),
        "TRAVEL_PARTNER_BASE_URL": service.url,
        "TRAVEL_PARTNER_API_KEY": service.secret,
    }
    done = subprocess.run(
        [sys.executable, "-c", SNIPPETS[0]], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"F-\w{8} ticketed \d+ EUR\n", done.stdout)


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_every_example_is_python(snippet: str) -> None:
    compile(snippet, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_the_licence_is_that_of_the_repository() -> None:
    assert (CLIENT / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_table_of_errors_names_all() -> None:
    table = README[
        README.index("| status | class |") : README.index("An answer that this package cannot read")
    ]
    named = set(re.findall(r"`(\w+Error)`", table))
    raised = {*errors.BY_STATUS.values(), *errors.BY_TYPE.values(), errors.ServerError}
    assert named == {kind.__name__ for kind in raised}
