"""Takes down what is asked and answered, while somebody records."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

KEPT_HEADERS = (
    "content-type",
    "retry-after",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "date",
)
"""The others may hold keys, cookies and ids of our account."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One exchange. `target` is path and query, without the address."""

    method: str
    target: str
    sent: bytes
    status: int
    headers: dict[str, str]
    answered: bytes


@dataclass(slots=True)
class Tape:
    taken: list[Taken] = field(default_factory=list)


_tape: ContextVar[Tape | None] = ContextVar("tape", default=None)


@contextmanager
def recording() -> Iterator[Tape]:
    """All exchanges of the block, of this thread."""
    tape = Tape()
    token = _tape.set(tape)
    try:
        yield tape
    finally:
        _tape.reset(token)


def take_down(
    method: str, target: str, sent: bytes, status: int, headers: Mapping[str, str], answered: bytes
) -> None:
    """Called with each exchange; it does nothing unless somebody records."""
    tape = _tape.get()
    if tape is not None:
        kept = {name: headers[name] for name in KEPT_HEADERS if name in headers}
        tape.taken.append(Taken(method, target, sent, status, kept, answered))
