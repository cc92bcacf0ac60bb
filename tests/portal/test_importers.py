"""The library of the charts must not break other imports."""

import sys

from apps.portal import charts


def test_every_finder_of_modules_is_of_todays_kind() -> None:
    assert charts.pygal.__name__ in sys.modules  # type: ignore[attr-defined]
    assert [finder for finder in sys.meta_path if not hasattr(finder, "find_spec")] == []
