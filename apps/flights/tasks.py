"""What beat calls of the flights."""

from celery import shared_task

from apps.bookings.pruning import prune_searches
from apps.flights.models import FlightChangeSearch, FlightSearch, FlightServiceList


@shared_task
def prune_flight_searches() -> int:
    of_offers = prune_searches(FlightSearch) + prune_searches(FlightServiceList)
    return of_offers + prune_searches(FlightChangeSearch, through="booking__")
