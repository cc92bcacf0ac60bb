"""One run of the mutants at a time in a checkout."""

from pathlib import Path

import pytest

from tests.mutants.__main__ import only_run


def test_a_second_run_in_a_checkout_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    lock = tmp_path / "var" / "mutants.lock"
    with only_run(lock), pytest.raises(SystemExit, match="runs in this checkout already"):
        only_run(lock)

    only_run(lock).close()
