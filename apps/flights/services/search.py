"""POST /v1/flights/searches: ask the supplier, store the offers in one row, quote them for 20 minutes."""

from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings

from apps.bookings.refusals import translated
from apps.bookings.trade_rules import quoted_until
from apps.common import clock
from apps.common.ids import new_id
from apps.flights.rules import flown
from apps.flights.selectors import QuotedSearch
from apps.flights.suppliers.base import FlightOffer, order_of
from apps.flights.suppliers.base import FlightSearch as Request
from apps.flights.suppliers.registry import flight_supplier
from apps.gateway.requests import Caller
from apps.gateway.responses import Record
from apps.keys.partner import Partner
from apps.suppliers.rates import quoted_in
from apps.suppliers.registry import supplier_name
from apps.suppliers.results import Found
from apps.suppliers.values import to_column

# A part of the statement that bills the search (`apps/gateway/settlement.py`).
STORE = """
INSERT INTO flights_flightsearch
       (id, account_id, environment, supplier_name, markup_bp, passengers, offers, withheld, repriced, created_at, expires_at)
VALUES (%(id)s, %(account)s, %(environment)s, %(supplier_name)s, %(markup_bp)s, %(passengers)s, %(offers)s, %(withheld)s, '{}',
        %(created_at)s, %(expires_at)s)
"""


def search_flights(*, caller: Caller, request: Request) -> QuotedSearch:
    """The search and its offers, priced net in the account's currency. Raises UpstreamError, UpstreamUnavailable."""
    partner = caller.partner
    supplier = flight_supplier(partner.environment, caller.trigger.at_supplier())
    with translated():
        found = quoted_in(partner.currency, supplier.search(request))
    now = clock.now(partner)
    lives_until = now + timedelta(minutes=settings.OFFER_MINUTES)
    offers = Found([quoted(offer, lives_until) for offer in found], found.withheld).still_sold(
        lambda offer: offer.expires_at is not None and offer.expires_at <= now
    )
    return QuotedSearch(
        id=new_id("fsr"),
        created_at=now,
        expires_at=lives_until,
        markup_bp=partner.markup_bp,
        withheld=offers.withheld,
        offers=sorted(offers, key=order_of(request.sort))[: request.limit],
    )


def quoted(offer: FlightOffer, lives_until: datetime) -> FlightOffer:
    """The offer with the end of its handle: the supplier's or ours, and the departure at the latest."""
    return replace(offer, expires_at=quoted_until(offer.expires_at, lives_until, flown(offer.slices)))


def record_of(search: QuotedSearch, partner: Partner, request: Request) -> Record:
    """The row that keeps the search. It is written as the search is billed."""
    return Record(
        STORE,
        {
            "id": search.id,
            "account": partner.account_id,
            "environment": partner.environment,
            "supplier_name": supplier_name("flights", partner.environment),
            "markup_bp": search.markup_bp,
            "passengers": to_column(request.passengers),
            "offers": to_column(search.offers),
            "withheld": to_column(search.withheld),
            "created_at": search.created_at,
            "expires_at": search.expires_at,
        },
    )
