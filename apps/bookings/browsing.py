"""The bookings of all four products in one list, for the portal: newest first, in keyset pages.

The indexes begin with the product. So the newest rows of each product are read, and merged.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from apps.bookings.models import Booking, Product
from apps.bookings.travellers.rest import with_keys
from apps.common import keyset
from apps.common.errors import NotFound
from apps.common.ids import is_well_formed
from apps.common.querysets import id_begins, reference_begins

PAGE = 50
LISTED = (
    *("reference", "external_reference", "product", "status"),
    *("total_cents", "currency", "created_at"),
)
"""The columns that a list shows."""
OF_AN_ID = re.compile(r"(?:hbk|ford|tord|eord|etop)_", re.IGNORECASE)
OF_A_REFERENCE = re.compile(r"[HFTE](?:-|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """`text` is the beginning of an id, of a reference, or of an externalReference. `since` is included, `until` is not."""

    product: str = ""
    status: str = ""
    text: str = ""
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
    """One page, in one statement. A cursor that is none of ours shows the first page."""
    products = [filters.product] if filters.product else Product.values
    newest = [
        narrowed(account_id, environment, replace(filters, product=product), cursor).only(*columns)[
            : limit + 1
        ]
        for product in products
    ]
    merged = (
        newest[0].union(*newest[1:], all=True).order_by("-created_at", "-id") if newest[1:] else newest[0]
    )
    return keyset.Page(*keyset.split(list(merged[: limit + 1]), limit))


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
    bookings = Booking.objects.filter(**conditions)
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
    mine = Booking.objects.filter(account_id=account_id, environment=environment).select_related("key")
    booking = with_keys(mine).filter(pk=booking_id).first() if is_well_formed(booking_id) else None
    if booking is None:
        raise NotFound
    return booking
