"""Lists of deliveries and events for the portal: keyset pages, newest first; and the events of one booking.

A cursor is readable and gives access to nothing; a malformed one shows the first page.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import BooleanField, Count, Prefetch, Q, QuerySet
from django.db.models.expressions import RawSQL

from apps.common import keyset
from apps.common.errors import NotFound
from apps.common.ids import is_well_formed
from apps.common.querysets import id_begins, reference_begins
from apps.webhooks.models import Delivery, DeliveryStatus, Event
from apps.webhooks.selectors import COUNTS, DeliveryQuery, deliveries_of

PAGE_LENGTH = 50
SHOWN = (
    *("account_id", "environment", "event_type", "status", "attempt_count", "next_attempt_at", "created_at"),
    *("endpoint__url", "endpoint__description", "endpoint__status", "endpoint__deleted_at"),
    *("endpoint__schedule_ahead", "endpoint__due_from"),
)
"""The columns that a list shows. Half of the time that rows take is spent on columns, so no others are read."""


def page_of_deliveries(
    account_id: str,
    environment: str,
    *,
    filters: DeliveryQuery,
    cursor: str | None = None,
    length: int = PAGE_LENGTH,
) -> keyset.Page[Delivery]:
    """Deliveries with their endpoints, one page, in one statement. A malformed cursor shows the first page."""
    rows = deliveries_of(account_id, environment, filters).select_related("endpoint").only(*SHOWN)
    return keyset.page_of(rows, cursor, length)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventQuery:
    """Which events the list shows; empty does not narrow it. `since` is included, `until` is not."""

    type: str = ""
    called: str = ""
    """The beginning of an event's id or of a booking's reference, or a booking's id."""
    since: datetime | None = None
    until: datetime | None = None


STATES = {"ended": "failed", "retrying": "retrying", "unfinished": "pending", "delivered": "delivered"}


@dataclass(frozen=True, slots=True)
class Deliveries:
    """How many deliveries of one event there are."""

    delivered: int = 0
    ended: int = 0
    unfinished: int = 0
    retrying: int = 0
    """Those of the unfinished ones that failed already."""

    @property
    def state(self) -> str:
        """The state of the delivery that needs attention most; empty where it went nowhere."""
        return next((state for count, state in STATES.items() if getattr(self, count)), "")

    @property
    def total(self) -> int:
        return self.delivered + self.unfinished + self.ended


@dataclass(frozen=True, slots=True)
class EventPage(keyset.Page[Event]):
    deliveries: dict[str, Deliveries] = field(default_factory=dict)
    """By the event's id; without those that went nowhere."""

    @property
    def sent(self) -> list[tuple[Event, Deliveries]]:
        return [(event, self.deliveries.get(event.pk, Deliveries())) for event in self.rows]


def page_of_events(
    account_id: str,
    environment: str,
    *,
    filters: EventQuery,
    cursor: str | None = None,
    length: int = PAGE_LENGTH,
) -> EventPage:
    """One page, in two statements. A malformed cursor shows the first page."""
    rows = selected_events(account_id, environment, filters).defer("payload")
    page = keyset.page_of(rows, cursor, length)
    return EventPage(page.rows, page.older, deliveries_of_events([event.pk for event in page.rows]))


def selected_events(account_id: str, environment: str, filters: EventQuery) -> QuerySet[Event]:
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
    retrying = Count("pk", filter=Q(status=DeliveryStatus.RETRYING))
    deliveries = Delivery.objects.filter(event_id__in=event_ids)
    rows = deliveries.values_list("event_id").annotate(**COUNTS, retrying=retrying)
    return {event_id: Deliveries(*counted) for event_id, *counted in rows}


def event_of(account_id: str, environment: str, event_id: str) -> Event:
    """One event with its deliveries and their endpoints, oldest first; raises NotFound for an unknown or foreign one."""
    deliveries = Delivery.objects.select_related("endpoint").order_by("created_at", "id")
    mine = Event.objects.filter(account_id=account_id, environment=environment)
    found = mine.prefetch_related(Prefetch("deliveries", deliveries)).filter(pk=event_id)
    event = found.first() if is_well_formed(event_id) else None
    if event is None:
        raise NotFound("There is no such event.", ours=True)
    return event


# The condition of the index over the events of bookings, as a literal: PostgreSQL cannot use a partial index in a plan for any
# parameters if the condition is a parameter too.
ABOUT_A_BOOKING = RawSQL("booking_id <> ''", (), output_field=BooleanField())


@dataclass(frozen=True, slots=True)
class SentEvent:
    """An event and its deliveries, each with its endpoint, the oldest first."""

    event: Event
    deliveries: list[Delivery]


def events_of_booking(
    account_id: str, environment: str, booking_id: str, *, request_id: str = "", payloads: bool = False
) -> list[SentEvent]:
    """In their order; those that one request led to, where it is named. Their payloads are read with `payloads`."""
    events = Event.objects.filter(account_id=account_id, environment=environment, booking_id=booking_id)
    if request_id:
        events = events.filter(request_id=request_id)
    if not payloads:
        events = events.defer("payload")
    deliveries = Delivery.objects.select_related("endpoint").order_by("created_at", "id")
    found = (
        events.filter(ABOUT_A_BOOKING)
        .order_by("created_at", "sequence", "id")
        .prefetch_related(Prefetch("deliveries", deliveries))
    )
    return [SentEvent(event, list(event.deliveries.all())) for event in found]
