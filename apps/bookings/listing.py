"""What the products' listings share: parameters, filters, pages (contract §1), and the order of `updatedSince`.

With `updatedSince` a listing has the bookings that changed since an instant, oldest change first, in keyset pages. A reader that
continues from the last `updatedAt` it saw misses no booking, however late a transaction commits:

- A change is stamped inside its statement (`statements.CHANGED`) once its transaction has a number. The stamp is at most LATE
  behind the clock of that moment, however long the caller paused before. So it is no older than its transaction, less LATE.
- A page ends before the oldest transaction that has a number began, less HELD_BACK, which is LATE and a second for processes
  whose readings of the clock differ. What is not visible by then will be stamped later than all that was shown.
- A statement that began before a sandbox's clock moved stamps by the clock of before. `clock_seen_at` is read from the clock
  once the move is visible. While a transaction of before that is open, the page ends before it began by the real clock, which no
  sandbox is behind.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from django.db import connection
from django.db.models import Q, QuerySet

from apps.bookings.models import Booking
from apps.bookings.selectors import filtered
from apps.bookings.statements import LATE
from apps.common import clock, keyset
from apps.common.errors import InvalidRequest
from apps.gateway.operations import QueryParameter
from apps.gateway.pagination import (
    ANY_TEXT,
    ANY_TEXT_SCHEMA,
    PAGE_PARAMETERS,
    binding_of,
    not_issued_here,
    page,
    read_cursor,
    read_filters,
    read_limit,
    write_cursor,
)
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.keys.partner import Partner

NAME = "updatedSince"
HELD_BACK = LATE + timedelta(seconds=1)
EPOCH = datetime.fromtimestamp(0, UTC)

PARAMETER = QueryParameter(
    NAME,
    {"type": "string", "format": "date-time"},
    "Only bookings that changed at this instant or later, RFC 3339, not in the future. The list is then ordered by "
    "`updatedAt`, oldest first. A change appears about five seconds later. To continue, send the last `updatedAt` that you "
    "read: bookings that changed at that instant are repeated, and none is missed.",
    since="1.2",
)

OF_TRIP = QueryParameter(
    "tripReference",
    ANY_TEXT_SCHEMA,
    "Only bookings of the trip with this reference of your own, spelled exactly.",
    since="1.3",
)

SEE_CLOCK = """
WITH unseen AS (
    SELECT account_id FROM accounts_sandbox WHERE account_id = %s AND clock_seen_at IS NULL FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE accounts_sandbox s SET clock_seen_at = clock_timestamp() FROM unseen WHERE s.account_id = unseen.account_id
"""
# How long ago the oldest transaction began that has a number, and the oldest that may go by an older clock of the sandbox. One
# that has only read has no number: it stamps by the clock of the statement that it runs.
UNDER_WAY = """
SELECT clock_timestamp() - min(xact_start) FILTER (WHERE backend_xid IS NOT NULL),
       clock_timestamp() - min(begun) FILTER (WHERE begun < coalesce(
           (SELECT coalesce(clock_seen_at, 'infinity') FROM accounts_sandbox WHERE account_id = %s), '-infinity'))
  FROM (
    SELECT xact_start, backend_xid,
           CASE WHEN backend_xid IS NOT NULL THEN xact_start WHEN state = 'active' THEN query_start END AS begun
      FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
  ) AS session
"""


def read_since(request: PartnerRequest) -> datetime | None:
    """The instant of `updatedSince`; None without one. Raises InvalidRequest if it is invalid or in the future."""
    text = request.query_params.get(NAME)
    if text is None:
        return None
    try:
        since = clock.read_rfc3339(text)
    except ValueError:
        raise InvalidRequest.field(
            NAME, "must be an RFC 3339 date-time, such as 2026-11-20T14:03:22.120Z, with + written as %2B"
        ) from None
    if since > clock.now(request.partner):
        raise InvalidRequest.field(NAME, "must not be in the future")
    return max(since, EPOCH)


def settled_until(partner: Partner) -> datetime:
    """The instant before which no booking will ever be changed any more: in the time of the partner's environment.

    Ask before the rows are read, in another statement. What commits in between is then among the rows.
    """
    moved = partner.account_id if partner.clock_offset else ""
    with connection.cursor() as cursor:
        if moved:
            cursor.execute(SEE_CLOCK, [moved])
        # Read before the look, which may take a while: an instant that is too early does no harm.
        real, ahead = clock.now(), partner.clock_offset
        cursor.execute(UNDER_WAY, [moved])
        numbered, by_older_clock = cursor.fetchone()
    until = real + ahead - max(numbered or timedelta(0), timedelta(0))
    if by_older_clock is not None:
        until = min(until, real - max(by_older_clock, timedelta(0)))
    return until - HELD_BACK


def page_of_updates(
    request: PartnerRequest,
    lists: Sequence[QuerySet[Booking]],
    since: datetime,
    *,
    listing: str,
    filters: dict[str, str],
) -> tuple[list[Booking], str | None]:
    """Up to `limit` of the bookings of `lists`, and the cursor of the next page, None on the last. Raises InvalidRequest."""
    limit = read_limit(request)
    binding = binding_of(request, listing, {**filters, NAME: since.astimezone(UTC).isoformat()})
    cursor = request.query_params.get("cursor")
    place = read_place(cursor, binding) if cursor is not None else None
    until = settled_until(request.partner)
    place_or_later = Q(updated_at__gte=place[0] if place else since, updated_at__lt=until)
    if place is not None:
        place_or_later &= ~Q(updated_at=place[0], id__lte=place[1])
    found = first_of([rows.filter(place_or_later) for rows in lists], "updated_at", "id", limit=limit + 1)
    shown = found[:limit]
    if len(found) <= limit:
        return shown, None
    return shown, write_cursor([shown[-1].updated_at.isoformat(), shown[-1].pk], binding)


def first_of(lists: Sequence[QuerySet[Booking]], *order: str, limit: int) -> list[Booking]:
    """The first `limit` of all lists, in one statement: the first of each are read along its index, and merged."""
    first, *others = [rows.order_by(*order)[:limit] for rows in lists]
    return list(first.union(*others, all=True).order_by(*order)[:limit] if others else first)


def read_place(cursor: str, binding: str) -> tuple[datetime, str]:
    try:
        instant, booking_id = read_cursor(cursor, binding)
        return datetime.fromisoformat(instant), str(booking_id)
    except (ValueError, TypeError):
        raise not_issued_here() from None


def list_parameters(statuses: tuple[str, ...]) -> tuple[QueryParameter, ...]:
    """`limit`, `cursor`, `externalReference`, `tripReference`, `status` and `updatedSince`."""
    return (
        *PAGE_PARAMETERS,
        QueryParameter(
            "externalReference",
            ANY_TEXT_SCHEMA,
            "Only bookings with this reference of your own, spelled exactly.",
        ),
        OF_TRIP,
        QueryParameter(
            "status", {"type": "string", "enum": list(statuses)}, "Only bookings that have this status now."
        ),
        PARAMETER,
    )


def listed(
    request: PartnerRequest,
    product: str,
    present: Callable[[Booking], object],
    *,
    listing: str,
    statuses: tuple[str, ...],
    among: Callable[[QuerySet[Booking]], QuerySet[Booking]] = lambda bookings: bookings,
) -> Answer:
    """One page of the partner's bookings of a product, newest first, or with `updatedSince` in the order in which they changed.

    `among` leaves out what is no record of this listing.
    """
    filters = read_filters(
        request, {"externalReference": ANY_TEXT, "tripReference": ANY_TEXT, "status": statuses}
    )
    rows = among(filtered(request.partner, product, filters))
    since = read_since(request)
    if since is not None:
        shown, cursor = page_of_updates(request, [rows], since, listing=listing, filters=filters)
        return answer_of([present(booking) for booking in shown], cursor)
    return Answer(page(request, rows, present, listing=listing, filters=filters))


def answer_of(data: Sequence[object], cursor: str | None) -> Answer:
    return Answer({"data": data, "hasMore": cursor is not None, "nextCursor": cursor})


def newest_of(
    request: PartnerRequest, lists: Sequence[QuerySet[Booking]], *, listing: str, filters: dict[str, str]
) -> tuple[list[Booking], str | None]:
    """As `page_of_updates`, newest first."""
    limit = read_limit(request)
    binding = binding_of(request, listing, filters)
    cursor = request.query_params.get("cursor")
    older = keyset.after(*read_place(cursor, binding)) if cursor is not None else Q()
    found = first_of([rows.filter(older) for rows in lists], "-created_at", "-id", limit=limit + 1)
    shown = found[:limit]
    if len(found) <= limit:
        return shown, None
    return shown, write_cursor([shown[-1].created_at.isoformat(), shown[-1].pk], binding)
