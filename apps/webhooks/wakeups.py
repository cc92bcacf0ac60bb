"""Notifications that wake a dispatcher. They are hints: what a lost one meant is found by the sweep.

At most one message waits in the broker: a process that sends one sets a key in Redis first, and a dispatcher deletes it
before it looks for work. A running dispatcher with free places keeps the key set, because it looks by itself.
"""

import contextlib
import logging
from collections.abc import Callable

from celery import current_app
from redis import Redis

from apps.common import redis

logger = logging.getLogger(__name__)

DELIVER_DUE = "webhooks.deliver_due"
"""The task's name. It is sent by name, because the task imports the dispatcher, which imports this module."""
PRUNE_SANDBOXES = "webhooks.prune_sandboxes"
TAKE_EXAMS = "webhooks.take_exams"
END_LEFT_BEHIND = "webhooks.end_left_behind"
KEY = "webhooks:awake"
PENDING_MS = 5_000  # a lost message keeps others from being sent until the next sweep
RUNNING_MS = 1_000


def notify() -> None:
    """Start a dispatcher unless one will look anyway. Never raises, and does not wait for a broker that is away."""
    try:
        if redis.run(lambda client: client.set(KEY, "notified", nx=True, px=PENDING_MS)):
            current_app.send_task(DELIVER_DUE, retry=False, ignore_result=True)
    except Exception as failure:  # the fact is committed: nothing about its notification may fail the request
        logger.warning("No wake-up for webhooks (%s); the sweep will find them", failure)


def start(task: str) -> None:
    """Start a task now that beat starts anyway. Never raises."""
    try:
        current_app.send_task(task, retry=False, ignore_result=True)
    except Exception as failure:
        logger.warning("The task %s was not started (%s); beat will start it", task, failure)


def suppress() -> None:
    """For a second no process sends a message: a dispatcher is running and has free places."""
    _quietly(lambda client: client.set(KEY, "running", px=RUNNING_MS))


def allow() -> None:
    """Messages are sent again. To be called before the last look for work, so that what is committed after it notifies."""
    _quietly(lambda client: client.delete(KEY))


def _quietly(work: Callable[[Redis], object]) -> None:
    with contextlib.suppress(redis.RedisUnavailable):
        redis.run(work)
