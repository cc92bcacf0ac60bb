"""What came of one send: the raw facts, the cause in plain words, and where the time went."""

from dataclasses import dataclass, field

from apps.webhooks.causes import Cause
from apps.webhooks.schedule import Outcome, outcome_of

KEPT_BYTES = 8 * 1024


@dataclass(slots=True)
class Timings:
    """Milliseconds of each stage; None where it was not reached, or not needed on a kept connection."""

    lookup_ms: int | None = None
    connect_ms: int | None = None
    tls_ms: int | None = None
    first_byte_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """One attempt's result. `cause` is None exactly when the attempt was accepted."""

    status_code: int | None
    body: str
    cause: Cause | None
    duration_ms: int
    timings: Timings = field(default_factory=Timings)

    @property
    def outcome(self) -> Outcome:
        """A status alone does not make a success: the answer must have been complete in time as well."""
        outcome = outcome_of(self.status_code)
        return Outcome.FAILED if outcome is Outcome.ACCEPTED and self.cause else outcome


def readable(body: bytes) -> str:
    """The kept part of an answer as text that PostgreSQL can hold: UTF-8 read leniently, without NUL."""
    return body[:KEPT_BYTES].decode(errors="replace").replace("\x00", "\N{REPLACEMENT CHARACTER}")
