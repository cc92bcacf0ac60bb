"""GET /v1/hotels/properties: hotels in the order in which they changed, oldest change first, in keyset pages.

A partner's copy follows by `updatedSince`. It misses nothing for the reasons that `apps.bookings.listing` gives: a page ends
before the oldest transaction that has a number began, less HELD_BACK. Content goes by the real time, whatever the clock of a
sandbox says.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from apps.bookings import listing
from apps.bookings.listing import read_place, read_since
from apps.common import clock, sql
from apps.common.errors import InvalidRequest
from apps.common.validators import COUNTRIES
from apps.gateway.operations import QueryParameter
from apps.gateway.pagination import (
    ANY_TEXT,
    ANY_TEXT_SCHEMA,
    PAGE_PARAMETERS,
    binding_of,
    read_filters,
    read_limit,
    write_cursor,
)
from apps.gateway.requests import PartnerRequest
from apps.hotels.models import Property
from apps.hotels.presenters import listed_property_json
from apps.hotels.suppliers import cities
from apps.suppliers.registry import supplier_name

LISTING = "hotelProperties"
UPDATED_SINCE = "updatedSince"
PARAMETERS = (
    *PAGE_PARAMETERS,
    QueryParameter(
        "countryCode",
        {"type": "string", "pattern": "^[A-Z]{2}$"},
        "Only hotels in this country. ISO 3166-1 alpha-2 code in capitals, such as `PT`; `XK` is Kosovo.",
    ),
    QueryParameter(
        "city",
        ANY_TEXT_SCHEMA,
        "Only hotels in a city of this name, without regard to case and accents. Large cities are known by their names in "
        "other languages as well. Send `countryCode` too if there are several of that name.",
    ),
    QueryParameter(
        UPDATED_SINCE,
        {"type": "string", "format": "date-time"},
        "Only hotels whose content changed at this instant or later, RFC 3339, not in the future. Hotels that were withdrawn "
        "are included, with `deleted: true`. A change appears about five seconds later. To continue, send the last "
        "`updatedAt` that you read: hotels that changed at that instant are repeated, and none is missed.",
    ),
)


def property_page(request: PartnerRequest) -> dict[str, object]:
    """Raises InvalidRequest for a parameter that is invalid."""
    filters = read_filters(request, {"countryCode": ANY_TEXT, "city": ANY_TEXT})
    if filters.get("countryCode", "XK") not in COUNTRIES:
        raise InvalidRequest.field("countryCode", "is not an ISO 3166-1 alpha-2 code")
    since = read_since(request)
    sent = {} if since is None else {UPDATED_SINCE: since.astimezone(UTC).isoformat()}
    binding, limit = binding_of(request, LISTING, {**filters, **sent}), read_limit(request)
    cursor = request.query_params.get("cursor")
    place = read_place(cursor, binding) if cursor is not None else None
    rows = found(supplier_name("hotels", request.partner.environment), filters, since)
    rows = rows.filter(updated_at__lt=settled_until())
    if place is not None:
        rows = rows.filter(~Q(updated_at=place[0], hotel_id__lte=place[1]), updated_at__gte=place[0])
    page = list(rows.order_by("updated_at", "hotel_id")[: limit + 1])
    shown, last = page[:limit], page[limit - 1] if len(page) > limit else None
    return {
        "data": [listed_property_json(one) for one in shown],
        "hasMore": last is not None,
        "nextCursor": last and write_cursor([last.updated_at.isoformat(), last.hotel_id], binding),
    }


def found(name: str, filters: dict[str, str], since: datetime | None) -> QuerySet[Property]:
    country, city = filters.get("countryCode"), filters.get("city")
    rows = Property.objects.filter(supplier_name=name)
    rows = rows.filter(deleted_at=None) if since is None else rows.filter(updated_at__gte=since)
    more: dict[str, Any] = {} if country is None else {"country": country}
    if city is not None:
        known = cities.find(city, country)
        more["city_key__in"] = {cities.fold(city), *([cities.fold(known.name)] if known else [])}
    return rows.filter(**more)


def settled_until() -> datetime:
    """The instant before which no stored hotel will ever be stamped any more. Ask before the rows are read."""
    real = clock.now()
    row = sql.one_row(listing.UNDER_WAY, [""])
    numbered = row[0] if row else None
    return real - max(numbered or timedelta(0), timedelta(0)) - listing.HELD_BACK
