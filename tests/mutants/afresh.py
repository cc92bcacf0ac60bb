"""A mutant in a process that imports its module with the fault in it: what decides where it survived in the warm one."""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType

import pytest

from tests.mutants.areas import ROOT
from tests.mutants.forks import die_in, in_a_fork
from tests.mutants.mutant import Mutant, compiled
from tests.mutants.trial import (
    PATIENCE,
    QUIET,
    End,
    Tests,
    chosen_of,
    file_of,
    is_in_process,
    seconds_for,
)

STARTING_SECONDS = 60.0


def try_afresh(mutant: Mutant, files: Sequence[str], tests: Tests) -> End:
    """Its end before its tests, which are in `files`."""
    chosen = chosen_of(mutant, tests, files, afresh=True)
    if not chosen:
        return End.SURVIVED
    files = [file for file in files if file in map(file_of, chosen)]

    def job() -> int:
        sys.meta_path.insert(0, _Finder(mutant.module, compiled(mutant)))
        return int(
            pytest.main([*QUIET, "-x", *files], plugins=[_Only({name: tests[name] for name in chosen})])
        )

    ended = in_a_fork(job, STARTING_SECONDS + PATIENCE.most * 10)
    if ended.late:
        return End.TIMEOUT
    return End.SURVIVED if ended.said == pytest.ExitCode.OK else End.KILLED


def import_ahead(names: Iterable[str]) -> None:
    """Import these libraries now, so that no mutant waits for them. Some are not importable before Django is set up."""
    for name in sorted(names):
        try:
            importlib.import_module(name)
        except Exception:  # it is imported later, then
            continue
    # A library may leave a finder of a form that pytest cannot ask: collecting would fail, and every mutant pass for noticed.
    sys.meta_path[:] = [finder for finder in sys.meta_path if hasattr(finder, "find_spec")]


class _Only:
    """These tests and no others, each in its time."""

    def __init__(self, tests: Tests) -> None:
        self._tests = tests

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self._tests and is_in_process(item)]
        items.sort(key=lambda item: list(self._tests).index(item.nodeid))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        die_in(seconds_for(self._tests[item.nodeid]))


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the one module that has the fault."""

    def __init__(self, module: str, code: CodeType) -> None:
        self._path = ROOT / module
        self._name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._code = code
        assert self._name not in sys.modules, f"{self._name} is imported already"

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._name:
            return None
        return importlib.util.spec_from_file_location(
            name, self._path, loader=_Loader(name, str(self._path), self._code)
        )


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        return self._code
