"""The README of the client. tests/clients/test_served.py runs its first booking."""

import ast
import re

import pytest
from travel_partner import errors

from tests.support.stack import ROOT

CLIENT = ROOT / "clients" / "python"
README = (CLIENT / "README.md").read_text()
SNIPPETS = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_every_example_is_python(snippet: str) -> None:
    compile(snippet, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def test_the_licence_is_that_of_the_repository() -> None:
    assert (CLIENT / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_table_of_errors_names_all() -> None:
    table = README[
        README.index("| status | class |") : README.index("A response that this package cannot read")
    ]
    named = set(re.findall(r"`(\w+Error)`", table))
    raised = {*errors.BY_STATUS.values(), *errors.BY_TYPE.values(), errors.ServerError}
    assert named == {kind.__name__ for kind in raised}
