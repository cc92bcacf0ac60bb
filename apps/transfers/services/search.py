"""POST /v1/transfers/searches: ask the supplier, store the offers in one row, quote them for 20 minutes."""

from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings

from apps.bookings.refusals import translated
from apps.common import clock
from apps.common.ids import new_id
from apps.gateway.call import Caller
from apps.suppliers.choice import supplier_name
from apps.suppliers.codec import to_json
from apps.suppliers.currency.quoting import quoted_in
from apps.transfers.models import TransferSearch
from apps.transfers.suppliers.base import TransferOffer
from apps.transfers.suppliers.base import TransferSearch as Request
from apps.transfers.suppliers.registry import transfer_supplier


def search_transfers(*, caller: Caller, request: Request) -> tuple[TransferSearch, list[TransferOffer]]:
    """The stored search and its offers, priced net in the account's currency. Raises UpstreamError, UpstreamUnavailable."""
    partner = caller.partner
    supplier = transfer_supplier(partner.environment, caller.trigger.at_supplier())
    with translated():
        offers = quoted_in(partner.currency, supplier.search(request))
    now = clock.now(partner)
    lives_until = now + timedelta(minutes=settings.OFFER_MINUTES)
    offers = [replace(offer, expires_at=earliest(offer.expires_at, lives_until)) for offer in offers]
    search = TransferSearch.objects.create(
        id=new_id("tsr"),
        account_id=partner.account_id,
        environment=partner.environment,
        supplier_name=supplier_name("transfers", partner.environment),
        markup_bp=partner.markup_bp,
        request=to_json(request),
        offers=to_json(offers),
        created_at=now,
        expires_at=lives_until,
    )
    return search, offers


def earliest(supplier_expiry: datetime | None, ours: datetime) -> datetime:
    """An offer can be ordered as long as the supplier says, 20 minutes at most."""
    return min(supplier_expiry, ours) if supplier_expiry else ours
