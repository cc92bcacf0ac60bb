"""A test whose only asserts stand in a loop says nothing where the loop is empty: it first asserts that it is not."""

import ast
from collections.abc import Iterator

import pytest

from tests.mutants.areas import ROOT

KEPT_AS_THEY_ARE = {"enumerate", "sorted", "list", "reversed", "tuple", "set", "iter"}
"""What gives as many as it is given."""


def test_no_test_asserts_in_a_loop_alone_that_may_be_empty() -> None:
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    assert files
    assert [
        f"{path.relative_to(ROOT)}:{test}" for path in files for test in toothless(path.read_text())
    ] == []


@pytest.mark.parametrize(
    ("loop", "found"),
    [
        ("for x in f():\n  assert x", True),
        ("y = f()\n for x in y:\n  assert x", True),
        ("y = f()\n assert y\n for x in y:\n  assert x", False),
        ("for x in (1, 2):\n  assert x", False),
        ("y = [1]\n for at, x in enumerate(y):\n  assert x", False),
        ("for x in KNOWN:\n  assert x", False),
        ("for x in f():\n  with pytest.raises(E):\n   x()", True),
        ("assert all(x for x in f())", True),
        ("f()", False),
    ],
)
def test_what_is_toothless(loop: str, found: bool) -> None:
    assert bool(toothless(f"def test_it():\n {loop}")) == found


def toothless(text: str) -> list[str]:
    """The tests of a file that may assert nothing, each with its line."""
    tests = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    found = {test: list(asserts(test, {})) for test in tests if test.name.startswith("test_")}
    return [f"{test.lineno} {test.name}" for test, sure in found.items() if sure and not any(sure)]


def asserts(node: ast.AST, filled: dict[str, bool]) -> Iterator[bool]:
    """For every assert within `node`: whether it is reached. `filled` tells of names whether they hold something."""
    for child in ast.iter_child_nodes(node):
        match child:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ):
                filled[name] = is_filled(value, filled)
            case ast.Assert(
                test=ast.Call(func=ast.Name(id="all"), args=[ast.GeneratorExp(generators=generators)])
            ):
                yield all(is_filled(generator.iter, filled) for generator in generators)
            case ast.Assert():
                yield True
            case ast.With(items=[ast.withitem(context_expr=ast.Call(func=ast.Attribute(attr="raises"))), *_]):
                yield True
            case ast.For(iter=over):
                sure = is_filled(over, filled)
                yield from (sure and reached for reached in asserts(child, filled))
            case ast.FunctionDef() | ast.Lambda() | ast.ClassDef():
                continue
            case _:
                yield from asserts(child, filled)


def is_filled(value: ast.expr | None, filled: dict[str, bool]) -> bool:  # noqa: C901  a table of the forms
    """Whether a loop over `value` certainly has something to look at. A constant of a module is what somebody wrote there."""
    match value:
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts) | ast.Dict(keys=parts):
            return any(not isinstance(part, ast.Starred) for part in parts)
        case ast.Constant(value=str(text)):
            return bool(text)
        case ast.Call(func=ast.Name(id="range"), args=[*_, last]):
            return isinstance(last, ast.Constant) or is_filled(last, filled)
        case ast.Call(func=ast.Name(id="map"), args=[_, over]):
            return is_filled(over, filled)
        case ast.Call(func=ast.Name(id="zip"), args=parts):
            return any(is_filled(part, filled) for part in parts)
        case ast.Call(func=ast.Name(id=name), args=[over, *_]) if name in KEPT_AS_THEY_ARE:
            return is_filled(over, filled)
        case ast.Call(func=ast.Attribute(value=over, attr="items" | "values" | "keys")):
            return is_filled(over, filled)
        case ast.ListComp(generators=[ast.comprehension(iter=over, ifs=[])]):
            return is_filled(over, filled)
        case ast.BinOp(left=left, right=right):
            return is_filled(left, filled) or is_filled(right, filled)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.isupper() or filled.get(name, False)
    return False
