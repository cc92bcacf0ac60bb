"""Wake-ups of the dispatcher: a hint that something is due, never the only word of it.

The sweep finds what a lost one meant.

At most one message waits in the broker: whoever wants to send one first sets a key in Redis, and the
dispatcher takes the key away before it looks for work. A running dispatcher with free places keeps the key
set and looks by itself.
"""

import contextlib
import logging
from collections.abc import Callable

from redis import Redis

from apps.common import redis

logger = logging.getLogger(__name__)

KEY = "webhooks:awake"
PENDING_MS = 5_000  # as long as a lost message may keep others from being sent: a sweep
RUNNING_MS = 1_000


def ring() -> None:
    """Start a dispatcher unless one will look anyway. Never raises and never waits for a dead broker."""
    try:
        if redis.run(lambda client: client.set(KEY, "rung", nx=True, px=PENDING_MS)):
            _send_message()
    except Exception as failure:  # the fact is committed: nothing about its wake-up may fail the request
        logger.warning("No wake-up for webhooks (%s); the sweep will find them", failure)


def _send_message() -> None:
    from apps.webhooks.tasks import deliver_due  # the task imports the dispatcher, which imports this

    deliver_due.apply_async(retry=False, ignore_result=True)


def hold() -> None:
    """A dispatcher is awake and has free places: no messages, please."""
    _quietly(lambda client: client.set(KEY, "running", px=RUNNING_MS))


def let_go() -> None:
    """Called before the look for work that may be the last: what is committed after it rings again."""
    _quietly(lambda client: client.delete(KEY))


def _quietly(work: Callable[[Redis], object]) -> None:
    with contextlib.suppress(redis.RedisUnavailable):
        redis.run(work)
