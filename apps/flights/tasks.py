"""What beat calls of the flights."""

from celery import shared_task

from apps.bookings.pruning import prune_searches
from apps.flights.models import FlightChangeSearch, FlightSearch


@shared_task
def prune_flight_searches() -> int:
    return prune_searches(FlightSearch) + prune_searches(FlightChangeSearch, through="booking__")
