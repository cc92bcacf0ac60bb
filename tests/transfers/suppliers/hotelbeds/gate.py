"""The gateway before Hotelbeds: who is let in, and how often in a day."""

import hashlib
from datetime import UTC, date, datetime

from tests.support.supplier_stub import Answer, Heard
from tests.transfers.suppliers.hotelbeds.refusals import OVER_RATE

KEY, SECRET = "stub-key", "stub-secret"
SKEW_SECONDS = 300


class Gate:
    """`calls_a_day`: the quota; None for a key with a contract."""

    def __init__(self) -> None:
        self.calls_a_day: int | None = None
        self.day: date | None = None
        self.calls = 0
        """Of the UTC day `day`."""

    def knows(self, heard: Heard, now: float) -> bool:
        return (
            heard.headers.get("api-key") == KEY
            and is_signed(heard.headers.get("x-signature", ""), now)
            and heard.headers.get("accept") == "application/json"
            and heard.headers.get("content-type") == "application/json"
            and "gzip" in heard.headers.get("accept-encoding", "")
        )

    def refusal(self, now: float) -> Answer | None:
        """Counts the call. 403 once the quota of the day is used up."""
        today = datetime.fromtimestamp(now, UTC).date()
        if today != self.day:
            self.day, self.calls = today, 0
        self.calls += 1
        if self.calls_a_day is None or self.calls <= self.calls_a_day:
            return None
        return 403, {"error": OVER_RATE}, {"X-Mashery-Error-Code": "ERR_403_DEVELOPER_OVER_RATE"}


def is_signed(signature: str, now: float) -> bool:
    """By any second of the last and next minutes."""
    return any(
        hashlib.sha256(f"{KEY}{SECRET}{second}".encode()).hexdigest() == signature
        for second in range(int(now) - SKEW_SECONDS, int(now) + SKEW_SECONDS + 1)
    )
