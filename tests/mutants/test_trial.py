"""Which tests a mutant is put before."""

import pytest

from tests.mutants import trial
from tests.mutants.mutant import Mutant
from tests.mutants.trial import Baseline, Patience, chosen_of

MODULE, FILE = "apps/ledger/statements.py", "tests/ledger/services/test_hold.py"


def mutant_in(function: str) -> Mutant:
    return Mutant(MODULE, number=1, line=1, function=function, what="0 → 1", nth=1)


def test_a_mutant_is_put_before_the_tests_that_run_its_function() -> None:
    tests = {f"{FILE}::{name}": Baseline(runs={(MODULE, name)}) for name in ("hold", "raise_hold")}

    assert chosen_of(mutant_in("hold"), tests, [FILE]) == [f"{FILE}::hold"]


def test_what_runs_as_its_module_is_imported_is_put_before_all_tests_of_a_fresh_import() -> None:
    tests = {f"{FILE}::hold": Baseline(runs={(MODULE, "execute")})}

    assert chosen_of(mutant_in("_write"), tests, [FILE]) == []
    assert chosen_of(mutant_in("_write"), tests, [FILE], afresh=True) == [f"{FILE}::hold"]


def test_what_one_test_alone_runs_is_put_before_all_of_its_modules_own_by_a_fresh_import() -> None:
    """A cached function is run by the first test that asks it."""
    others = {"tests/ledger/test_other.py::hold": Baseline(runs={(MODULE, "refund")})}
    tests = {f"{FILE}::hold": Baseline(runs={(MODULE, "hold")}), f"{FILE}::refund": Baseline(), **others}
    files = [FILE, "tests/ledger/test_other.py"]

    assert chosen_of(mutant_in("hold"), tests, files) == [f"{FILE}::hold"]
    assert chosen_of(mutant_in("hold"), tests, files, afresh=True) == [f"{FILE}::hold", f"{FILE}::refund"]


def test_a_slower_machine_tries_as_many_tests_as_a_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = {f"{FILE}::test_{n}": Baseline(seconds=6, cost=6, runs={(MODULE, "hold")}) for n in range(4)}
    twice = {name: Baseline(seconds=12, cost=12, runs=test.runs) for name, test in tests.items()}
    usual = chosen_of(mutant_in("hold"), tests, [FILE])

    slow = Patience()
    slow.grow(2)
    monkeypatch.setattr(trial, "PATIENCE", slow)

    assert usual == [f"{FILE}::test_0", f"{FILE}::test_1"]
    assert chosen_of(mutant_in("hold"), twice, [FILE]) == usual
