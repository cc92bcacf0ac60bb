"""How many passwords a process hashes at once. One hash takes a third of a second of processor time, which /v1 needs too."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import BoundedSemaphore

from django.conf import settings
from django.http import HttpRequest

from apps.portal.sign_in.devices import device_known_to
from apps.portal.sign_in.too_many_attempts import TooManyAttempts

WAIT_SECONDS = 1.0
"""How long a thread waits for a slot. As many threads may wait as there are slots; others are refused at once."""
RETRY_SECONDS = 5
SLOTS_FOR_KNOWN = 1
"""An additional slot that only known browsers use."""


class HashingSlots:
    def __init__(self, size: int) -> None:
        self._free, self._queue = BoundedSemaphore(size), BoundedSemaphore(size)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Hold a slot. Raises TooManyAttempts when the queue is full, or no slot becomes free in time."""
        if not (self._free.acquire(blocking=False) or self._wait()):
            raise TooManyAttempts(RETRY_SECONDS)
        try:
            yield
        finally:
            self._free.release()

    def _wait(self) -> bool:
        if not self._queue.acquire(blocking=False):
            return False
        try:
            return self._free.acquire(timeout=WAIT_SECONDS)
        finally:
            self._queue.release()


def hashing_slots_for(request: HttpRequest, email: str) -> "HashingSlots":
    """The slots of this process for such a request: `with hashing_slots_for(request, email).slot(): …`."""
    if device_known_to(request, email):
        return _slots("known", SLOTS_FOR_KNOWN)
    return _slots("anybody", max(1, settings.SIGN_IN_HASHES_AT_ONCE))


@cache
def _slots(_whose: str, size: int) -> HashingSlots:
    return HashingSlots(size)
