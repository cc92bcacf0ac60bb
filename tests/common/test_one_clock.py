"""A wrong wall clock on an application host decides nothing (reliability T3): nobody asks the host for the time of day."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASKS_THE_HOST = re.compile(r"\b(datetime\.(now|utcnow|today)|date\.today|timezone\.now|time\.time(_ns)?)\(")
ALLOWED = {
    "apps/common/clock.py": "until PostgreSQL has answered for the first time",
    "apps/common/metrics.py": "a figure, which tells how far the host is off",
    "apps/portal/sign_in/sessions.py": "the end of a session, which Django reads by the same clock",
    "apps/webhooks/listening/listener.py": "a command on a partner's machine, where there is no database",
    "apps/webhooks/exams/grades.py": "lines for a receiver of a partner's, shown to be copied",
    "config/embedded.py": "an example's date, printed to the terminal",
}


def test_nobody_asks_the_host_for_the_time_of_day() -> None:
    asking = {
        path.relative_to(ROOT).as_posix()
        for room in ("apps", "config")
        for path in (ROOT / room).rglob("*.py")
        if ASKS_THE_HOST.search(path.read_text())
    }
    assert asking == set(ALLOWED)
