"""Reads of flight searches and change options by the handles that partners hold."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import F
from django.db.models.fields.json import KT

from apps.bookings.models import Booking
from apps.common import clock
from apps.common.ids import parse_handle
from apps.flights.models import FlightChangeSearch, FlightSearch
from apps.flights.suppliers.base import ChangeOption, FlightOffer, Passengers
from apps.gateway.errors import OfferExpired
from apps.keys.partner import Partner
from apps.suppliers.codec import from_json


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


def quoted_offer(partner: Partner, offer_id: str) -> QuotedOffer:
    """Raises OfferExpired for a handle that is unknown, malformed, foreign or past its expiry."""
    place = parse_handle(offer_id, "offer", "fsr")
    if place is None:
        raise OfferExpired
    search_id, position = place
    row = (
        FlightSearch.objects.filter(
            pk=search_id,
            account_id=partner.account_id,
            environment=partner.environment,
            expires_at__gt=clock.now(partner),
        )
        .annotate(offer=F(f"offers__{position}"), price=KT(f"repriced__{position}"))
        .values("offer", "price", "passengers", "markup_bp", "supplier_name", "expires_at")
        .first()
    )
    if row is None or row["offer"] is None:
        raise OfferExpired
    offer = from_json(FlightOffer, row["offer"])
    if row["price"] is not None:
        offer = replace(offer, total_cents=int(row["price"]))
    return QuotedOffer(
        id=offer_id,
        search_id=search_id,
        position=position,
        offer=offer,
        passengers=from_json(Passengers, row["passengers"]),
        markup_bp=row["markup_bp"],
        supplier_name=row["supplier_name"],
        expires_at=row["expires_at"],
    )


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
        raise OfferExpired
    search = FlightChangeSearch.objects.filter(
        pk=place[0], booking=booking, expires_at__gt=clock.now(partner)
    ).first()
    if search is None or place[1] >= len(search.options):
        raise OfferExpired
    return QuotedChange(change_id, search.slice_id, from_json(ChangeOption, search.options[place[1]]))
