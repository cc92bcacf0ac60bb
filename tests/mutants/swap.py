"""A fault put into functions that are imported already: their code is exchanged, and whoever holds them runs the new one."""

import ast
import builtins
import gc
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType

from tests.mutants.areas import ROOT
from tests.mutants.mutant import Mutant, compiled, original

Name = tuple[str, int, int]
"""Of a piece of code in its module: qualified name, line, and which of those alike."""


class Functions:
    """The functions there are in this process, found by the code that they run."""

    def __init__(self, modules: list[str]) -> None:
        gc.unfreeze()  # conftest has hidden what was there after collecting
        known = {
            _identity(code): (module, name)
            for module in modules
            for name, code in pieces(original(module)).items()
        }
        self._of: dict[tuple[str, Name], list[FunctionType]] = defaultdict(list)
        for thing in gc.get_objects():
            # By its type: a lazy object that is asked what it is makes what it stands for, and some refuse.
            if type(thing) is FunctionType and (found := known.get(_identity(thing.__code__))):
                self._of[found].append(thing)

    def swap(self, mutant: Mutant) -> bool:
        """Put the fault in; False where no function that runs it exists yet, or only a fresh import would show it."""
        if not mutant.function:
            return False
        before, after = pieces(original(mutant.module)), pieces(compiled(mutant))
        changed = [name for name in before if name in after and _differs(before[name], after[name])]
        swapped = False
        for name in changed:
            for function in self._of[mutant.module, name]:
                if len(after[name].co_freevars) != len(function.__code__.co_freevars):
                    return False
                function.__code__ = after[name]
                swapped = True
        return swapped

    def watch(self) -> None:
        """Let every function say its module and qualified name whenever it is called, to whom `tell` names."""
        tell(set().add)
        for module in {module for module, _ in self._of}:
            for name, code in pieces(_watched(module)).items():
                for function in self._of[module, name]:
                    if len(code.co_freevars) == len(function.__code__.co_freevars):
                        function.__code__ = code


def tell(note: Callable[[tuple[str, str]], None]) -> None:
    """From now on functions that are watched say to `note` that they are called."""
    setattr(builtins, _NOTE, note)


_NOTE = "_noted_by_the_mutants"


def _watched(module: str) -> CodeType:
    """The module's code, in which each function says first that it is called."""
    tree = ast.parse((ROOT / module).read_text())
    for function, name in list(_functions(tree, "")):
        told = ast.parse(f"{_NOTE}(({module!r}, {name!r}))").body[0]
        for node in ast.walk(told):
            if hasattr(node, "lineno"):
                ast.copy_location(node, function.body[0])
        function.body.insert(0, told)
    return compile(tree, str(ROOT / module), "exec", dont_inherit=True)


def _functions(parent: ast.AST, prefix: str) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, str]]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}.{node.name}".lstrip(".")
            if not isinstance(node, ast.ClassDef):
                yield node, name
            yield from _functions(node, name)
        else:
            yield from _functions(node, prefix)


def pieces(code: CodeType) -> dict[Name, CodeType]:
    """Every function's code in a module's, to any depth."""
    found: dict[Name, CodeType] = {}
    alike: dict[tuple[str, int], int] = defaultdict(int)
    for inner in _within(code):
        key = (inner.co_qualname, inner.co_firstlineno)
        alike[key] += 1
        found[*key, alike[key]] = inner
    return found


def _within(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _within(constant)


def _differs(one: CodeType, other: CodeType) -> bool:
    return (
        one.co_code != other.co_code
        or repr(_plain(one)) != repr(_plain(other))
        or one.co_names != other.co_names
    )


def _plain(code: CodeType) -> list[object]:
    """The constants, those that are code by what they do."""
    return [
        (inner.co_code, _plain(inner), inner.co_names) if isinstance(inner, CodeType) else inner
        for inner in code.co_consts
    ]


def _identity(code: CodeType) -> tuple[str, str, int, bytes]:
    """Without the instructions, which the interpreter rewrites as they run."""
    return code.co_filename, code.co_qualname, code.co_firstlineno, code.co_linetable
