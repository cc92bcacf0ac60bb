"""A journey of ours at a supplier of hotels, for a recording: it uses each call once."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from apps.common import clock
from apps.hotels.suppliers.base import Guest, HotelSupplier, StayRequest, StaySearch

DAYS_AHEAD, NIGHTS = 60, 2


def travel(
    supplier: HotelSupplier, client_ref: str, traveller: Mapping[str, str], *, book: bool
) -> list[Any]:
    """What each call answered. Raises SupplierError; LookupError where nothing is on offer."""
    check_in = clock.today() + timedelta(days=DAYS_AHEAD)
    check_out = check_in + timedelta(days=NIGHTS)
    offers = supplier.search(StaySearch(check_in, check_out, "EUR", city="Lisbon", country="PT", limit=3))
    rates = [rate for offer in offers for rate in offer.rates]
    current = supplier.check_rate(next((rate for rate in rates if rate.refundable), rates[0]))
    if not book:
        return [offers, current]
    guest = Guest(traveller["first_name"], traveller["last_name"], "adult")
    request = StayRequest(client_ref, current, (guest,), traveller["email"], traveller["phone"])
    stay = supplier.book(request)
    found = supplier.find_booking(client_ref, current)
    policy = current.cancellation_policy
    quote = supplier.quote_cancellation(stay.supplier_reference, policy)
    done = supplier.cancel(f"{client_ref}-X", stay.supplier_reference, quote, policy)
    after = supplier.read_booking(stay.supplier_reference, policy)
    return [offers, current, stay, found, quote, done, after]
