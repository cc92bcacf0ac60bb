"""Reads of bookings and operations."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import CharField, Count, Q, QuerySet
from django.db.models.expressions import RawSQL

from apps.bookings.models import OPEN_STATES, Booking, Operation, OperationState, Product, Settlement
from apps.bookings.travellers import with_keys
from apps.common import keyset
from apps.common.errors import NotFound
from apps.common.ids import is_well_formed
from apps.common.querysets import id_begins, reference_begins
from apps.keys.partner import Partner

FILTERS = {"externalReference": "external_reference", "tripReference": "trip_reference", "status": "status"}


SERVICE_DAY = RawSQL(
    "CASE product WHEN 'hotel' THEN details ->> 'check_in' "
    "WHEN 'flight' THEN left(details #>> '{slices,0,leg,departure_at}', 10) "
    "WHEN 'transfer' THEN left(details #>> '{search,outbound}', 10) END",
    (),
    CharField(),
)
"""The local date on which the first service of a booking begins, `2027-01-31`; null for an eSIM. An index has it
(`booking_by_service_day`): the text is that of its migration."""


def serving_from(first: date | None, last: date | None) -> Q:
    """Bookings, with `SERVICE_DAY` as `service_day`, whose first service begins in these days, both included."""
    condition = Q()
    if first is not None:
        condition &= Q(service_day__gte=first.isoformat())
    if last is not None:
        condition &= Q(service_day__lte=last.isoformat())
    return condition


def bookings_of(account_id: str, environment: str, product: str) -> QuerySet[Booking]:
    """All bookings of one product that an account made in one environment."""
    mine = Booking.objects.filter(account_id=account_id, environment=environment, product=product)
    return with_keys(mine)


def filtered(partner: Partner, product: str, filters: Mapping[str, str]) -> QuerySet[Booking]:
    """The partner's bookings of a product, narrowed by the wire's filters (contract §1)."""
    named = {FILTERS[name]: value for name, value in filters.items()}
    return bookings_of(partner.account_id, partner.environment, product).filter(**named)


def booking_of(partner: Partner, product: str, booking_id: str) -> Booking:
    """One booking of the partner's; NotFound for unknown, malformed and foreign ids alike."""
    if not is_well_formed(booking_id):
        raise NotFound
    booking = bookings_of(partner.account_id, partner.environment, product).filter(pk=booking_id).first()
    if booking is None:
        raise NotFound
    return booking


# --- The portal's list of all four products -------------------------------------------------------------------------------
# Newest first, in keyset pages. The indexes begin with the product: so the newest rows of each product are read, and merged.
PAGE = 50
LISTED = (
    *("reference", "external_reference", "product", "status"),
    *("total_cents", "currency", "created_at"),
)
"""The columns that a list shows."""
IN_WORDS = (*LISTED, "details", "erased_at")
"""The same, and what says in words what was booked."""
OF_AN_ID = re.compile(r"(?:hbk|ford|tord|eord|etop)_", re.IGNORECASE)
OF_A_REFERENCE = re.compile(r"[HFTE](?:-|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """`text` is the beginning of an id, of a reference, or of an externalReference; `trip` is a whole tripReference. `since` is
    included, `until` is not; of the days of travel, by `SERVICE_DAY`, both are.
    """

    product: str = ""
    status: str = ""
    text: str = ""
    trip: str = ""
    travel_from: date | None = None
    travel_to: date | None = None
    since: datetime | None = None
    until: datetime | None = None


def page_of_bookings(
    account_id: str,
    environment: str,
    *,
    filters: Filters,
    cursor: str | None = None,
    limit: int = PAGE,
    columns: Sequence[str] = LISTED,
) -> keyset.Page[Booking]:
    """One page, in one statement. A cursor that is not ours shows the first page."""
    products = [filters.product] if filters.product else Product.values
    read = with_keys if "details" in columns else QuerySet.all
    newest = [
        read(narrowed(account_id, environment, replace(filters, product=product), cursor)).only(*columns)[
            : limit + 1
        ]
        for product in products
    ]
    merged = (
        newest[0].union(*newest[1:], all=True).order_by("-created_at", "-id") if newest[1:] else newest[0]
    )
    return keyset.Page(*keyset.split(list(merged[: limit + 1]), limit))


MOST_SUMMED = 5_000
"""So many of the newest bookings are summed."""


@dataclass(frozen=True, slots=True)
class Sum:
    """Of the bookings in one currency. Those that failed are counted, and their totals left out."""

    currency: str
    bookings: int
    failed: int
    total_cents: int
    refunded_cents: int


def sums_of(account_id: str, environment: str, filters: Filters) -> list[Sum]:
    """Of the newest MOST_SUMMED bookings that the filters leave. One statement."""
    products = [filters.product] if filters.product else Product.values
    columns = ("currency", "status", "total_cents", "cancellation", "created_at", "id")
    newest = [
        narrowed(account_id, environment, replace(filters, product=product), None).values_list(*columns)[
            :MOST_SUMMED
        ]
        for product in products
    ]
    merged = (
        newest[0].union(*newest[1:], all=True).order_by("-created_at", "-id") if newest[1:] else newest[0]
    )
    sql, parameters = merged[:MOST_SUMMED].query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT currency, count(*), count(*) FILTER (WHERE status = 'failed'),
                   coalesce(sum(total_cents) FILTER (WHERE status <> 'failed'), 0)::bigint,
                   coalesce(sum((cancellation ->> 'refundCents')::bigint) FILTER (WHERE status <> 'failed'), 0)::bigint
              FROM ({sql}) AS listed GROUP BY currency ORDER BY currency""",  # noqa: S608 - the ORM wrote it
            parameters,
        )
        return [Sum(*row) for row in cursor.fetchall()]


