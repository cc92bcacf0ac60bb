"""What came of one send: the raw facts, the cause in plain words, and where the time went."""

from dataclasses import dataclass, field

from apps.common.outbound.connection import Timings
from apps.webhooks.causes import Cause
from apps.webhooks.retry_schedule import Outcome, outcome_of

KEPT_BYTES = 8 * 1024


@dataclass(frozen=True, slots=True)
class ReceiverAnswer:
    """The result of one attempt. `cause` is None exactly when the attempt was accepted."""

    status_code: int | None
    body: str
    cause: Cause | None
    duration_ms: int
    timings: Timings = field(default_factory=Timings)

    @property
    def outcome(self) -> Outcome:
        """A 2xx status alone is no success: the answer must have been complete in time as well."""
        outcome = outcome_of(self.status_code)
        return Outcome.FAILED if outcome is Outcome.ACCEPTED and self.cause else outcome


def readable(body: bytes) -> str:
    """The kept part of an answer as text that PostgreSQL can hold: invalid UTF-8 and NUL are replaced."""
    return body[:KEPT_BYTES].decode(errors="replace").replace("\x00", "\N{REPLACEMENT CHARACTER}")
