"""The list of deliveries for the portal: keyset pages, newest first. The cursor is readable and gives access to nothing."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from apps.common import keyset
from apps.common.querysets import id_begins
from apps.webhooks.models import Delivery
from apps.webhooks.selectors import deliveries_of

PAGE_LENGTH = 50
SHOWN = (
    *("account_id", "environment", "event_type", "status", "attempt_count", "next_attempt_at", "created_at"),
    *("endpoint__url", "endpoint__description", "endpoint__status", "endpoint__deleted_at"),
    *("endpoint__schedule_ahead", "endpoint__due_from"),
)
"""The columns that a list shows. Half of the time that rows take is spent on columns, so no others are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which deliveries the list shows; None does not narrow it. `since` is included, `until` is not."""

    status: str | None = None
    event_type: str | None = None
    endpoint_id: str | None = None
    called: str = ""
    """The beginning of the id of a delivery or of an event."""
    since: datetime | None = None
    until: datetime | None = None


def page_of_deliveries(
    account_id: str,
    environment: str,
    *,
    filters: Filters,
    cursor: str | None = None,
    length: int = PAGE_LENGTH,
) -> keyset.Page[Delivery]:
    """Deliveries with their endpoints, one page, in one statement. A malformed cursor shows the first page."""
    rows = selected(account_id, environment, filters).select_related("endpoint").only(*SHOWN)
    return keyset.Page(*keyset.page_of(rows, cursor, length))


def selected(account_id: str, environment: str, filters: Filters) -> QuerySet[Delivery]:
    """All that the filters leave, newest first."""
    deliveries = deliveries_of(
        account_id,
        environment,
        status=filters.status,
        event_type=filters.event_type,
        endpoint_id=filters.endpoint_id,
        since=filters.since,
        until=filters.until,
    )
    if filters.called:
        of_event = filters.called.lower().startswith("evt")
        deliveries = deliveries.filter(id_begins("event_id" if of_event else "id", filters.called))
    return deliveries
