"""Listings by `updatedSince`: the bookings that changed since an instant, oldest change first, in keyset pages.

A reader that goes on from the last `updatedAt` it saw misses no booking, however late a transaction commits. `updated_at` is
written by a transaction that may commit after younger ones. So nothing is shown that changed after the oldest transaction under
way began to write, and nothing of the last five seconds: the time from taking the instant to the first write, which includes the
wait for a lock.
"""

from datetime import UTC, datetime, timedelta

from django.db import connection
from django.db.models import Q, QuerySet

from apps.bookings.models import Booking
from apps.common import clock
from apps.common.errors import InvalidRequest
from apps.gateway.call import Call
from apps.gateway.pagination import binding_of, not_issued_here, read_cursor, read_limit, write_cursor
from apps.gateway.routes import QueryParameter
from apps.keys.partner import Partner

NAME = "updatedSince"
HELD_BACK = timedelta(seconds=5)
"""Longer than any statement waits for a lock (DATABASE_LOCK_TIMEOUT_MS)."""
EPOCH = datetime.fromtimestamp(0, UTC)

PARAMETER = QueryParameter(
    NAME,
    {"type": "string", "format": "date-time"},
    "Only bookings that changed at this instant or later, RFC 3339, not in the future. They come in the order of `updatedAt` "
    "then, oldest first. A change shows five seconds after it, or a little later. To go on, send the last `updatedAt` that you "
    "read: what changed in that same moment comes once more, and nothing is missed.",
    since="1.2",
)

# Sessions that have begun to write. A transaction that began to read alone holds nothing back.
OLDEST_WRITER = """
SELECT clock_timestamp() - min(xact_start) FROM pg_stat_activity
WHERE datname = current_database() AND backend_xid IS NOT NULL AND pid <> pg_backend_pid()
"""


def read_since(call: Call) -> datetime | None:
    """The instant of `updatedSince`; None without one. Raises InvalidRequest where it is none, or is in the future."""
    text = call.request.GET.get(NAME)
    if text is None:
        return None
    try:
        since = clock.read_rfc3339(text)
    except ValueError:
        raise InvalidRequest.field(
            NAME, "must be an RFC 3339 date-time, such as 2026-11-20T14:03:22.120Z, with + written as %2B"
        ) from None
    if since > clock.now(call.partner):
        raise InvalidRequest.field(NAME, "must not be in the future")
    return max(since, EPOCH)


def settled_until(partner: Partner) -> datetime:
    """The instant before which no booking will ever be changed any more: in the time of the partner's environment.

    Ask before the rows are read, in another statement. What commits in between is then among the rows.
    """
    # Read before the look, which may take a while: an instant that is too early does no harm.
    now = clock.now(partner)
    with connection.cursor() as cursor:
        cursor.execute(OLDEST_WRITER)
        (age,) = cursor.fetchone()
    return now - max(age or timedelta(0), timedelta(0)) - HELD_BACK


def page_of_updates(
    call: Call, bookings: QuerySet[Booking], since: datetime, *, listing: str, filters: dict[str, str]
) -> tuple[list[Booking], str | None]:
    """Up to `limit` of `bookings`, and the cursor of the next page, None on the last. Raises InvalidRequest."""
    limit = read_limit(call)
    binding = binding_of(call, listing, {**filters, NAME: since.astimezone(UTC).isoformat()})
    cursor = call.request.GET.get("cursor")
    place = read_place(cursor, binding) if cursor is not None else None
    until = settled_until(call.partner)
    rows = bookings.filter(updated_at__gte=place[0] if place else since, updated_at__lt=until)
    if place is not None:
        rows = rows.filter(~Q(updated_at=place[0], id__lte=place[1]))
    found = list(rows.order_by("updated_at", "id")[: limit + 1])
    shown = found[:limit]
    if len(found) <= limit:
        return shown, None
    return shown, write_cursor([shown[-1].updated_at.isoformat(), shown[-1].pk], binding)


def read_place(cursor: str, binding: str) -> tuple[datetime, str]:
    try:
        updated_at, booking_id = read_cursor(cursor, binding)
        return datetime.fromisoformat(updated_at), str(booking_id)
    except (ValueError, TypeError):
        raise not_issued_here() from None
