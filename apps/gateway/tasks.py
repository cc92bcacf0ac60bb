"""The periodic tasks of the gateway."""

from celery import shared_task

from apps.gateway import search_quota
from apps.gateway.heartbeats import BEAT_TASK
from apps.keys.bypass import rebypass_recent_changes


@shared_task(name=BEAT_TASK)
def every_second() -> None:
    """Called by beat: distrust cached copies of keys that changed."""
    rebypass_recent_changes()


@shared_task(name="gateway.give_back_search_units")
def give_back_search_units() -> None:
    """Called by beat: return the quota units of searches whose process died."""
    search_quota.give_back_lapsed()
