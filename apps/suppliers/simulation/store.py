"""What a simulated supplier remembers: an append-only list of the writes that it accepted.

A booking's present state is the record of its latest write. So a lost answer can be looked up by our own
reference, and what was really booked, changed or cancelled can be counted afterwards.
"""

from dataclasses import dataclass
from typing import Any, Protocol

BOOK = "book"
CHANGE = "change"
CANCEL = "cancel"
ACCEPT = "accept"


@dataclass(frozen=True, slots=True)
class Write:
    """One accepted write: the `sequence`-th (from 0) to the booking `reference`, left as `record`."""

    kind: str
    client_ref: str
    reference: str
    sequence: int
    record: Any


class AlreadyWrittenError(Exception):
    """The client reference was used before, or another write to the same booking came first."""


class Store(Protocol):
    """The memory of one product's simulator."""

    def add(self, write: Write) -> None:
        """Remember `write`; raises AlreadyWrittenError."""

    def find(self, kind: str, client_ref: str) -> Write | None:
        """The write that was sent with our reference `client_ref`."""

    def latest(self, reference: str) -> Write | None:
        """The latest write to the booking `reference`."""
