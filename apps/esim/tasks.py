"""Beat's thin entry to the catalogue's sync, which is a plain function."""

from celery import shared_task

from apps.esim.services.sync import sync_plans


@shared_task
def sync_esim_plans() -> None:
    sync_plans()
