"""Recoveries send again what an endpoint missed: what is selected, start, stop and resume. `advance_recoveries` sends."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from apps.common import clock
from apps.common.clock import rfc3339
from apps.common.errors import Conflict, InvalidRequest
from apps.webhooks.models import (
    UNDER_WAY,
    Delivery,
    DeliveryStatus,
    DisabledReason,
    Endpoint,
    Event,
    ItemState,
    Recovery,
    RecoveryItem,
    RecoveryStatus,
)
from apps.webhooks.retry_schedule import RETRY_DELAYS
from apps.webhooks.selectors import refuse_disabled

UNSUCCESSFUL = (DeliveryStatus.FAILED, DeliveryStatus.EXHAUSTED)


@dataclass(frozen=True, slots=True)
class Selection:
    """`since`: deliveries that ended FAILED or EXHAUSTED then or later; `until`, `event_types` and `statuses` narrow them.

    With RETRYING among the `statuses`, also deliveries of events of that time that wait for their next attempt.

    `include_missed` adds the events of that time of which the endpoint has no delivery: those that happened while
    it was disabled. Only types it subscribes to now, and nothing from before it existed.
    """

    since: datetime
    until: datetime | None = None
    """Not included; None: up to now."""
    event_types: tuple[str, ...] = ()
    """None given: all."""
    statuses: tuple[str, ...] = UNSUCCESSFUL
    include_missed: bool = False

    @classmethod
    def of(cls, recovery: Recovery) -> "Selection":
        """What a recovery is about: nothing from after its start."""
        stored = recovery.selection
        until = datetime.fromisoformat(stored["until"]) if stored["until"] else recovery.created_at
        return cls(
            since=datetime.fromisoformat(stored["since"]),
            until=min(until, recovery.created_at),
            event_types=tuple(stored["eventTypes"]),
            statuses=tuple(stored["statuses"]),
            include_missed=stored["includeMissed"],
        )

    def json(self) -> dict[str, object]:
        """The selection as it is stored with the recovery."""
        return {
            "since": rfc3339(self.since),
            "until": rfc3339(self.until) if self.until else None,
            "eventTypes": list(self.event_types),
            "statuses": list(self.statuses),
            "includeMissed": self.include_missed,
        }


@dataclass(frozen=True, slots=True)
class Preview:
    """How many deliveries a recovery would send now."""

    waiting: int
    unsuccessful: int
    missed: int

    @property
    def total(self) -> int:
        return self.waiting + self.unsuccessful + self.missed


def outage_began_at(endpoint: Endpoint) -> datetime | None:
    """Since when a disabled endpoint may have missed something; None for an enabled one.

    One that was disabled for its failures failed before that: at most for as long as the retry schedule lasts.
    """
    if endpoint.disabled_at is None:
        return None
    by_failures = endpoint.disabled_reason == DisabledReason.CONSECUTIVE_FAILURES
    return endpoint.disabled_at - (sum(RETRY_DELAYS, timedelta(0)) if by_failures else timedelta(0))


def preview(*, endpoint: Endpoint, selection: Selection) -> Preview:
    """The counts, before anything is started."""
    return Preview(
        waiting=waiting_deliveries(endpoint, selection).count(),
        unsuccessful=unsuccessful_deliveries(endpoint, selection).count(),
        missed=missed_events(endpoint, selection).count(),
    )


def selected_event_ids(
    endpoint: Endpoint, selection: Selection, *, after: str = "", most: int | None = None
) -> list[str]:
    """The ids of the events to send, oldest first (ids grow with time): at most `most`, of those after `after`."""
    waiting = waiting_deliveries(endpoint, selection).filter(event_id__gt=after)
    unsuccessful = unsuccessful_deliveries(endpoint, selection).filter(event_id__gt=after)
    missed = missed_events(endpoint, selection).filter(id__gt=after)
    ids = [
        *waiting.order_by("event_id").values_list("event_id", flat=True)[:most],
        *unsuccessful.order_by("event_id").values_list("event_id", flat=True)[:most],
        *missed.order_by("id").values_list("id", flat=True)[:most],
    ]
    return sorted(ids)[:most]


def as_written(event_ids: Sequence[str]) -> list[str]:
    """The events in the order of the feed. Their ids have the time at which each was begun, not that at which it was written."""
    arrived = F("arrival").asc(nulls_first=True)
    return list(
        Event.objects.filter(pk__in=event_ids)
        .order_by(arrived, "created_at", "id")
        .values_list("pk", flat=True)
    )


def unsuccessful_deliveries(endpoint: Endpoint, selection: Selection) -> QuerySet[Delivery]:
    # Account and environment lead the index over what was not delivered; the endpoint's own would read all its history.
    deliveries = Delivery.objects.filter(
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        status__in=set(selection.statuses) & set(UNSUCCESSFUL),
        endpoint=endpoint,
    )
    return _narrowed(deliveries, selection, "completed_at")


def _narrowed(deliveries: QuerySet[Delivery], selection: Selection, time: str) -> QuerySet[Delivery]:
    """Those of the selection's types, whose `time` is in its period."""
    deliveries = deliveries.filter(**{f"{time}__gte": selection.since})
    if selection.until is not None:
        deliveries = deliveries.filter(**{f"{time}__lt": selection.until})
    return deliveries.filter(event_type__in=selection.event_types) if selection.event_types else deliveries


