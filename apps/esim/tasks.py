"""Beat's thin entry to the catalogue's sync, which is a plain function."""

from celery import shared_task

from apps.esim.services.sync import sync_plans
from apps.gateway.periodic import Tally


@shared_task
def sync_esim_plans() -> Tally:
    tally = Tally()
    sync_plans(tally=tally)
    return tally
