"""What one call may take: seconds and bytes."""

from dataclasses import dataclass

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds and bytes of one call.

    `connect` bounds each stage of connecting, and `read` each wait for a byte. `total` bounds the whole call with its retries,
    to the last byte. `max_bytes` counts what an answer's body unpacks to.
    """

    connect: float = 5
    read: float = 30
    total: float | None = None
    max_bytes: int = 16 * MEBIBYTE

    @property
    def whole(self) -> float:
        """Seconds of the whole call: `total`, or `connect` and `read` together."""
        return self.connect + self.read if self.total is None else self.total
