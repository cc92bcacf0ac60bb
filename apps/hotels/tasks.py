"""What beat calls of the hotels."""

from celery import shared_task

from apps.bookings.pruning import prune_searches
from apps.common.environments import Environment
from apps.hotels.models import HotelSearch
from apps.hotels.services.forget_facts import forget_facts
from apps.hotels.services.orphans import report_orphans
from apps.hotels.suppliers.registry import hotel_supplier
from apps.keys.offered import has_live_supplier


@shared_task
def prune_hotel_searches() -> int:
    return prune_searches(HotelSearch)


@shared_task
def learn_hotels() -> int:
    return hotel_supplier(Environment.LIVE).learn() if has_live_supplier("hotels") else 0


@shared_task
def forget_hotels() -> int:
    return forget_facts()


@shared_task(name="apps.hotels.tasks.look_for_strays")  # beat's table and messages under way have this name
def look_for_orphans() -> int:
    return report_orphans() if has_live_supplier("hotels") else 0
