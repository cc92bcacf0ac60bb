"""Nothing falls out of the suite: what is long has something short in it, or a reason."""

import ast
from collections import Counter
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.conftest import pytest_configure
from tests.support.long import long_ones
from tests.support.long_list import EACH_VALUE, LONG, Long

ROOT = Path(__file__).resolve().parents[2]


def named(test: str) -> str:
    """What stands after the file, "" for a whole file or directory. Fails where there is no such file or test."""
    path, _, name = test.partition("::")
    assert (ROOT / path).exists(), f"{path} does not exist"
    assert not name or name in functions(path), f"{path} has no {name}"
    return name


@cache
def functions(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("line", LONG, ids=lambda line: line.test)
def test_each_line_names_tests_and_what_is_left_of_them(line: Long) -> None:
    named(line.test)
    assert sum((line.stays is not None, bool(line.short), bool(line.why))) == 1
    if line.short:
        named(line.short)


@pytest.mark.parametrize("line", [line for line in LONG if line.short], ids=lambda line: line.test)
def test_what_is_short_is_in_the_suite(line: Long) -> None:
    left_out = {other.test for other in LONG if other.stays is None}
    assert line.short not in left_out
    assert line.short.partition("::")[0] not in left_out


@pytest.mark.parametrize(
    "line", [line for line in LONG if line.stays is not None], ids=lambda line: line.test
)
def test_what_stays_in_part_is_one_test_with_parameters(line: Long) -> None:
    assert named(line.test)


def test_no_test_has_two_lines() -> None:
    assert [test for test, times in Counter(line.test for line in LONG).items() if times > 1] == []
    files = {line.test for line in LONG if "::" not in line.test}
    assert [line.test for line in LONG if "::" in line.test and line.test.partition("::")[0] in files] == []


class Hashed(SimpleNamespace):
    __hash__ = object.__hash__


def items_of(line: Long, *parameters: dict[str, Any]) -> list[pytest.Item]:
    return cast(
        "list[pytest.Item]",
        [
            Hashed(nodeid=f"{line.test}[{number}]", callspec=SimpleNamespace(params=each))
            for number, each in enumerate(parameters)
        ],
    )


def test_each_value_of_each_parameter_stays() -> None:
    line = next(line for line in LONG if line.stays == EACH_VALUE)
    given = [{"one": one, "other": other} for one in range(7) for other in range(5)]
    items = items_of(line, *given)
    long = long_ones(items)
    stays = [cast("pytest.Function", item) for item in items if item not in long]
    assert 7 <= len(stays) <= 11
    assert {item.callspec.params["one"] for item in stays} == {*range(7)}
    assert {item.callspec.params["other"] for item in stays} == {*range(5)}


def test_as_many_stay_as_the_list_says() -> None:
    line = next(line for line in LONG if (line.stays or 0) > 1)
    assert line.stays is not None
    items = items_of(line, *[{"n": n} for n in range(line.stays + 2)])
    assert len(items) - len(long_ones(items)) == line.stays


def test_what_is_not_in_the_list_is_short() -> None:
    item = cast("pytest.Item", Hashed(nodeid="tests/support/test_long.py::test_no_test_has_two_lines"))
    assert long_ones([item]) == set()


@pytest.mark.parametrize(
    ("source", "paths", "said", "part"),
    [
        ("TESTPATHS", ["tests"], None, "short"),
        ("ARGS", ["tests"], None, "short"),
        ("ARGS", ["tests/chaos"], None, "all"),
        ("TESTPATHS", ["tests"], "long", "long"),
        ("ARGS", ["tests/chaos"], "short", "short"),
    ],
)
def test_who_names_paths_runs_all_of_them(source: str, paths: list[str], said: str | None, part: str) -> None:
    config = SimpleNamespace(
        args_source=pytest.Config.ArgsSource[source],
        args=paths,
        option=SimpleNamespace(part=said),
        getini={"testpaths": ["tests"]}.get,
    )
    pytest_configure(cast("pytest.Config", config))
    assert config.option.part == part
