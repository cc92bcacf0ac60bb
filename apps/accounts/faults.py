"""The faults of a test environment: how often its calls and deliveries go wrong, and which of them do.

Nothing is left to chance. Each call and each delivery that could go wrong takes the next number of its environment, and the seed
and that number decide. So the same seed and the same sequence of calls go wrong in the same places, in whichever processes they
run. Setting the faults begins both sequences again.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from typing import Self

from django.db import connection, transaction

from apps.accounts.models import Sandbox
from apps.accounts.sandboxes import lock_sandbox
from apps.accounts.signals import sandbox_changed

WHOLE = 10_000
"""A share of one. Shares are stored as parts of ten thousand."""
MOST_LATENCY_MS = 10_000
MOST_SEED = 2**31 - 1

ERROR = "error"
LOST_ANSWER = "lost_answer"
LATENCY = "latency"

# One statement, committed by itself: calls at once wait for each other no longer than it takes.
NEXT_CALL = """
UPDATE accounts_sandbox SET calls_drawn = calls_drawn + 1
 WHERE account_id = %s AND retired_at IS NULL RETURNING calls_drawn
"""
NEXT_DELIVERIES = """
UPDATE accounts_sandbox SET deliveries_drawn = deliveries_drawn + %s
 WHERE account_id = %s AND retired_at IS NULL RETURNING deliveries_drawn
"""


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
        """Empty if everything is off, so that nothing is asked on the way of a call."""
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


@transaction.atomic
def set_faults(*, account_id: str, faults: Faults) -> Sandbox:
    """Replace them all; both sequences begin again. Raises Conflict where the environment was reset or closed meanwhile."""
    sandbox = lock_sandbox(account_id)
    sandbox.faults = faults.as_stored()
    sandbox.calls_drawn = sandbox.deliveries_drawn = 0
    sandbox.save(update_fields=["faults", "calls_drawn", "deliveries_drawn"])
    sandbox_changed.send(sender=Sandbox, account_id=account_id)
    return sandbox


def next_call(account_id: str) -> int | None:
    """The number of the next call, from 1. None where the environment was reset or closed meanwhile: then nothing goes wrong."""
    return _counted(NEXT_CALL, [account_id])


def next_deliveries(account_id: str, count: int) -> int | None:
    """The first of the next `count` numbers of deliveries; None as above."""
    last = _counted(NEXT_DELIVERIES, [count, account_id])
    return None if last is None else last - count + 1


def _counted(statement: str, parameters: list[str | int]) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        row = cursor.fetchone()
    return int(row[0]) if row is not None else None
