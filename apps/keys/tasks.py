"""The sweep that bypasses recent changes again. Beat calls it every second; it finds its own work."""

from celery import shared_task

from apps.keys.services import bypass


@shared_task
def rebypass_recent_changes() -> int:
    return bypass.rebypass_recent_changes()
