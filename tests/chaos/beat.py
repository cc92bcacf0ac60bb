"""What Celery's beat and worker do for bookings, without Celery: the same plain functions, again and again."""

import threading
import time
from collections.abc import Callable
from types import TracebackType

from django.db import connection

from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.flow.recover import recover_due
from apps.bookings.models import Operation, Settlement

EVERY_SECONDS = 0.3
SETTLED_SECONDS = 60


class Beat:
    """`reconciling` False leaves to a later moment what is owed: the capture of transfers, the credit of flight changes."""

    def __init__(self) -> None:
        self._reconciling = True
        self._turn = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.errors: list[Exception] = []

    def __enter__(self) -> "Beat":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()
        assert self.errors == []

    @property
    def reconciling(self) -> bool:
        return self._reconciling

    @reconciling.setter
    def reconciling(self, wanted: bool) -> None:
        """From now on: what is under way is waited for."""
        with self._turn:
            self._reconciling = wanted

    def wait_until_settled(self) -> float:
        """Until nothing is left to resolve or to pay; how long that took. Fails after a minute."""
        return wait_until_none(lambda: open_operations() + owed_settlements())

    def wait_until_resolved(self) -> float:
        """Until no operation is left to resolve, whatever is owed."""
        return wait_until_none(open_operations)

    def _run(self) -> None:
        try:
            while not self._stop.wait(EVERY_SECONDS):
                with self._turn:
                    recover_due()
                    if self.reconciling:
                        settle_owed()
        except Exception as error:
            self.errors.append(error)
        finally:
            connection.close()


def wait_until_none(left: Callable[[], int], give_up_seconds: float = SETTLED_SECONDS) -> float:
    """Seconds until nothing was left."""
    began = time.monotonic()
    while count := left():
        assert time.monotonic() - began < give_up_seconds, f"{count} still open"
        time.sleep(0.1)
    return time.monotonic() - began


def open_operations() -> int:
    """Operations that nobody has resolved; those with staff do not count."""
    return Operation.objects.filter(next_attempt_at__isnull=False).count()


def owed_settlements() -> int:
    return Settlement.objects.filter(settled_at=None).count()
