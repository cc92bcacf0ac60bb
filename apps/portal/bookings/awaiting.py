"""How much awaits approval, for the navigation of every page and for the sweep of notifications. Reads only."""

from datetime import datetime

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from apps.bookings.models import Booking, Operation, OperationState, Product
from apps.common.querysets import capped_counts
from apps.keys.models import ApiKey
from apps.portal.navigation import MOST_COUNTED


def count_awaiting(account_id: str, environment: str, now: datetime) -> int | None:
    """How many bookings await approval, counted up to one more than the navigation shows; None where none does and no key asks
    for it. One statement.
    """
    waiting = Booking.objects.filter(
        account_id=account_id,
        environment=environment,
        product__in=Product.values,  # the index begins with it
        status=Booking.AWAITING_APPROVAL,
        approval_expires_at__gt=now,
    )
    keys = ApiKey.objects.filter(
        account_id=account_id,
        environment=environment,
        revoked_at=None,
        spend_limit__approval_above_cents__isnull=False,
    )
    count, asking = capped_counts([waiting, keys], most=MOST_COUNTED)
    return count if count or asking else None


def accounts_awaiting() -> "QuerySet[Operation, tuple[str, str]]":
    """The partners for whom something waits, each with the environment; those of sandboxes under their owner."""
    owner = Coalesce("booking__account__sandbox_of", "booking__account")
    waiting = Operation.objects.filter(state=OperationState.AWAITING)
    return waiting.values_list(owner, "booking__environment").distinct()
