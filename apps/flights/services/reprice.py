"""GET /v1/flights/offers/{id}: the offer at the airline's price now, which is the quoted price from then on."""

from dataclasses import replace

from django.db import connection

from apps.bookings.refusals import translated
from apps.flights.selectors import QuotedOffer, quoted_offer
from apps.flights.suppliers.registry import flight_supplier
from apps.gateway.requests import Caller
from apps.suppliers.currency import kept_with

# Changes one key of the row's `repriced`, so that re-pricing two offers of a search at once loses neither.
QUOTE_ANEW = """
UPDATE flights_flightsearch SET repriced = jsonb_set(repriced, ARRAY[%s::text], to_jsonb(%s::bigint)) WHERE id = %s
"""


def reprice_offer(*, caller: Caller, offer_id: str) -> tuple[QuotedOffer, int]:
    """The offer as it is quoted now, and its total before. Raises OfferExpired when the handle has expired, or the airline no
    longer sells the offer.
    """
    quoted = quoted_offer(caller.partner, offer_id)
    caller.trigger.refuse_handle()
    with translated():
        supplier = flight_supplier(
            caller.partner.environment,
            caller.trigger.at_supplier(),
            exchange=kept_with(quoted.offer.supplier_data),
            named=quoted.supplier_name,
        )
        current = supplier.reprice(quoted.offer)
    previous = quoted.offer.total_cents
    if current.total_cents != previous:
        with connection.cursor() as cursor:
            cursor.execute(QUOTE_ANEW, [str(quoted.position), current.total_cents, quoted.search_id])
    # The penalty follows the price: what is not refundable costs all of it. So do its parts.
    offer = replace(
        quoted.offer,
        total_cents=current.total_cents,
        base_cents=current.base_cents,
        tax_cents=current.tax_cents,
        conditions=current.conditions,
        pay_by=current.pay_by,
        price_guaranteed_until=current.price_guaranteed_until,
    )
    return replace(quoted, offer=offer), previous
