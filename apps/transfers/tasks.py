"""What beat calls of the transfers."""

from celery import shared_task

from apps.bookings.pruning import prune_searches
from apps.transfers.models import TransferSearch


@shared_task
def prune_transfer_searches() -> int:
    return prune_searches(TransferSearch)
