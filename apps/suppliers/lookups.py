"""When a supplier is asked what became of a write whose answer was lost. Each vendor declares its own times (`vendor.py`)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lookups:
    """Seconds, counted from the beginning of the lost call.

    `at`: when to look. `give_up_after`: from then on, a supplier that knows nothing of the write is believed.
    """

    at: tuple[int, ...]
    give_up_after: int

    def first(self, elapsed: float) -> float:
        """When to look first, where the answer was given up `elapsed` seconds after the call began: at once, if the first time is
        past.
        """
        return max(self.at[0], elapsed)

    def following(self, elapsed: float) -> float | None:
        """When to look next after a look at `elapsed`; None after the last one."""
        return next((when for when in (*self.at, self.give_up_after) if when > elapsed), None)
