"""The periodic task of the status page."""

from celery import shared_task

from apps.status.on_disk import write


@shared_task(name="status.measure_and_write")
def measure_and_write() -> None:
    """Called by beat each minute: count, check, and write the page on the worker's host."""
    write(measuring=True)
