"""The time for what must not stop or jump when somebody sets a clock: the turns of beat, and the end of the messages it sends."""

import time
from datetime import datetime, timedelta
from functools import cache

from django.db import connection

from apps.common import clock


def steady_now() -> datetime:
    """The time as it goes on from the process's first look at PostgreSQL's clock, UTC."""
    began, at = _first_look()
    return began + timedelta(seconds=time.monotonic() - at)


@cache
def _first_look() -> tuple[datetime, float]:
    """Leaves no connection open that was not there: the first process of a worker has no other use for one."""
    is_open = connection.connection is not None
    found = clock.now(), time.monotonic()
    if not is_open:
        connection.close()
    return found
