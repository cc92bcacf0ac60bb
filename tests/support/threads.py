"""Real threads with database connections of their own, let go at one instant."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")


def all_at_once(calls: Sequence[Callable[[], Result]]) -> list[Result]:
    """What each of `calls` returned, all of them begun together; the first exception is raised here."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Result]) -> Result:
        try:
            connection.ensure_connection()
            start.wait(timeout=60)
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
