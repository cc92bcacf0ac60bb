"""The faults of a test environment: how often its calls and deliveries go wrong, and which of them do.

Nothing is left to chance. Each call and each delivery that could go wrong takes the next number of its environment, and the seed
and that number decide. So the same seed and the same sequence of calls go wrong in the same places, in whichever processes they
run. Setting the faults begins both sequences anew.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from typing import Self

WHOLE = 10_000
"""A share of one. Shares are stored as parts of ten thousand."""
MOST_LATENCY_MS = 10_000
MOST_SEED = 2**31 - 1

ERROR = "error"
LOST_ANSWER = "lost_answer"
LATENCY = "latency"


@dataclass(frozen=True, slots=True)
class Faults:
    """All off by default. Shares are parts of ten thousand."""

    latency_ms: int = 0
    error_share: int = 0
    lost_answer_share: int = 0
    duplicate_delivery_share: int = 0
    shuffle_deliveries: int = 0
    """0 or 1."""
    seed: int = 0

    @classmethod
    def of(cls, stored: Mapping[str, int]) -> Self:
        """As `Sandbox.faults` holds them. What another release stored beside them is passed over."""
        return cls(**{one.name: stored[one.name] for one in fields(cls) if one.name in stored})

    def as_stored(self) -> dict[str, int]:
        """Empty where everything is off, so that nothing is asked on the way of a call."""
        return {} if self == type(self)() else asdict(self)

    @property
    def fails_calls(self) -> bool:
        return bool(self.error_share or self.lost_answer_share)

    @property
    def alters_deliveries(self) -> bool:
        return bool(self.duplicate_delivery_share or self.shuffle_deliveries)

    def of_call(self, number: int) -> str:
        """What happens to the call of that number: ERROR, LOST_ANSWER or nothing. Never both: each share is what it says."""
        drawn = self._draw("call", number) % WHOLE
        if drawn < self.error_share:
            return ERROR
        return LOST_ANSWER if drawn < self.error_share + self.lost_answer_share else ""

    def sends_twice(self, number: int) -> bool:
        """Whether the delivery of that number is sent a second time."""
        return self._draw("duplicate", number) % WHOLE < self.duplicate_delivery_share

    def place(self, number: int) -> int:
        """Where the delivery of that number stands among those that are sent with it."""
        return self._draw("place", number) if self.shuffle_deliveries else number

    def _draw(self, purpose: str, number: int) -> int:
        digest = blake2b(f"{self.seed} {purpose} {number}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big")
