"""What Celery's beat and worker do for bookings, without Celery: the same plain functions, again and again."""

import threading
import time
from types import TracebackType

from django.db import connection

from apps.bookings.models import Operation, Settlement
from apps.bookings.services.reconcile import settle_owed
from apps.bookings.services.recover import recover_due

EVERY_SECONDS = 0.3
SETTLED_SECONDS = 60


class Beat:
    def __init__(self) -> None:
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

    def wait_until_settled(self) -> float:
        """Until nothing is left to resolve; how long that took. Fails after a minute."""
        began = time.monotonic()
        while open_work():
            assert time.monotonic() - began < SETTLED_SECONDS, f"{open_work()} still open"
            time.sleep(0.1)
        return time.monotonic() - began

    def _run(self) -> None:
        try:
            while not self._stop.wait(EVERY_SECONDS):
                recover_due()
                settle_owed()
        except Exception as error:
            self.errors.append(error)
        finally:
            connection.close()


def open_work() -> int:
    """Operations and settlements that nobody has resolved; those with staff do not count."""
    return (
        Operation.objects.filter(next_attempt_at__isnull=False).count()
        + Settlement.objects.filter(settled_at=None).count()
    )
