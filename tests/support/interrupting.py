"""Long commands that are interrupted in the middle of their work."""

import signal
from io import StringIO

import pytest
from django.core.management import call_command

from apps.common.progress import ProgressBar


def interrupt(*command: str, number: int = signal.SIGTERM) -> str:
    """Run the command, which gets the signal when it reports its first steps. What it wrote to standard error."""
    advance, err = ProgressBar.advance, StringIO()

    def advance_and_raise(progress: ProgressBar, steps: int = 1) -> None:
        advance(progress, steps)
        if steps:
            signal.raise_signal(number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ProgressBar, "advance", advance_and_raise)
        with pytest.raises(SystemExit) as ended:
            call_command(*command, stdout=StringIO(), stderr=err)
    assert ended.value.code == 128 + number
    assert err.getvalue().startswith("Interrupted. ")
    return err.getvalue()
