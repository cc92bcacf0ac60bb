"""POST /v1/flights/searches: ask the supplier, store the offers in one row, quote them for 20 minutes."""

from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings

from apps.bookings.refusals import translated
from apps.common import clock
from apps.common.commits import relaxed_commit
from apps.common.ids import new_id
from apps.flights.models import FlightSearch
from apps.flights.suppliers.base import FlightOffer
from apps.flights.suppliers.base import FlightSearch as Request
from apps.flights.suppliers.registry import flight_supplier
from apps.gateway.call import Caller
from apps.suppliers.choice import supplier_name
from apps.suppliers.codec import to_json
from apps.suppliers.currency.quoting import quoted_in


def search_flights(*, caller: Caller, request: Request) -> tuple[FlightSearch, list[FlightOffer]]:
    """The stored search and its offers, priced net in the account's currency. Raises UpstreamError, UpstreamUnavailable."""
    partner = caller.partner
    supplier = flight_supplier(partner.environment, caller.trigger.at_supplier())
    with translated():
        offers = quoted_in(partner.currency, supplier.search(request))
    offers = sorted(offers, key=lambda offer: offer.total_cents)[: request.limit]
    now = clock.now(partner)
    lives_until = now + timedelta(minutes=settings.OFFER_MINUTES)
    offers = [replace(offer, expires_at=earliest(offer.expires_at, lives_until)) for offer in offers]
    search = FlightSearch(
        id=new_id("fsr"),
        account_id=partner.account_id,
        environment=partner.environment,
        supplier_name=supplier_name("flights", partner.environment),
        markup_bp=partner.markup_bp,
        passengers=to_json(request.passengers),
        offers=to_json(offers),
        created_at=now,
        expires_at=lives_until,
    )
    with relaxed_commit():
        search.save(force_insert=True)
    return search, offers


def earliest(supplier_expiry: datetime | None, ours: datetime) -> datetime:
    """An offer can be ordered as long as the supplier says, 20 minutes at most."""
    return min(supplier_expiry, ours) if supplier_expiry else ours
