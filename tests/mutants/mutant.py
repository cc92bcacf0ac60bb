"""One fault of one module: found again in every run by its description, not by its line."""

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from types import CodeType

from tests.mutants.areas import ROOT, modules
from tests.mutants.changes import changes


@dataclass(frozen=True)
class Mutant:
    """The change of that `number` in its module. `nth` tells equal descriptions in one function apart."""

    module: str
    number: int
    line: int
    function: str
    what: str
    nth: int

    @property
    def name(self) -> tuple[str, str, str, int]:
        return self.module, self.function, self.what, self.nth

    def __str__(self) -> str:
        inside = f" ({self.function})" if self.function else ""
        return f"{self.module}:{self.line}{inside}: {self.what}"


def mutants_of(area: str) -> list[Mutant]:
    return [mutant for module in modules(area) for mutant in in_module(module)]


def sampled(mutants: list[Mutant], count: int, seed: str) -> list[Mutant]:
    """`count` of them by chance; the same ones while the code they stand in is the same, whatever else changes."""
    ranked = sorted(mutants, key=lambda mutant: hashlib.sha256(repr((seed, mutant.name)).encode()).digest())
    chosen = set(ranked[:count])
    return [mutant for mutant in mutants if mutant in chosen]


def compiled(mutant: Mutant) -> CodeType:
    """The module's code with the fault in it."""
    tree = parsed(mutant.module)
    change = next(change for number, change in enumerate(changes(tree)) if number == mutant.number)
    change.make()
    try:
        return compile(tree, str(ROOT / mutant.module), "exec", dont_inherit=True)
    finally:
        change.unmake()


@cache
def original(module: str) -> CodeType:
    return compile(parsed(module), str(ROOT / module), "exec", dont_inherit=True)


@cache
def parsed(module: str) -> ast.Module:
    return ast.parse((ROOT / module).read_text())


def in_module(module: str) -> Iterator[Mutant]:
    """Every mutant of the module, whether its area is tried or not."""
    seen: Counter[tuple[str, str]] = Counter()
    for number, change in enumerate(changes(parsed(module))):
        seen[change.function, change.what] += 1
        nth = seen[change.function, change.what]
        yield Mutant(module, number, change.line, change.function, change.what, nth)
