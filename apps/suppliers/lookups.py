"""When a supplier is asked what became of a write whose answer was lost: data beside each connector's adapter."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lookups:
    """Seconds, counted from the beginning of the lost call.

    `at`: when to look. `give_up_after`: from then on a supplier that still knows nothing of it is believed.
    """

    at: tuple[int, ...]
    give_up_after: int

    def first(self, elapsed: float) -> float:
        """When to look first, where the answer was given up `elapsed` seconds after the call began: now, if that is late."""
        return max(self.at[0], elapsed)

    def following(self, elapsed: float) -> float | None:
        """When to look next after a look at `elapsed`; None once it is over."""
        return next((when for when in (*self.at, self.give_up_after) if when > elapsed), None)
