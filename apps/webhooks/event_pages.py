"""The list of events for the portal: keyset pages, newest first, each event with what became of its deliveries."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Prefetch, Q, QuerySet

from apps.common import keyset
from apps.common.errors import NotFound
from apps.common.ids import is_well_formed
from apps.common.querysets import id_begins, reference_begins
from apps.webhooks.models import UNFINISHED, Delivery, DeliveryStatus, Event

PAGE_LENGTH = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which events the list shows; empty does not narrow it. `since` is included, `until` is not."""

    type: str = ""
    called: str = ""
    """The beginning of an event's id or of a booking's reference, or a booking's id."""
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Deliveries:
    """How many deliveries of one event there are."""

    delivered: int = 0
    unfinished: int = 0
    ended: int = 0
    """FAILED or EXHAUSTED."""

    @property
    def total(self) -> int:
        return self.delivered + self.unfinished + self.ended


@dataclass(frozen=True, slots=True)
class Page(keyset.Page[Event]):
    deliveries: dict[str, Deliveries] = field(default_factory=dict)
    """By the event's id; without those that went nowhere."""

    @property
    def sent(self) -> list[tuple[Event, Deliveries]]:
        return [(event, self.deliveries.get(event.pk, Deliveries())) for event in self.rows]


def page_of_events(
    account_id: str,
    environment: str,
    *,
    filters: Filters,
    cursor: str | None = None,
    length: int = PAGE_LENGTH,
) -> Page:
    """One page, in two statements. A malformed cursor shows the first page."""
    rows = selected(account_id, environment, filters).defer("payload")
    events, older = keyset.page_of(rows, cursor, length)
    return Page(events, older, deliveries_of_events([event.pk for event in events]))


def selected(account_id: str, environment: str, filters: Filters) -> QuerySet[Event]:
    """All that the filters leave, newest first."""
    events = Event.objects.filter(account_id=account_id, environment=environment)
    if filters.type:
        events = events.filter(type=filters.type)
    if filters.since is not None:
        events = events.filter(created_at__gte=filters.since)
    if filters.until is not None:
        events = events.filter(created_at__lt=filters.until)
    return events.filter(called(filters.called)).order_by("-created_at", "-id")


def called(text: str) -> Q:
    """Those that `text` names, each way by an index of its own."""
    if not text:
        return Q()
    if text.lower().startswith("evt"):
        return id_begins("id", text)
    if "_" in text:
        return Q(booking_id=text.lower()) & ~Q(booking_id="")
    return reference_begins("booking_reference", text) & ~Q(booking_reference="")


def deliveries_of_events(event_ids: Collection[str]) -> dict[str, Deliveries]:
    """One statement; none for no events."""
    counts = {
        "all_": Count("pk"),
        "delivered": Count("pk", filter=Q(status=DeliveryStatus.DELIVERED)),
        "unfinished": Count("pk", filter=Q(status__in=UNFINISHED)),
    }
    rows = Delivery.objects.filter(event_id__in=event_ids).values_list("event_id").annotate(**counts)
    return {
        event_id: Deliveries(delivered=good, unfinished=waiting, ended=all_ - good - waiting)
        for event_id, all_, good, waiting in rows
    }


def event_of(account_id: str, environment: str, event_id: str) -> Event:
    """One event with its deliveries and their endpoints, oldest first; raises NotFound for an unknown or foreign one."""
    deliveries = Delivery.objects.select_related("endpoint").order_by("created_at", "id")
    mine = Event.objects.filter(account_id=account_id, environment=environment)
    found = mine.prefetch_related(Prefetch("deliveries", deliveries)).filter(pk=event_id)
    event = found.first() if is_well_formed(event_id) else None
    if event is None:
        raise NotFound("There is no such event.", ours=True)
    return event
