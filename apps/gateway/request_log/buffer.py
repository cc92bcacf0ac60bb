"""The drafts of this process that the writer has not taken yet. The buffer is bounded, so that it cannot use up the memory."""

import threading
from collections import deque

from apps.gateway.request_log.draft import Draft

MAX_CALLS = 4_000
MAX_BYTES = 16 * 1024 * 1024
"""Of what drafts have in `more`, which is 10 KB where a partner sends such calls: MAX_CALLS of those would be 40 MB. The rest of
a draft is about 1 KB, and 4 KB where path and headers are long.
"""
MAX_OWNERLESS = 10
"""Calls without a recognised key between two rounds of the writer. A flood of them must not displace the calls of partners."""


class Buffer:
    """Any thread appends and the writer takes. No thread waits for another."""

    def __init__(
        self, *, calls: int = MAX_CALLS, ownerless: int = MAX_OWNERLESS, size: int = MAX_BYTES
    ) -> None:
        self._drafts: deque[Draft] = deque()
        self._max_bytes, self._bytes = size, 0
        self._max_calls, self._max_ownerless = calls, ownerless
        self._ownerless = 0
        self._dropped = 0
        self._counting = threading.Lock()

    def admits(self, *, owned: bool) -> bool:
        """Whether there is room for one more draft. If not, counts it as dropped. Asked before the draft is made."""
        if not owned:
            self._ownerless += 1
            return self._ownerless <= self._max_ownerless
        if len(self._drafts) >= self._max_calls or self._bytes >= self._max_bytes:
            self.count_dropped(1)
            return False
        return True

    def append(self, draft: Draft) -> None:
        if draft.more:
            with self._counting:
                self._bytes += len(draft.more)
        self._drafts.append(draft)

    def take(self, most: int) -> list[Draft]:
        """Removes and returns the oldest drafts, at most `most`."""
        self._ownerless = 0
        taken: list[Draft] = []
        while self._drafts and len(taken) < most:
            taken.append(self._drafts.popleft())
        with self._counting:
            self._bytes -= sum(len(draft.more) for draft in taken)
        return taken

    def count_dropped(self, calls: int) -> None:
        with self._counting:
            self._dropped += calls

    def take_dropped(self) -> int:
        """How many were dropped since the last call of this method."""
        with self._counting:
            dropped, self._dropped = self._dropped, 0
        return dropped

    def __len__(self) -> int:
        return len(self._drafts)
