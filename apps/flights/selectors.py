"""Reads of flight searches and change options by the handles that partners hold.

The SQL is written by hand because the ORM takes several times as long to compile it as PostgreSQL to run it, and every order
waits for it. `offers`, `passengers` and `withheld` are JSON text.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings

from apps.bookings.models import Booking
from apps.common import clock, sql
from apps.common.environments import Environment
from apps.common.errors import NotFound, OfferExpired
from apps.common.ids import handle, is_well_formed, parse_handle
from apps.flights.models import FlightChangeSearch
from apps.flights.suppliers.base import ChangeOption, FlightOffer, FlightService, Passengers
from apps.flights.suppliers.registry import VENDORS
from apps.keys.partner import Partner
from apps.suppliers.results import NONE_WITHHELD, Withheld
from apps.suppliers.values import from_json, from_text

SEARCH = """
SELECT id, created_at, expires_at, markup_bp, offers, withheld FROM flights_flightsearch WHERE id = %(search)s
"""
SEARCH_OF_ACCOUNT = (
    f"{SEARCH} AND account_id = %(account)s AND environment = %(environment)s AND created_at > %(kept_since)s"
)

QUOTED = """
SELECT offers -> %(position)s::int, (repriced ->> (%(position)s::int)::text)::bigint, passengers, markup_bp,
       supplier_name, expires_at, created_at, {taken} AS taken
FROM flights_flightsearch
WHERE id = %(search)s AND account_id = %(account)s AND environment = %(environment)s
  AND expires_at > %(now)s AND jsonb_array_length(offers) > %(position)s::int
"""
# The supplier sells one booking a search, and another offer of this one was booked. Failed bookings do not count. Only bookings
# of the account since the search are read, and none for other suppliers.
TAKEN = """
supplier_name = ANY(%(sell_once)s::text[]) AND EXISTS (
    SELECT FROM bookings_booking b
    WHERE b.account_id = %(account)s AND b.environment = %(environment)s AND b.product = 'flight'
      AND b.created_at >= flights_flightsearch.created_at AND b.status <> 'failed'
      AND starts_with(b.details ->> 'offer_id', %(offers)s) AND b.details ->> 'offer_id' <> %(offer)s)
"""
QUOTED_TO = {Environment.TEST: QUOTED.format(taken="false"), Environment.LIVE: QUOTED.format(taken=TAKEN)}
"""By environment. The simulator, which serves test keys, sells any number of bookings a search."""


@dataclass(frozen=True, slots=True)
class QuotedSearch:
    """A search as quoted to the partner, with its offers."""

    id: str
    created_at: datetime
    expires_at: datetime
    markup_bp: int
    offers: list[FlightOffer]
    withheld: Withheld = NONE_WITHHELD


def stored_search(search_id: str) -> QuotedSearch | None:
    """A search as it was quoted first, no matter which key made it; for the replay of its response."""
    return _search(SEARCH, {"search": search_id})


def search_of(partner: Partner, search_id: str) -> QuotedSearch:
    """A search of the partner's, for a day. Raises NotFound for unknown, malformed, foreign and older ones alike."""
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
    stored = from_text(list[FlightOffer], offers), from_text(Withheld, withheld)
    return QuotedSearch(*(*quoted, *stored))


@dataclass(frozen=True, slots=True)
class QuotedOffer:
    """An offer as last quoted to the partner. Its handle is `id`."""

    id: str
    search_id: str
    position: int
    offer: FlightOffer
    passengers: Passengers
    markup_bp: int
    supplier_name: str
    expires_at: datetime
    searched_at: datetime


def quoted_offer(partner: Partner, offer_id: str) -> QuotedOffer:
    """Raises OfferExpired for a handle that is unknown, malformed, foreign or past its expiry, and, where the supplier sells one
    booking a search, for the other offers of a search that was booked from. The same offer once more is left to the supplier:
    an externalReference that is taken has to be refused first.
    """
    place = parse_handle(offer_id, "offer", "fsr")
    if place is None:
        raise OfferExpired
    search_id, position = place
    row = sql.one_row(
        QUOTED_TO[Environment(partner.environment)],
        {
            "search": search_id,
            "position": position,
            "account": partner.account_id,
            "environment": partner.environment,
            "now": clock.now(partner),
            "offer": offer_id,
            "offers": handle("offer", search_id),
            "sell_once": [name for name, vendor in VENDORS.items() if vendor.one_booking_per_search],
        },
    )
    if row is None:
        raise OfferExpired
    found, repriced_cents, passengers, markup_bp, supplier_name, expires_at, searched_at, taken = row
    if taken:
        raise OfferExpired.of_booked_search()
    offer = from_text(FlightOffer, found)
    if offer.expires_at is not None and offer.expires_at <= clock.now(partner):
        raise OfferExpired  # the airline's own expiry can be the earlier one
    if repriced_cents is not None:
        offer = replace(offer, total_cents=repriced_cents, base_cents=None, tax_cents=None)
    return QuotedOffer(
        id=offer_id,
        search_id=search_id,
        position=position,
        offer=offer,
        passengers=from_text(Passengers, passengers),
        markup_bp=markup_bp,
        supplier_name=supplier_name,
        expires_at=expires_at,
        searched_at=searched_at,
    )


LISTED = """
SELECT wanted.handle, list.services -> wanted.place, list.expires_at
  FROM unnest(%(handles)s::text[], %(lists)s::text[], %(places)s::int[]) AS wanted (handle, list, place)
  JOIN flights_flightservicelist list ON list.id = wanted.list
 WHERE list.account_id = %(account)s AND list.environment = %(environment)s AND list.subject = %(subject)s
   AND jsonb_array_length(list.services) > wanted.place
"""


@dataclass(frozen=True, slots=True)
class ListedService:
    """A bag or a seat as it was listed to the partner."""

    service: FlightService
    expires_at: datetime


def listed_services(partner: Partner, service_ids: Iterable[str], subject: str) -> dict[str, ListedService]:
    """Those of these serviceIds that were listed for `subject`: an offer's handle, or an order's id."""
    places = {
        service_id: place
        for service_id in service_ids
        if (place := parse_handle(service_id, "service", "fsl", digits=4)) is not None
    }
    rows = sql.all_rows(
        LISTED,
        {
            "handles": list(places),
            "lists": [row_id for row_id, _ in places.values()],
            "places": [place for _, place in places.values()],
            "account": partner.account_id,
            "environment": partner.environment,
            "subject": subject,
        },
    )
    return {
        service_id: ListedService(from_text(FlightService, service), expires_at)
        for service_id, service, expires_at in rows
    }


@dataclass(frozen=True, slots=True)
class QuotedChange:
    """A change option of an order. Its handle is `id`."""

    id: str
    slice_id: str
    option: ChangeOption


def quoted_change(partner: Partner, booking: Booking, change_id: str) -> QuotedChange:
    """Raises OfferExpired for a changeId that is unknown, of another order, or past its expiry."""
    place = parse_handle(change_id, "change", "fcs")
    if place is None:
        raise OfferExpired.of_change()
    now = clock.now(partner)
    search = FlightChangeSearch.objects.filter(pk=place[0], booking=booking, expires_at__gt=now).first()
    if search is None or place[1] >= len(search.options):
        raise OfferExpired.of_change()
    option = from_json(ChangeOption, search.options[place[1]])
    if option.expires_at is not None and option.expires_at <= now:
        raise OfferExpired.of_change()  # here too the airline's own expiry can be the earlier one
    return QuotedChange(change_id, search.slice_id, option)
