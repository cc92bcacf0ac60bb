"""Forgets what suppliers have told of hotels that no search finds any more (`HotelFacts`), whoever told it."""

from datetime import timedelta

from django.db.models import Q

from apps.common import clock
from apps.common.querysets import prune
from apps.hotels.models import HotelFacts

KEPT_FOR = timedelta(days=30)
MOST_KEPT = 50_000


def forget_facts() -> int:
    """Delete what no search has found for a month, and the oldest rows above MOST_KEPT. Returns how many."""
    before = clock.now() - KEPT_FOR
    gone = prune(
        HotelFacts.objects.filter(Q(learned_at__lt=before) | Q(learned_at=None, wanted_at__lt=before))
    )
    surplus = HotelFacts.objects.order_by("-pk").values("pk")[MOST_KEPT:]
    return gone + prune(HotelFacts.objects.filter(pk__in=surplus))
