"""POST /v1/esim/orders: the order of a plan, through the common booking flow.

Unlike for the other products, a reused externalReference is no error: with the same plan, the existing order is the answer.
"""

import logging

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import NewBooking, reserve_booking
from apps.bookings.handlers import Accepted, Outcome
from apps.bookings.models import Booking, Operation, Product
from apps.bookings.refusals import refuse_above
from apps.bookings.selectors import bookings_of
from apps.common import errors
from apps.esim.details import Conversion, OrderDetails, SoldPlan, conversion_of, sold_to
from apps.esim.models import Plan
from apps.esim.selectors import plan_on_sale
from apps.esim.services.handlers import BuyHandler, provisioned
from apps.esim.services.sync import withdraw
from apps.esim.suppliers.base import EsimOrder, EsimSupplier, OrderRequest
from apps.gateway.requests import Caller
from apps.suppliers.currency import Exchange
from apps.suppliers.errors import Expired, Missing, OutcomeUnknown, PriceChanged
from apps.suppliers.values import to_json
from apps.webhooks.events import Fact

logger = logging.getLogger(__name__)


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
) -> tuple[Booking, bool]:
    """The order, and whether it was made now. Raises NotFound (the plan), PriceChanged, InsufficientFunds, Conflict,
    OfferExpired (the supplier has stopped selling it), 502, 503.
    """

    def begin() -> Operation:
        answer_existing(caller, external_reference, plan_id)
        plan = plan_on_sale(caller.partner.environment, plan_id, caller.partner.currency)
        convert = conversion_of(plan, caller.partner)
        sold = sold_to(caller.partner, plan, convert)
        caller.trigger.refuse_payment(total_cents=sold.price_cents, currency=sold.currency)
        refuse_above(max_total_cents, quoted_cents=sold.price_cents, currency=sold.currency)
        try:
            return reserve_booking(caller=caller, new=new_order(plan, sold, convert, external_reference))
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


def new_order(plan: Plan, sold: SoldPlan, convert: Conversion, external_reference: str | None) -> NewBooking:
    """The order as it begins. `request` stores what the supplier is promised: its own plan id, price and currency."""
    return NewBooking(
        product=Product.ESIM,
        total_cents=sold.price_cents,
        currency=sold.currency,
        supplier_name=plan.supplier_name,
        external_reference=external_reference,
        details=to_json(OrderDetails(sold)),
        request={
            "supplierPlanId": plan.supplier_plan_id,
            "priceCents": plan.price_cents,
            "currency": plan.currency,
        },
        exchange=convert.exchange.as_json() if convert.exchange else None,
    )


class OrderEsim(BuyHandler):
    """The operation that buys a profile."""

    def call(self, operation: Operation, fault: str) -> EsimOrder:
        request = OrderRequest(
            client_ref=operation.client_ref,
            supplier_plan_id=operation.request["supplierPlanId"],
            price_cents=operation.request["priceCents"],
        )
        try:
            order = self.supplier(operation, fault).order(request)
        except PriceChanged as error:
            learn_price(operation, error.current_cents)
            raise PriceChanged(at_sale(operation)(error.current_cents)) from error
        except Expired:
            withdraw([OrderDetails.of(operation.booking).plan.id])
            raise
        return delivered(made(order))

    def find(self, operation: Operation) -> EsimOrder | None:
        """The order; None also for one that was refunded before its answer was known: nothing is delivered, nothing is paid."""
        order = look_up(self.supplier(operation), operation)
        return delivered(order) if order is not None and stands(order) else None

    def outcome(self, operation: Operation, result: EsimOrder) -> Outcome:
        assert result.profile is not None
        booking = operation.booking
        details = OrderDetails.of(booking).provisioned(result.profile)
        data = {
            "purchaseId": booking.id,
            "iccid": result.profile.iccid,
            "planName": details.plan.name,
            "status": "provisioned",
        }
        return provisioned(booking, result, to_json(details), Fact("esim.provisioned", data))


def at_sale(operation: Operation) -> Conversion:
    """The rate that the plan was sold at: all amounts of an order use the same one."""
    booking = operation.booking
    return Conversion(operation.request["currency"], booking.currency, Exchange.read(booking.exchange))


def look_up(supplier: EsimSupplier, operation: Operation) -> EsimOrder | None:
    """By the supplier's own number where it has given one, as of an order that it delivers later; else by our reference."""
    reference = operation.booking.supplier_reference
    if reference:
        try:
            return supplier.read_order(reference)
        except Missing:
            logger.warning("%s is not known to its supplier as %s", operation, reference)
    return supplier.find_order(operation.client_ref)


def stands(order: EsimOrder) -> bool:
    return not (order.cancelled or order.failed)


def made(order: EsimOrder) -> EsimOrder:
    """Raises OutcomeUnknown for one that is answered as ended: it is looked up before anything is paid."""
    if not stands(order):
        raise OutcomeUnknown("answered as an order that no longer stands")
    return order


def delivered(order: EsimOrder) -> EsimOrder:
    """The order with its profile. Raises Accepted while the supplier has not made the profile yet."""
    if order.profile is None:
        raise Accepted(order.supplier_reference)
    return order


def learn_price(operation: Operation, price_cents: int) -> None:
    """Store the supplier's new price in the catalogue now, not only at the next sync."""
    plan_id = OrderDetails.of(operation.booking).plan.id
    logger.info("plan %s costs %d now, not %d", plan_id, price_cents, operation.request["priceCents"])
    Plan.objects.filter(pk=plan_id).update(price_cents=price_cents)
