"""What a long command shows on a terminal, and what it logs without one."""

import io
import logging
import re
import signal
import time

import pytest

from apps.common.progress import LongCommand, ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_with_the_time_left() -> None:
    terminal = Terminal()
    with ProgressBar("reencrypt", "rows", to=terminal, refresh_seconds=0.02) as progress:
        progress.expect(400)
        progress.advance(100)
        progress.note("bookings.TravellerKey")
        time.sleep(0.1)
        progress.print("A line above it.")
    drawn = terminal.getvalue()
    assert re.search(r"reencrypt:  25%\|.*100/400 \[00:00<00:0\d, .*bookings.TravellerKey\]", drawn)
    assert "A line above it.\n" in drawn


def test_a_log_gets_lines_also_while_one_step_lasts(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    out = io.StringIO()
    with ProgressBar("check_ledger", "checks", to=out, refresh_seconds=0.01, log_seconds=0.05) as progress:
        progress.expect(8)
        progress.advance(2)
        progress.note("chain")
        time.sleep(0.2)
    lines = [record.getMessage() for record in caplog.records if record.name == "apps.common.progress"]
    assert 2 <= len(lines) <= 4
    assert re.fullmatch(r"check_ledger: 25% 2/8 \[00:00<00:0\d, .* checks/s, chain\]", lines[0])
    assert out.getvalue() == ""


def test_what_watches_is_asked_while_a_step_lasts() -> None:
    terminal = Terminal()
    with ProgressBar("migrate", "migrations", to=terminal, watch=lambda: "index: 43%", refresh_seconds=0.01):
        time.sleep(0.05)
    assert "index: 43%" in terminal.getvalue()


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_long_command_with_its_status(number: int, status: int) -> None:
    class Long(LongCommand):
        again = "Run it again."

        def handle(self, *args: object, **options: object) -> None:
            signal.raise_signal(number)

    err, before = io.StringIO(), signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended:
        Long(stderr=err).execute(force_color=False, no_color=True, skip_checks=True)  # type: ignore[arg-type]
    assert (ended.value.code, err.getvalue()) == (status, "Interrupted. Run it again.\n")
    assert signal.getsignal(signal.SIGTERM) == before
