"""The faults that a partner can ask of the sandbox's suppliers, of any product (contract §3, sandbox triggers)."""

import threading
import time

from django.conf import settings

from apps.suppliers.errors import Rejected, Unavailable

SUPPLIER_ERROR = "supplier_error"
SLOW = "slow"


def fault_named(name: str) -> "Fault | None":
    """The fault of that name; None for an empty one. Raises ValueError for a name that is none of ours."""
    if not name:
        return None
    if name not in (SUPPLIER_ERROR, SLOW):
        raise ValueError(f"no such fault: {name}")
    return Fault(name)


class Fault:
    """One fault, for the length of one request."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waited = False

    def happen(self) -> None:
        """At each call: `supplier_error` refuses it, `slow` delays the first. Raises Rejected, Unavailable.

        A request that makes two calls (re-price, then book) is late once, not twice.
        """
        if self._name == SUPPLIER_ERROR:
            raise Rejected("the sandbox was asked for a supplier error")
        if not self._waited:
            self._waited = True
            be_late()


_late = threading.Lock()
_late_calls = 0


def be_late() -> None:
    """Keep the thread for SANDBOX_SLOW_SECONDS; half of a process's threads at most, as many as one test account may have.

    Raises Unavailable at once for any call beyond those: nothing was begun, and the call may be repeated.
    """
    global _late_calls
    with _late:
        if _late_calls >= max(4, settings.WEB_THREADS // 2):
            raise Unavailable("the sandbox already answers as many calls late as it can")
        _late_calls += 1
    try:
        time.sleep(settings.SANDBOX_SLOW_SECONDS)
    finally:
        with _late:
            _late_calls -= 1