def awaiting_next_attempt(endpoint: Endpoint) -> QuerySet[Delivery]:
    """Those that are due later. What is due now will be sent without being asked for."""
    mine = Delivery.objects.filter(account_id=endpoint.account_id, environment=endpoint.environment)
    return mine.filter(endpoint=endpoint, next_attempt_at__gt=clock.now() + endpoint.schedule_ahead)


def waiting_deliveries(endpoint: Endpoint, selection: Selection) -> QuerySet[Delivery]:
    if DeliveryStatus.RETRYING not in selection.statuses:
        return Delivery.objects.none()
    return _narrowed(awaiting_next_attempt(endpoint), selection, "created_at")


def missed_events(endpoint: Endpoint, selection: Selection) -> QuerySet[Event]:
    if not selection.include_missed:
        return Event.objects.none()
    types = set(endpoint.events)
    if selection.event_types:
        types &= set(selection.event_types)
    events = Event.objects.filter(
        ~Exists(Delivery.objects.filter(event=OuterRef("pk"), endpoint=endpoint)),
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        type__in=types,
        created_at__gte=max(selection.since, endpoint.created_at),
    )
    return events.filter(created_at__lt=selection.until) if selection.until is not None else events


DEFAULT_PER_MINUTE = 300
MAX_PER_MINUTE = 6_000
INSERT_BATCH = 5_000
BATCHES_AT_ONCE = 40  # in one sweep, which has other recoveries to serve
UNDER_WAY_ALREADY = "A recovery of this endpoint is in progress; stop it first."


@transaction.atomic
def start_recovery(
    *, endpoint: Endpoint, selection: Selection, per_minute: int = DEFAULT_PER_MINUTE
) -> Recovery:
    """Start a recovery of what is selected now. Its first delivery is sent alone; the others wait until that is accepted.

    Lists the first events; the sweep continues with the others (`list_more`).

    Raises InvalidRequest (per_minute), and Conflict where nothing is selected, the endpoint is disabled, or one is under way.
    """
    if not 1 <= per_minute <= MAX_PER_MINUTE:
        raise InvalidRequest.field("perMinute", f"must be from 1 to {MAX_PER_MINUTE}")
    refuse_disabled(endpoint)
    recovery = Recovery(
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        endpoint=endpoint,
        selection=selection.json(),
        per_minute=per_minute,
        paced_at=clock.now(),
        created_at=endpoint.now(),
        listed_to="",
    )
    _save_as_the_only_one(recovery)
    if not list_batch(recovery):
        raise Conflict("There is nothing to recover.")
    return recovery


def list_more(recovery_id: str) -> int:
    """List more events of a recovery under way, each batch in its own transaction. Returns how many; 0 where another process
    lists them.
    """
    total = 0
    for _ in range(BATCHES_AT_ONCE):
        with transaction.atomic():
            under_way = Recovery.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
            unlisted = under_way.select_related("endpoint").filter(listed_to__isnull=False)
            recovery = unlisted.filter(pk=recovery_id, status__in=UNDER_WAY).first()
            if recovery is None:
                break
            total += list_batch(recovery)
    return total


def list_batch(recovery: Recovery) -> int:
    """List the next events of a locked recovery, those of a booking in their sequence. Returns how many."""
    event_ids = selected_event_ids(
        recovery.endpoint, Selection.of(recovery), after=recovery.listed_to or "", most=INSERT_BATCH
    )
    RecoveryItem.objects.bulk_create(
        [RecoveryItem(recovery=recovery, event_id=event_id) for event_id in as_written(event_ids)]
    )
    recovery.listed_to = event_ids[-1] if len(event_ids) == INSERT_BATCH else None
    recovery.save(update_fields=["listed_to"])
    return len(event_ids)


@transaction.atomic
def stop_recovery(*, recovery: Recovery) -> Recovery:
    """Send nothing more of it. Raises Conflict where it is over."""
    recovery = lock_recovery(recovery)
    if recovery.status not in (*UNDER_WAY, RecoveryStatus.HALTED):
        raise Conflict(f"This recovery is {recovery.status}.")
    recovery.status = RecoveryStatus.STOPPED
    recovery.halt_reason = None
    recovery.finished_at = recovery.endpoint.now()
    recovery.save()
    return recovery


@transaction.atomic
def resume_recovery(*, recovery: Recovery) -> Recovery:
    """Continue a stopped or halted recovery, again with one delivery first; what was not accepted is sent again.

    Raises Conflict where it is under way or finished, where another one is under way, and while the endpoint is
    disabled.
    """
    recovery = lock_recovery(recovery)
    if recovery.status not in (RecoveryStatus.STOPPED, RecoveryStatus.HALTED):
        raise Conflict(f"This recovery is {recovery.status}.")
    refuse_disabled(recovery.endpoint)
    recovery.status = RecoveryStatus.CANARY
    recovery.halt_reason = recovery.finished_at = None
    recovery.failures_in_a_row = 0
    _save_as_the_only_one(recovery)
    recovery.items.filter(state=ItemState.NOT_ACCEPTED).update(state=ItemState.WAITING)
    return recovery


def lock_recovery(recovery: Recovery) -> Recovery:
    return Recovery.objects.select_for_update(no_key=True, of=("self",)).get(pk=recovery.pk)


def _save_as_the_only_one(recovery: Recovery) -> None:
    try:
        with transaction.atomic():
            recovery.save()
    except IntegrityError:
        raise Conflict(UNDER_WAY_ALREADY) from None
