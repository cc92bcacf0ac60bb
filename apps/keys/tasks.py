"""The catalogue's sweep. Beat calls it each second; it finds its own work."""

from celery import shared_task

from apps.keys.services import bypass


@shared_task
def rebypass_recent_changes() -> int:
    return bypass.rebypass_recent_changes()
