"""A supplier may take two minutes to book. A partner's request waits `SUPPLIER_CALL_SECONDS`; then the call goes on without it.

The call runs in a thread of its own. If it ends in time, the request writes the result, as if it had made the call itself. If
not, the request is answered 503 and its Idempotency-Key is free again. The thread goes on, owns the operation (its lease is
renewed while this process lives) and writes the result itself. A retry with the same key meanwhile gets 409, in progress. If the
process dies, or is frozen for longer than the lease, recovery takes the operation over and asks the supplier, as after any lost
answer.

The threads are not daemons: a process that is told to stop waits for them, as long as its supervisor lets it.
"""

import logging
import threading
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connections

from apps.bookings.models import Operation
from apps.bookings.services.lease_keeper import LeaseKeeper
from apps.common import logs, tracing
from apps.common.errors import UpstreamUnavailable
from apps.suppliers.errors import Unavailable
from apps.suppliers.registry import refuse_inside_transaction

logger = logging.getLogger(__name__)

Ending = Callable[[], Any]
"""Returns what the supplier answered, or raises what the call ended in."""

THREADS = 32
"""In a process, over all suppliers. Each has a socket, a thread that keeps its lease, and at its end a database connection."""
_places = threading.BoundedSemaphore(THREADS)


class StillUnderWay(UpstreamUnavailable):
    """The supplier has not answered within the wait; the call goes on."""

    default_message = (
        "The supplier is still at work; repeat with the same Idempotency-Key to learn its answer."
    )


def within_wait(operation: Operation, call: Ending, *, settle: Callable[[Ending], None]) -> Any:
    """What `call` returns or raises, if it ends in time. Else raises StillUnderWay, and the call's thread gives its end to
    `settle`.

    Raises Unavailable, having called nothing, where too many calls are under way.
    """
    refuse_inside_transaction()  # the thread has a connection of its own, on which this would not be seen
    if not _places.acquire(blocking=False):
        raise Unavailable("too many long calls are under way")
    long = _LongCall(operation, call, settle)
    try:
        # Written out, because a thread is by default what its parent is, and the web server's own threads are daemons.
        threading.Thread(target=long.run, name=f"call {operation.client_ref}", daemon=False).start()
    except RuntimeError as error:  # the machine has no more threads
        _places.release()
        raise Unavailable("no thread for the call") from error
    return long.answer_within(settings.SUPPLIER_CALL_SECONDS)


class _LongCall:
    """One call. Its lock decides who writes its end: the request, or the thread."""

    def __init__(self, operation: Operation, call: Ending, settle: Callable[[Ending], None]) -> None:
        self._operation = operation
        self._call = call
        self._settle = settle
        self._changed = threading.Condition()
        self._ending: Ending | None = None
        self._left_alone = False
        self._work, self._trace = logs.handed_on(), tracing.here()
        self._keeper = LeaseKeeper(operation, at_once=True, daemon=False)

    def answer_within(self, seconds: float) -> Any:
        """Runs in the request's thread."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._ending is not None, timeout=seconds):
                self._left_alone = True
                self._keeper.start()
        if self._ending is None or self._left_alone:
            logger.warning("%s: no answer in %.0f s, the call goes on", self._operation, seconds)
            raise StillUnderWay
        return self._ending()

    def run(self) -> None:
        """Runs in the call's thread."""
        logs.enter(self._work)
        tracing.enter(self._trace)
        try:
            ending = _ended(self._call)
            with self._changed:
                self._ending = ending
                self._changed.notify_all()
                left_alone = self._left_alone
            if left_alone:
                self._settle(ending)
        except Exception:  # recovery takes the operation over once its lease ends
            logger.exception("%s: what came of the call could not be written down", self._operation)
        finally:
            self._keeper.stop()
            connections.close_all()
            _places.release()


def _ended(call: Ending) -> Ending:
    """How `call` ended, as a function that another thread can call: it returns the same result or raises the same error."""
    try:
        result = call()
    except Exception as error:
        ended_in = error

        def failed() -> Any:
            raise ended_in

        return failed
    return lambda: result
