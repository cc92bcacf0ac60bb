"""Reads of hotel searches and rates by the ids and handles that partners hold.

The SQL is written by hand because the ORM takes several times as long to compile it as PostgreSQL to run it, and would turn the
stored hotels into JSON text, and back, more often than once. `hotels`, `rooms` and `withheld` are JSON text.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings
from msgspec import Raw

from apps.bookings.trade_rules import refuse_unsold
from apps.common import clock, sql
from apps.common.errors import NotFound, OfferExpired
from apps.common.ids import TWO_DIGITS, handles, is_well_formed, parse_handle
from apps.hotels.rules import stayed
from apps.hotels.suppliers.base import Hotel, HotelOffer, Rate, Room
from apps.keys.partner import Partner
from apps.suppliers.results import NONE_WITHHELD, Withheld
from apps.suppliers.values import Value, from_text

SEARCH = """
SELECT id, check_in, check_out, created_at, expires_at, markup_bp, page_size, language, hotels, withheld
FROM hotels_hotelsearch WHERE id = %(search)s
"""

SEARCH_OF_ACCOUNT = f"""{SEARCH}
  AND account_id = %(account)s AND environment = %(environment)s AND created_at > %(kept_since)s
"""

# NULL for the rate of a hotel that the search did not find.
QUOTED = """
SELECT hotels -> %(hotel)s::int, check_in, check_out, rooms, markup_bp, supplier_name, created_at FROM hotels_hotelsearch
WHERE id = %(search)s AND account_id = %(account)s AND environment = %(environment)s AND expires_at > %(now)s
"""

RATES_OF_A_HOTEL = 10  # at most


@dataclass(frozen=True, slots=True)
class QuotedSearch:
    """A search as quoted to the partner, with the hotels that it found. `page_size`: how many the first answer has; None: all."""

    id: str
    check_in: date
    check_out: date
    created_at: datetime
    expires_at: datetime
    markup_bp: int
    page_size: int | None
    language: str
    offers: list[HotelOffer]
    withheld: Withheld = NONE_WITHHELD


@dataclass(frozen=True, slots=True)
class QuotedRate:
    """A rate as quoted to the partner. Its handle is `id`."""

    id: str
    hotel: Hotel
    rate: Rate
    check_in: date
    check_out: date
    rooms: tuple[Room, ...]
    markup_bp: int
    supplier_name: str
    searched_at: datetime


class _StoredOffer(Value, frozen=True):
    """A hotel's offer of which only one rate is read."""

    hotel: Hotel
    rates: tuple[Raw, ...]


def rate_handles(search_id: str, hotel: int, rates: int) -> list[str]:
    """The ids of a hotel's first `rates` rates: the place of the hotel in its search, and theirs among the hotel's rates."""
    first = hotel * RATES_OF_A_HOTEL
    return handles("rate", search_id, range(first, first + rates))


def stored_search(search_id: str) -> QuotedSearch | None:
    """A search, no matter which key made it; for the replay of its response."""
    return _search(SEARCH, {"search": search_id})


def search_of(partner: Partner, search_id: str) -> QuotedSearch:
    """One search of the partner's, for a day. Raises NotFound for unknown, malformed, foreign and older ones alike."""
    if not is_well_formed(search_id):
        raise NotFound
    search = _search(
        SEARCH_OF_ACCOUNT,
        {
            "search": search_id,
            "account": partner.account_id,
            "environment": partner.environment,
            "kept_since": clock.now(partner) - timedelta(hours=settings.SEARCH_RECORD_HOURS),
        },
    )
    if search is None:
        raise NotFound
    return search


def _search(statement: str, parameters: dict[str, str | datetime]) -> QuotedSearch | None:
    row = sql.one_row(statement, parameters)
    if row is None:
        return None
    *quoted, offers, withheld = row
    stored = from_text(list[HotelOffer], offers), from_text(Withheld, withheld)
    return QuotedSearch(*(*quoted, *stored))


def quoted_rate(partner: Partner, rate_id: str) -> QuotedRate:
    """Raises OfferExpired for a handle that is unknown, malformed, foreign or past its expiry, or whose check-in day is over."""
    place = _place_of(rate_id)
    if place is None:
        raise OfferExpired
    search_id, (hotel, position) = place[0], divmod(place[1], RATES_OF_A_HOTEL)
    now = clock.now(partner)
    row = sql.one_row(
        QUOTED,
        {
            "search": search_id,
            "hotel": hotel,
            "account": partner.account_id,
            "environment": partner.environment,
            "now": now,
        },
    )
    if row is None or row[0] is None:
        raise OfferExpired
    found, check_in, check_out, rooms, markup_bp, supplier_name, searched_at = row
    offer = from_text(_StoredOffer, found)
    if position >= len(offer.rates):
        raise OfferExpired
    rate = from_text(Rate, offer.rates[position])
    if expired(rate, now):
        raise OfferExpired
    refuse_unsold(stayed(offer.hotel, check_in, check_out), now)
    return QuotedRate(
        id=rate_id,
        hotel=offer.hotel,
        rate=rate,
        check_in=check_in,
        check_out=check_out,
        rooms=from_text(tuple[Room, ...], rooms),
        markup_bp=markup_bp,
        supplier_name=supplier_name,
        searched_at=searched_at,
    )


def _place_of(rate_id: str) -> tuple[str, int] | None:
    """The search and the place in it that `rate_handles` wrote: each place is written in one way."""
    if place := parse_handle(rate_id, "rate", "hsr"):
        return place
    place = parse_handle(rate_id, "rate", "hsr", digits=3)
    return place if place is not None and place[1] >= TWO_DIGITS else None


def expired(rate: Rate, now: datetime) -> bool:
    """A supplier may end one rate before the rest of the search."""
    return rate.expires_at is not None and rate.expires_at <= now
