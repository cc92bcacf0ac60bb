"""What is imported ahead of the mutants."""

import sys

import pytest

from tests.mutants.afresh import import_ahead


class OldFinder:
    """As older libraries leave one behind: `find_spec` came later."""

    def find_module(self, name: str, path: object = None) -> None:
        return None


def test_no_library_leaves_a_finder_behind_that_cannot_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(sys.meta_path)
    monkeypatch.setattr(sys, "meta_path", [*before, OldFinder()])

    import_ahead(["json", "no_such_library"])

    assert [finder for finder in sys.meta_path if not hasattr(finder, "find_spec")] == []
    assert [finder for finder in before if finder not in sys.meta_path and hasattr(finder, "find_spec")] == []
