"""How often a supplier that tells little by itself is asked whether a booking still stands: data beside its adapter."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class NewsPace:
    """Every `usual`; every `close` from `close_from` before the journey begins, when there is little time left to act."""

    usual: timedelta
    close: timedelta
    close_from: timedelta

    def pause(self, now: datetime, begins_at: datetime) -> timedelta:
        """Until the next look. The close time is not slept into."""
        until_close = begins_at - self.close_from - now
        return self.close if until_close <= self.close else min(self.usual, until_close)
