"""What beat calls of the gateway."""

from celery import shared_task

from apps.gateway.heartbeats import TASK, leave


@shared_task(name=TASK)
def heartbeat() -> None:
    leave("worker")
