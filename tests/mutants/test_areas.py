"""Where the tests of a module are."""

import tomllib

import pytest

from tests.mutants import areas
from tests.mutants.__main__ import EQUIVALENT, equivalents
from tests.mutants.areas import AREAS, ELSEWHERE, ROOT, modules
from tests.mutants.mutant import in_module


@pytest.mark.parametrize(("part", "paths"), ELSEWHERE.items())
def test_what_is_named_exists(part: str, paths: list[str]) -> None:
    assert any(module.startswith(part) for area in AREAS for module in modules(area))
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("area", AREAS)
def test_every_module_has_tests(area: str) -> None:
    found = modules(area)
    assert found
    assert [module for module in found if not areas.tests_of(module)] == []


def test_the_tests_beside_a_module_come_first() -> None:
    assert areas.tests_of("apps/bookings/services/recover.py")[0] == "tests/bookings/services/test_recover.py"
    assert areas.tests_of("apps/ledger/models.py")[0] == "tests/ledger/test_models.py"


def test_where_the_tests_of_a_module_are_split_all_its_files_are_named() -> None:
    assert areas.tests_of("apps/esim/services/usage.py") == [
        "tests/esim/services/test_usage.py",
        "tests/esim/services/test_usage_away.py",
        "tests/esim/services/test_usage_turns.py",
    ]


def test_every_equivalent_mutant_is_named_with_why() -> None:
    entries = tomllib.loads(EQUIVALENT.read_text())["mutant"]
    assert entries
    for entry in entries:
        assert (ROOT / entry["module"]).exists()
        assert (
            {"module", "function", "change", "why"}
            <= entry.keys()
            <= {"module", "function", "change", "why", "nth"}
        )


def test_every_equivalent_mutant_is_one_that_there_is() -> None:
    """Where the code has changed, its entry is corrected or goes: else it would excuse nothing, or another fault."""
    named = equivalents()
    there = {mutant.name for module in {name[0] for name in named} for mutant in in_module(module)}
    assert sorted(named - there) == []