def narrowed(account_id: str, environment: str, filters: Filters, cursor: str | None) -> QuerySet[Booking]:
    """One product's bookings after the cursor, newest first."""
    bookings = selected(account_id, environment, filters)
    return bookings.filter(keyset.below(cursor)).order_by("-created_at", "-id")


def selected(account_id: str, environment: str, filters: Filters) -> QuerySet[Booking]:
    """All that the filters leave, in no order."""
    conditions: dict[str, Any] = {
        "account_id": account_id,
        "environment": environment,
        "product__in": [filters.product] if filters.product else Product.values,
    }
    if filters.status:
        conditions["status"] = filters.status
    if filters.since:
        conditions["created_at__gte"] = filters.since
    if filters.until:
        conditions["created_at__lt"] = filters.until
    if filters.trip:
        conditions["trip_reference"] = filters.trip
    bookings = Booking.objects.filter(**conditions)
    if filters.travel_from or filters.travel_to:
        days = serving_from(filters.travel_from, filters.travel_to)
        bookings = bookings.alias(service_day=SERVICE_DAY).filter(days)
    return bookings.filter(called(filters.text)) if filters.text else bookings


def called(text: str) -> Q:
    """Whose id, reference or externalReference begins so."""
    condition = Q(external_reference__begins=text)
    if OF_AN_ID.match(text):
        condition |= id_begins("id", text)
    if OF_A_REFERENCE.match(text):
        condition |= reference_begins("reference", text)
    return condition


def ids_of_bookings_called(account_id: str, environment: str, text: str) -> tuple[str, ...]:
    """Of the newest bookings that `text` names, as above. One statement."""
    filters = Filters(text=text)
    return tuple(booking.pk for booking in page_of_bookings(account_id, environment, filters=filters).rows)


def any_booking_of(account_id: str, environment: str, booking_id: str) -> Booking:
    """One booking of any product. Raises NotFound for unknown, malformed and foreign ids alike."""
    mine = Booking.objects.filter(account_id=account_id, environment=environment).select_related(
        "key__created_by"
    )
    booking = with_keys(mine).filter(pk=booking_id).first() if is_well_formed(booking_id) else None
    if booking is None:
        raise NotFound
    return booking


# --- What waits for staff, read from small partial indexes ----------------------------------------------------------------
LATE = timedelta(hours=1)
HELD_LONG = timedelta(days=1)


def stuck_operations(now: datetime) -> QuerySet[Operation]:
    """Operations that are uncertain, or with staff, or have held money for over a day (still open, or not captured yet)."""
    unclear = Operation.objects.filter(state__in=[OperationState.UNCERTAIN, OperationState.REVIEW])
    return Operation.objects.filter(pk__in=unclear.values("pk").union(held_long(now).values("pk"), all=True))


def held_long(now: datetime) -> QuerySet[Operation]:
    """Operations with a hold older than a day. A hold is open while its operation is, or until what is owed is settled."""
    before = now - HELD_LONG
    states = set(OPEN_STATES) - {OperationState.AWAITING}  # which is for the partner's people to decide
    still_open = Operation.objects.filter(state__in=states, created_at__lt=before).exclude(hold_id="")
    owed = Settlement.objects.filter(settled_at=None, created_at__lt=before).exclude(hold_id="")
    both = still_open.values("pk").union(owed.values("operation_id"), all=True)
    return Operation.objects.filter(pk__in=both)


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many operations wait for staff, and how many have been uncertain for long."""

    with_staff: int
    uncertain_for_long: int


def waiting_operations(now: datetime) -> Waiting:
    """Counted in one statement."""
    late = Q(state=OperationState.UNCERTAIN, created_at__lt=now - LATE)
    found = Operation.objects.filter(state__in=[OperationState.UNCERTAIN, OperationState.REVIEW]).aggregate(
        review=Count("pk", filter=Q(state=OperationState.REVIEW)), late=Count("pk", filter=late)
    )
    return Waiting(found["review"], found["late"])
