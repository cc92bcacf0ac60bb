"""For whom this thread works: the ids that its log lines carry where they are written as JSON (`json_lines.py`)."""

import threading
from typing import Protocol

Ids = dict[str, str]


class Work(Protocol):
    """Something that a thread does for somebody, such as a call."""

    def log_ids(self) -> Ids:
        """Its ids, by the names that log lines give them. Asked for each line anew: a call learns whose it is on its way."""
        ...


class Known:
    """Work whose ids are known and stay the same."""

    __slots__ = ("_ids",)

    def __init__(self, ids: Ids) -> None:
        self._ids = ids

    def log_ids(self) -> Ids:
        return self._ids


_here = threading.local()


def enter(work: Work | None) -> None:
    """From now on this thread works for `work`; None: for nobody."""
    _here.work = work


def ids() -> Ids:
    """The ids of what this thread does."""
    work: Work | None = getattr(_here, "work", None)
    return work.log_ids() if work is not None else {}


def handed_on() -> Known:
    """The same work for another thread. It keeps the ids, and nothing else of a call that may end before it."""
    return Known(ids())
