"""Several calls of one request at the same time, on threads that serve no requests."""

import contextvars
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TypeVar

from django.db import connections

from apps.common import logs
from apps.suppliers.errors import SupplierError

T = TypeVar("T")
AT_ONCE = 8
"""In a process, for all of its requests: further calls wait for a thread. Each ends within the bound that its caller has set by
`all_within`, so that no one waits for long.
"""


def side_by_side(calls: Sequence[Callable[[], T]]) -> list[T | SupplierError]:
    """What each of the calls returned, or the SupplierError that ended it, in their order."""
    work = logs.handed_on()
    # A copy each: a context can be entered by one thread at a time.
    tasks = [_threads().submit(contextvars.copy_context().run, partial(_ended, work, call)) for call in calls]
    return [task.result() for task in tasks]


def _ended(work: logs.Known, call: Callable[[], T]) -> T | SupplierError:
    logs.enter(work)
    try:
        return call()
    except SupplierError as error:
        return error
    finally:
        logs.enter(None)
        connections.close_all()  # of this thread: a call may have written an alert


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(AT_ONCE, thread_name_prefix="supplier-call")


os.register_at_fork(after_in_child=_threads.cache_clear)
