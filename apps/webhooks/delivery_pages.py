"""The list of deliveries as pages for people: keyset pages, newest first, whose cursor is told and opens nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Q

from apps.common.ids import is_well_formed
from apps.webhooks.models import Delivery
from apps.webhooks.selectors import deliveries_of

PAGE_LENGTH = 50
EPOCH = datetime.fromtimestamp(0, UTC)
SECRETS = ("endpoint__secret_encrypted", "endpoint__previous_secret_encrypted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What the list is narrowed to; None leaves it as it is. `since` is included, `until` is not."""

    status: str | None = None
    event_type: str | None = None
    endpoint_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Deliveries with their endpoints. `older` is the cursor of the next page; None on the last."""

    deliveries: Sequence[Delivery]
    older: str | None


def page_of_deliveries(
    account_id: str,
    environment: str,
    *,
    filters: Filters,
    cursor: str | None = None,
    length: int = PAGE_LENGTH,
) -> Page:
    """One page, in one statement. A cursor that is none of ours shows the first page."""
    deliveries = deliveries_of(
        account_id,
        environment,
        status=filters.status,
        event_type=filters.event_type,
        endpoint_id=filters.endpoint_id,
        since=filters.since,
        until=filters.until,
    )
    if place := _read(cursor):
        created_at, delivery_id = place
        # One comparison that the indexes can follow; an OR of two would scan.
        deliveries = deliveries.filter(
            Q(created_at__lte=created_at) & ~Q(created_at=created_at, id__gte=delivery_id)
        )
    found = list(deliveries.select_related("endpoint").defer(*SECRETS)[: length + 1])
    shown = found[:length]
    return Page(shown, _write(shown[-1]) if len(found) > length else None)


def _write(delivery: Delivery) -> str:
    return f"{(delivery.created_at - EPOCH) // timedelta(microseconds=1)}-{delivery.pk}"


def _read(cursor: str | None) -> tuple[datetime, str] | None:
    instant, _, delivery_id = (cursor or "").partition("-")
    if not (instant.isascii() and instant.isdigit() and len(instant) <= 17 and is_well_formed(delivery_id)):
        return None
    return EPOCH + timedelta(microseconds=int(instant)), delivery_id
