"""The beginning of every booking of a quoted offer, once the product has refused what only it can refuse."""

from collections.abc import Mapping
from typing import Protocol

from apps.bookings.models import Operation
from apps.bookings.product_handlers import remember_offer
from apps.bookings.refusals import refuse_above
from apps.bookings.services.reserve import NewBooking, reserve_booking
from apps.gateway.call import Caller
from apps.suppliers.currency import kept_with
from apps.suppliers.values import to_json


class Quoted(Protocol):
    """What a search quoted; the total is in minor units."""

    @property
    def total_cents(self) -> int: ...

    @property
    def currency(self) -> str: ...

    @property
    def supplier_data(self) -> Mapping[str, str]: ...


def reserve_quoted(
    *,
    caller: Caller,
    product: str,
    offer: Quoted,
    offer_entry: str = "offer",
    supplier_name: str,
    details: object,
    external_reference: str | None,
    max_total_cents: int | None,
) -> Operation:
    """A pending booking at the quoted price. `offer_entry` is the handler's (`QuotedBookHandler`).

    Raises the sandbox trigger's refusal, PriceChanged where the partner allows less, and what `reserve_booking` raises.
    """
    total, currency = offer.total_cents, offer.currency
    caller.trigger.refuse_handle()
    caller.trigger.refuse_payment(total_cents=total, currency=currency)
    refuse_above(max_total_cents, quoted_cents=total, currency=currency)
    new = NewBooking(
        product=product,
        total_cents=total,
        currency=currency,
        supplier_name=supplier_name,
        exchange=kept_with(offer.supplier_data),
        external_reference=external_reference,
        details=to_json(details),
        request={offer_entry: to_json(offer), "maxTotalCents": max_total_cents},
    )
    operation = reserve_booking(caller=caller, new=new)
    remember_offer(operation, offer_entry, offer)
    return operation
