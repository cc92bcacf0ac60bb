"""How often a supplier is asked whether a booking still stands, where it tells little by itself."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class PollingPace:
    """Every `usual`; every `close` from `close_from` before the journey begins, when there is little time left to act."""

    usual: timedelta
    close: timedelta | None = None
    close_from: timedelta = timedelta()

    def pause(self, now: datetime, begins_at: datetime) -> timedelta:
        """How long to wait before the next poll: never past the moment from which polls come every `close`."""
        if self.close is None:
            return self.usual
        until_close = begins_at - self.close_from - now
        return self.close if until_close <= self.close else min(self.usual, until_close)
