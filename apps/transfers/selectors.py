"""Reads of transfer searches by the handles that partners hold."""

from dataclasses import dataclass

from django.db.models import F

from apps.common import clock
from apps.common.ids import parse_handle
from apps.gateway.errors import OfferExpired
from apps.keys.partner import Partner
from apps.suppliers.codec import from_json
from apps.transfers.models import TransferSearch
from apps.transfers.suppliers.base import TransferOffer
from apps.transfers.suppliers.base import TransferSearch as Request


@dataclass(frozen=True, slots=True)
class QuotedTransfer:
    """An offer as quoted to the partner, and what it answers. Its handle is `id`."""

    id: str
    request: Request
    offer: TransferOffer
    supplier_name: str


def quoted_transfer(partner: Partner, quote_id: str) -> QuotedTransfer:
    """Raises OfferExpired for a handle that is unknown, malformed, foreign or past its expiry."""
    place = parse_handle(quote_id, "quote", "tsr")
    if place is None:
        raise OfferExpired
    search_id, position = place
    now = clock.now(partner)
    row = (
        TransferSearch.objects.filter(
            pk=search_id, account_id=partner.account_id, environment=partner.environment, expires_at__gt=now
        )
        .annotate(offer=F(f"offers__{position}"))
        .values("offer", "request", "supplier_name")
        .first()
    )
    if row is None or row["offer"] is None:
        raise OfferExpired
    offer = from_json(TransferOffer, row["offer"])
    if offer.expires_at is not None and offer.expires_at <= now:
        raise OfferExpired
    return QuotedTransfer(quote_id, from_json(Request, row["request"]), offer, row["supplier_name"])
