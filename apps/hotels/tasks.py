"""What beat calls of the hotels."""

from datetime import timedelta

from celery import shared_task
from django.db.models import Q

from apps.bookings.pruning import prune_searches
from apps.common import clock
from apps.common.environments import Environment
from apps.common.querysets import prune
from apps.gateway.periodic import Tally
from apps.hotels.models import HotelChangeSearch, HotelFacts, HotelSearch
from apps.hotels.services.orphans import report_orphans
from apps.hotels.services.sync_properties import sync_properties
from apps.hotels.suppliers.registry import hotel_supplier
from apps.keys.scopes import has_live_supplier, is_sold_to

FACTS_DAYS = 30
MOST_FACTS = 50_000


@shared_task
def prune_hotel_searches() -> int:
    return prune_searches(HotelSearch) + prune_searches(HotelChangeSearch, through="booking__")


@shared_task
def learn_hotels() -> int:
    """The simulator first: it always answers, and a real supplier that does not ends the run."""
    sold_to = [each for each in (Environment.TEST, Environment.LIVE) if is_sold_to("hotels", each)]
    return sum(hotel_supplier(environment).learn() for environment in sold_to)


@shared_task
def sync_hotels() -> Tally:
    tally = Tally()
    sync_properties(tally=tally)
    return tally


@shared_task
def forget_hotels() -> int:
    """Delete the facts of hotels that no search has found for a month, and the oldest rows above MOST_FACTS."""
    before = clock.now() - timedelta(days=FACTS_DAYS)
    gone = prune(
        HotelFacts.objects.filter(Q(learned_at__lt=before) | Q(learned_at=None, wanted_at__lt=before))
    )
    surplus = HotelFacts.objects.order_by("-pk").values("pk")[MOST_FACTS:]
    return gone + prune(HotelFacts.objects.filter(pk__in=surplus))


@shared_task(name="apps.hotels.tasks.look_for_strays")  # beat's table and messages under way have this name
def look_for_orphans() -> int:
    return report_orphans() if has_live_supplier("hotels") else 0
