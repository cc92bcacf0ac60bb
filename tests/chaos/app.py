"""The service's WSGI application with weak points: where a file says so, the process kills or stops itself.

A file `$CHAOS_ARMED/<point>` is taken by one process, exactly once. It says KILL (as `kill -9`) or STOP: then the process stands
still, and leaves its number in `<point>.stopped`, until somebody continues it; `<point>.over` is left once the call has ended.
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
    "hold": ("apps.bookings.flow.claim", "perform", "before"),
    "marked": ("apps.bookings.flow.call", "mark_calling", "after"),
    "accepted": ("apps.bookings.flow.call", "call_supplier", "after"),
    # Inside the transaction that captures. Where that is one statement, see `strike_in_the_middle`.
    "money": ("apps.bookings.flow.settle", "move_money", "after"),
    "recorded": ("apps.bookings.flow.call", "record", "after"),
}
# Where the supplier takes an order on and delivers later, there is nothing to pay or to record yet.
LATE_POINTS = {
    **{point: POINTS[point] for point in ("claim", "hold", "marked", "accepted")},
    "pending": ("apps.bookings.flow.call", "accept", "after"),
}
# The four webhook operations, and the service that carries each out.
WEBHOOK_OPERATIONS = {
    "createWebhookEndpoint": "create_endpoint",
    "rotateWebhookSecret": "rotate_secret",
    "testWebhookEndpoint": "send_test",
    "resendWebhookDelivery": "resend",
}
WEBHOOK_POINTS = {
    "claim": POINTS["claim"],
    # And `begun.<operation>`, with no transaction open yet: see `surround`.
    **{
        f"written.{operation}": (
            "apps.webhooks.views",
            service,
            "after",
        )  # not committed, the claim not looked at
        for operation, service in WEBHOOK_OPERATIONS.items()
    },
    "answered": ("apps.gateway.idempotency", "Claim.complete", "after"),  # in the same transaction
    "committed": ("apps.webhooks.views", "answered_together", "after"),
    "told": ("apps.gateway.viewsets", "finish", "after"),
}
PLANTED = "planted"
"""A file of this name among the armed points: the webhook operations ignore that they lost their claim."""
ARMED = Path(os.environ.get("CHAOS_ARMED", "/nonexistent"))


class _Stood(threading.local):
    """Where the call under way in this thread stood still."""

    def __init__(self) -> None:
        self.at: list[str] = []


_stood = _Stood()


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
        _stood.at.append(point)
    else:
        os.kill(os.getpid(), signal.SIGKILL)


def weaken(point: str, module_name: str, path: str, when: str) -> None:
    module: Any = importlib.import_module(module_name)
    *classes, name = path.split(".")
    for class_name in classes:
        module = getattr(module, class_name)
    real: Callable[..., Any] = getattr(module, name)
    accepted = importlib.import_module("apps.bookings.handlers").Accepted

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


def surround() -> None:
    """Weaken the webhook operations where they begin; and do as they once did, where a test asks for that."""
    views: Any = importlib.import_module("apps.webhooks.views")
    transaction: Any = importlib.import_module("django.db.transaction")
    real = views.answered_together

    def answered_together(call: Any, work: Callable[[], Any]) -> Any:
        strike(f"begun.{call.operation.id}")
        if not (ARMED / PLANTED).exists():
            return real(call, work)
        with transaction.atomic():
            answer = work()
            call.claim.complete(answer)
        return answer

    views.answered_together = answered_together


def strike_in_the_middle(point: str) -> None:
    """A settlement that is one statement has no place of ours in its middle: strike while PostgreSQL carries it out."""
    settle: Any = importlib.import_module("apps.bookings.flow.settle")
    database: Any = importlib.import_module("django.db")
    real = settle.end_together

    def strike_once_it_waits(booking: Any, locked: threading.Event) -> None:
        wallet = (
            "SELECT pg_backend_pid() FROM ledger_wallet WHERE account_id = %s AND environment = %s FOR UPDATE"
        )
        waiting = "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid)))"
        try:
            with database.transaction.atomic(), database.connection.cursor() as cursor:
                cursor.execute(wallet, [booking.account_id, booking.environment])
                own = cursor.fetchone()
                locked.set()
                waits = False
                while not waits and (ARMED / point).exists():
                    cursor.execute(waiting, own)
                    (waits,) = cursor.fetchone()
                strike(point)
        finally:
            locked.set()  # on a slow machine others may keep the wallet for longer than a lock is waited for
            database.connection.close()

    def end_together(booking: Any, operation: Any, **more: Any) -> Any:
        if not database.connection.in_atomic_block and (ARMED / point).exists():
            locked = threading.Event()
            threading.Thread(target=strike_once_it_waits, args=(booking, locked), daemon=True).start()
            locked.wait()
        return real(booking, operation, **more)

    settle.end_together = end_together


def application(environ: Any, start_response: Any) -> Any:
    try:
        return service(environ, start_response)
    finally:
        while _stood.at:
            (ARMED / f"{_stood.at.pop()}.over").touch()


surround()
strike_in_the_middle("money")
for _point, _place in {**POINTS, **LATE_POINTS, **WEBHOOK_POINTS}.items():
    weaken(_point, *_place)
