"""The entries of this process that the writer has not come to yet: bounded, so that memory never is what runs out."""

import threading
from collections import deque

MAX_CALLS = 4_000
MAX_OWNERLESS = 10
"""Calls without a recognised key, between two visits of the writer: a flood of them must not push out what partners did."""


class Buffer:
    """Any thread appends; the writer takes. Nobody waits for anybody."""

    def __init__(self, *, calls: int = MAX_CALLS, ownerless: int = MAX_OWNERLESS) -> None:
        self._entries: deque[bytes] = deque()
        self._max_calls, self._max_ownerless = calls, ownerless
        self._ownerless = 0
        self._dropped = 0
        self._counting = threading.Lock()

    def admits(self, *, owned: bool) -> bool:
        """Whether there is room for one more; where there is none, it counts as dropped. Asked before the entry is made."""
        if not owned:
            self._ownerless += 1
            return self._ownerless <= self._max_ownerless
        if len(self._entries) >= self._max_calls:
            self.count_dropped(1)
            return False
        return True

    def append(self, entry: bytes) -> None:
        self._entries.append(entry)

    def take(self, most: int) -> list[bytes]:
        """The oldest entries, at most so many; they are the caller's from now on."""
        self._ownerless = 0
        taken: list[bytes] = []
        while self._entries and len(taken) < most:
            taken.append(self._entries.popleft())
        return taken

    def count_dropped(self, calls: int) -> None:
        with self._counting:
            self._dropped += calls

    def take_dropped(self) -> int:
        """How many were dropped since this was last asked."""
        with self._counting:
            dropped, self._dropped = self._dropped, 0
        return dropped

    def __len__(self) -> int:
        return len(self._entries)
