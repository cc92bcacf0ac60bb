"""What beat calls of the hotels."""

from celery import shared_task

from apps.bookings.services.prune import prune_searches
from apps.hotels.models import HotelSearch


@shared_task
def prune_hotel_searches() -> int:
    return prune_searches(HotelSearch)
