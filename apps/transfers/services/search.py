"""POST /v1/transfers/searches: ask the supplier, store the offers in one row, quote them for 20 minutes."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from apps.bookings.refusals import translated
from apps.bookings.trade_rules import quoted_until
from apps.common import clock
from apps.common.ids import new_id
from apps.gateway.requests import Caller
from apps.gateway.responses import Record
from apps.keys.partner import Partner
from apps.suppliers import airports
from apps.suppliers.rates import quoted_in
from apps.suppliers.registry import supplier_name
from apps.suppliers.results import Found
from apps.suppliers.values import to_column
from apps.transfers.rules import service_of_offer
from apps.transfers.selectors import QuotedSearch
from apps.transfers.suppliers.base import Place, TransferOffer
from apps.transfers.suppliers.base import TransferSearch as Request
from apps.transfers.suppliers.registry import transfer_supplier

FURTHEST_KM = 2_560
"""As the crow flies. No supplier sells a longer drive."""

# A part of the statement that bills the search (`apps/gateway/settlement.py`).
STORE = """
INSERT INTO transfers_transfersearch
       (id, account_id, environment, supplier_name, markup_bp, request, offers, withheld, created_at, expires_at)
VALUES (%(id)s, %(account)s, %(environment)s, %(supplier_name)s, %(markup_bp)s, %(request)s, %(offers)s, %(withheld)s,
        %(created_at)s, %(expires_at)s)
"""


class Position(NamedTuple):
    latitude: float
    longitude: float


def search_transfers(*, caller: Caller, request: Request) -> QuotedSearch:
    """The search and its offers, priced net in the account's currency. Raises UpstreamError, UpstreamUnavailable.

    Where no vehicle can drive it there are none, and no supplier is asked.
    """
    partner = caller.partner
    found: Found[TransferOffer] = Found()
    if can_be_driven(request):
        supplier = transfer_supplier(partner.environment, caller.trigger.at_supplier())
        with translated():
            found = quoted_in(partner.currency, supplier.search(request))
    now = clock.now(partner)
    lives_until = now + timedelta(minutes=settings.OFFER_MINUTES)
    quoted = Found([with_expiry(offer, request, lives_until) for offer in found], found.withheld)
    offers = quoted.still_sold(lambda offer: offer.expires_at is not None and offer.expires_at <= now)
    return QuotedSearch(
        id=new_id("tsr"),
        created_at=now,
        expires_at=lives_until,
        markup_bp=partner.markup_bp,
        request=request,
        withheld=offers.withheld,
        offers=offers,
    )


def with_expiry(offer: TransferOffer, request: Request, lives_until: datetime) -> TransferOffer:
    """The offer with the end of its handle: the supplier's or ours, and the pick-up at the latest."""
    service = service_of_offer(request, offer)
    return replace(offer, expires_at=quoted_until(offer.expires_at, lives_until, service))


def can_be_driven(request: Request) -> bool:
    """Whether a vehicle may join the two ends: False only where both are known to lie too far apart, as across an ocean.

    Of two ends that cannot be joined no supplier is asked, and the search is not billed.
    """
    start, end = position_of(request.start), position_of(request.end)
    return start is None or end is None or airports.distance_km(start, end) <= FURTHEST_KM


def position_of(place: Place) -> airports.Point | None:
    """Where a place lies that says so itself: an airport, coordinates, or a town that has an airport."""
    if place.type == "IATA":
        return airports.find(place.code or "")
    if place.latitude is not None and place.longitude is not None:
        return Position(float(place.latitude), float(place.longitude))
    return next(iter(airports.of_town(place.town, place.country)), None) if place.town else None


def record_of(search: QuotedSearch, partner: Partner, request: Request) -> Record:
    """The row that stores the search. It is written as the search is billed."""
    return Record(
        STORE,
        {
            "id": search.id,
            "account": partner.account_id,
            "environment": partner.environment,
            "supplier_name": supplier_name("transfers", partner.environment),
            "markup_bp": search.markup_bp,
            "request": to_column(request),
            "offers": to_column(search.offers),
            "withheld": to_column(search.withheld),
            "created_at": search.created_at,
            "expires_at": search.expires_at,
        },
    )
