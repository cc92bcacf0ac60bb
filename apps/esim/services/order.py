"""POST /v1/esim/orders: the order of a plan, through the common booking flow.

Unlike for the other products, a reused externalReference is no error: with the same plan, the existing order is the answer.
"""

from dataclasses import replace
from datetime import timedelta

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import NewBooking, reserve_booking
from apps.bookings.models import Booking, Operation, Product
from apps.bookings.refusals import refuse_above
from apps.bookings.selectors import bookings_of
from apps.common import clock, errors
from apps.esim.details import Conversion, OrderDetails, SoldPlan, conversion, sold_to
from apps.esim.models import Plan
from apps.esim.selectors import plan_on_sale
from apps.gateway.requests import Caller
from apps.suppliers.values import to_json

TO_APPROVE = timedelta(hours=24)
"""So long an order can be approved: a plan has no end as offers have, and a supplier that charges more for it refuses."""


class AlreadyOrdered(Exception):
    """The externalReference belongs to an order of the same plan, and that order is the answer."""

    def __init__(self, booking: Booking) -> None:
        super().__init__(booking.id)
        self.booking = booking


def order_esim(
    *,
    caller: Caller,
    plan_id: str,
    external_reference: str | None,
    max_total_cents: int | None,
    trip_reference: str | None = None,
    sold_for_cents: int | None = None,
) -> tuple[Booking, bool]:
    """The order, and whether it was made now. Raises NotFound (the plan), PriceChanged, InsufficientFunds, Conflict,
    OfferExpired (the supplier has stopped selling it), 502, 503.
    """

    def begin() -> Operation:
        answer_existing(caller, external_reference, plan_id)
        partner = caller.partner
        plan = plan_on_sale(partner.environment, plan_id, partner.currency)
        convert = conversion(plan.supplier_name, plan.currency, partner.currency)
        sold = sold_to(partner, plan.id, plan, plan, convert)
        caller.trigger.refuse_payment(total_cents=sold.price_cents, currency=sold.currency)
        refuse_above(max_total_cents, quoted_cents=sold.price_cents, currency=sold.currency)
        try:
            new = new_order(plan, sold, convert, external_reference, trip_reference, sold_for_cents)
            until = clock.now(partner) + TO_APPROVE
            return reserve_booking(caller=caller, new=replace(new, approval_until=until))
        except errors.Conflict:  # another call with this externalReference came first
            answer_existing(caller, external_reference, plan_id)
            raise

    try:
        return carry_out(caller=caller, begin=begin), True
    except AlreadyOrdered as found:
        return found.booking, False


def answer_existing(
    caller: Caller, external_reference: str | None, plan_id: str, *, order_id: str | None = None
) -> None:
    """Raises AlreadyOrdered where the reference belongs to an order of this plan, Conflict where it belongs to another's.

    `order_id` is the order that is topped up with the plan; None for an order of a new eSIM.
    """
    if external_reference is None:
        return
    partner = caller.partner
    orders = bookings_of(partner.account_id, partner.environment, Product.ESIM)
    booking = orders.filter(external_reference=external_reference).exclude(status=Booking.FAILED).first()
    if booking is None:
        return
    details = OrderDetails.of(booking)
    topped_up = details.top_up_of.order_id if details.top_up_of else None
    if (details.plan.id, topped_up) != (plan_id, order_id):
        raise errors.Conflict(
            "This externalReference already belongs to an order of another plan.",
            ours=True,
            bookingId=booking.id,
        )
    raise AlreadyOrdered(booking)


def new_order(
    plan: Plan,
    sold: SoldPlan,
    convert: Conversion,
    external_reference: str | None,
    trip_reference: str | None = None,
    sold_for_cents: int | None = None,
) -> NewBooking:
    """The order as it begins. `request` stores what the supplier is promised: its own plan id, price and currency."""
    return NewBooking(
        product=Product.ESIM,
        total_cents=sold.price_cents,
        currency=sold.currency,
        supplier_name=plan.supplier_name,
        external_reference=external_reference,
        trip_reference=trip_reference,
        sold_for_cents=sold_for_cents,
        details=to_json(OrderDetails(sold)),
        request={
            "supplierPlanId": plan.supplier_plan_id,
            "priceCents": plan.price_cents,
            "currency": plan.currency,
        },
        exchange=convert.exchange.as_json() if convert.exchange else None,
    )
