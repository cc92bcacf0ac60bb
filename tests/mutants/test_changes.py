"""Faults in Python code, as they are made and unmade."""

import ast

import pytest

from tests.mutants.changes import changes


def faulty(text: str) -> list[str]:
    """The module with each fault in turn."""
    tree, found = ast.parse(text), []
    for change in changes(tree):
        change.make()
        found.append(ast.unparse(tree))
        change.unmake()
    assert ast.unparse(tree) == ast.unparse(ast.parse(text))
    return found


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a < b", ["a <= b"]),
        ("a == b", ["a != b"]),
        ("first or now", ["first and now", "now", "first"]),
        ("not a", ["a"]),
        ("a - b", ["a + b"]),
        ("min(a, b)", ["max(a, b)", "pass"]),
        ("x = 7", ["x = 8", "x = 6"]),
        ("x = True", ["x = False"]),
        ("x = rows.filter(a=b)", ["x = rows", "x = rows.filter()"]),
        ("x = f(a__lte=b)", ["x = f()", "x = f(a__lt=b)"]),
        ("if a:\n    raise B\nc", ["pass\nc", "if a:\n    pass\nc"]),
        ("x = f'SELECT 1 WHERE a = {b} FOR UPDATE'", ["x = f'SELECT 1 WHERE a = {b} '"]),
    ],
)
def test_each_fault_is_planted_by_itself(text: str, faults: list[str]) -> None:
    assert set(faults) <= set(faulty(text))


@pytest.mark.parametrize(
    "text",
    [
        '"""Words of 7."""',
        "logger.info('%s', 7)",
        "import a",
        "x: int",
        "assert a < 7",
        "def f(x: Literal[7]) -> None: ...",
    ],
)
def test_what_changes_nothing_is_left_alone(text: str) -> None:
    assert faulty(text) == []


def test_a_change_tells_its_line_and_its_function() -> None:
    (change,) = changes(ast.parse("class A:\n    def b(self):\n\n        return c < d"))
    assert (change.line, change.function, change.what) == (4, "A.b", "c < d → c <= d")
