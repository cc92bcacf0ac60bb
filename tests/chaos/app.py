"""The service's WSGI application with weak points: where a file says so, the process kills or stops itself.

A file `$CHAOS_ARMED/<point>` is taken by one process, exactly once. It says KILL (as `kill -9`) or STOP: then the process stands
still, and leaves its number in `<point>.stopped`, until somebody continues it.
"""

import importlib
import os
import signal
import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from config.wsgi import application as service

# Point → where it is: a function that others call by its module, and whether the process ends before or after it.
POINTS = {
    "claim": ("apps.gateway.idempotency", "claim", "after"),
    "hold": ("apps.bookings.services.resume", "perform", "before"),
    "marked": ("apps.bookings.services.perform", "mark_calling", "after"),
    "accepted": ("apps.bookings.services.perform", "call_supplier", "after"),
    "money": ("apps.bookings.services.settle", "move_money", "after"),  # inside the transaction that captures
    "recorded": ("apps.bookings.services.perform", "record", "after"),
}
# Where the supplier takes an order on and delivers later, there is nothing to pay or to record yet.
LATE_POINTS = {
    **{point: POINTS[point] for point in ("claim", "hold", "marked", "accepted")},
    "pending": ("apps.bookings.services.perform", "accept", "after"),
}
ARMED = Path(os.environ.get("CHAOS_ARMED", "/nonexistent"))


def strike(point: str) -> None:
    """End or stop this process if the point is armed and nobody else took it."""
    taken = ARMED / f"{point}.{os.getpid()}"
    try:
        (ARMED / point).rename(taken)
    except FileNotFoundError:
        return
    if taken.read_text() == "STOP":
        (ARMED / f"{point}.stopped").write_text(str(os.getpid()))
        # To this very thread: another one, taking the signal later, would let it run on for a moment.
        signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)
    else:
        os.kill(os.getpid(), signal.SIGKILL)


def weaken(point: str, module_name: str, name: str, when: str) -> None:
    module = importlib.import_module(module_name)
    real: Callable[..., Any] = getattr(module, name)
    accepted = importlib.import_module("apps.bookings.work").Accepted

    @wraps(real)
    def weak(*args: Any, **kwargs: Any) -> Any:
        if when == "before":
            strike(point)
            return real(*args, **kwargs)
        try:
            result = real(*args, **kwargs)
        except accepted:
            strike(point)
            raise
        strike(point)
        return result

    setattr(module, name, weak)


for _point, _place in {**POINTS, **LATE_POINTS}.items():
    weaken(_point, *_place)
application = service
