"""The operations that buy an eSIM or top one up. How they end is in `refunds`."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from apps.bookings.handlers import Accepted, Outcome, Prepared, ProductHandler
from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.esim.details import Conversion, OrderDetails
from apps.esim.models import Plan, TopUpOffers
from apps.esim.selectors import top_ups_of
from apps.esim.services.sync import withdraw
from apps.esim.suppliers.base import EsimOrder, EsimSupplier, OrderRequest, TopUpRequest
from apps.esim.suppliers.registry import VENDORS, esim_supplier
from apps.suppliers.currency import Exchange
from apps.suppliers.errors import Expired, Missing, OutcomeUnknown, PriceChanged
from apps.suppliers.values import to_json
from apps.webhooks.events import Fact

logger = logging.getLogger(__name__)

REFUNDED_WITHIN = timedelta(days=30)
"""A supplier's staff decide about a refund, some time after the plan has run out."""
LONGEST_DAYS = 3_650
"""A plan that is valid for longer than this, or for ever in its supplier's way of saying so, is not polled to its end."""


class EsimHandler(ProductHandler[EsimSupplier]):
    product = Product.ESIM
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> EsimSupplier:
        return esim_supplier(booking.environment, fault, named=booking.supplier_name)


class BookEsim(EsimHandler):
    """Buys a new eSIM or tops one up."""

    kind = OperationKind.BOOK

    def prepare(self, operation: Operation) -> Prepared:
        """Asks nothing: the plan is sold at the price that was read before, and a supplier that charges more refuses it."""
        return Prepared(operation.amount_cents)

    def call(self, operation: Operation, fault: str) -> EsimOrder:
        supplier = self.supplier(operation, fault)
        try:
            if is_top_up(operation):
                order = supplier.top_up(top_up_request(operation))
            else:
                order = supplier.order(order_request(operation))
        except PriceChanged as error:
            learn_price(operation, error.current_cents)
            raise PriceChanged(at_sale(operation)(error.current_cents)) from error
        except Expired:
            stop_selling(operation.booking)
            raise
        if not stands(order):  # it is looked up before anything is paid
            raise OutcomeUnknown("answered as an order that no longer stands")
        return delivered(operation, order)

    def find(self, operation: Operation) -> EsimOrder | None:
        """None also for one that was refunded before its answer was known: nothing is delivered, nothing is paid."""
        supplier = self.supplier(operation)
        order = (
            supplier.find_top_up(top_up_request(operation))
            if is_top_up(operation)
            else look_up(supplier, operation)
        )
        return delivered(operation, order) if order is not None and stands(order) else None

    def outcome(self, operation: Operation, result: EsimOrder) -> Outcome:
        """The partner pays what the plan was sold for. There is no booking.confirmed for an eSIM (specification §6)."""
        booking = operation.booking
        details = OrderDetails.of(booking)
        of = details.top_up_of
        if of is not None:
            data = {"orderId": of.order_id, "iccid": of.iccid, "planName": details.plan.name}
            price = {"totalCents": booking.total_cents, "currency": booking.currency}
            event = Fact("esim.topped_up", {**data, **price})
        else:
            assert result.profile is not None
            details = replace(details, profile=result.profile)
            data = {"purchaseId": booking.id, "iccid": result.profile.iccid, "planName": details.plan.name}
            event = Fact("esim.provisioned", {**data, "status": "provisioned"})
        return Outcome(
            status="provisioned",
            details=to_json(details),
            total_cents=booking.total_cents,
            supplier_reference=result.supplier_reference,
            capture_cents=booking.total_cents,
            watched_until=watched_until(booking),
            events=(event,),
        )


def is_top_up(operation: Operation) -> bool:
    """Its request names the profile that it is added to."""
    return "iccid" in operation.request


def order_request(operation: Operation) -> OrderRequest:
    asked = operation.request
    return OrderRequest(operation.client_ref, asked["supplierPlanId"], asked["priceCents"])


def top_up_request(operation: Operation) -> TopUpRequest:
    """The same for the call and for its look-up, but for what became known since."""
    asked = operation.request
    order = Booking.objects.get(pk=topped_up_order(operation.booking))
    others = top_ups_of(order).exclude(pk=operation.booking.pk).exclude(supplier_reference="")
    return TopUpRequest(
        client_ref=operation.client_ref,
        order_reference=asked["orderReference"],
        iccid=asked["iccid"],
        supplier_plan_id=asked["supplierPlanId"],
        price_cents=asked["priceCents"],
        asked_at=operation.call_started_at or operation.created_at,
        known=(order.supplier_reference, *others.values_list("supplier_reference", flat=True)),
    )


def topped_up_order(booking: Booking) -> str | None:
    """The id of the order that a top-up is added to; None for an order of a new eSIM."""
    of = OrderDetails.of(booking).top_up_of
    return of.order_id if of is not None else None


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


def delivered(operation: Operation, order: EsimOrder) -> EsimOrder:
    """Raises Accepted while the supplier has not made the profile of a new eSIM yet."""
    if order.profile is None and not is_top_up(operation):
        raise Accepted(order.supplier_reference)
    return order


def at_sale(operation: Operation) -> Conversion:
    """The rate that the plan was sold at: all amounts of an order use the same one."""
    booking = operation.booking
    return Conversion(operation.request["currency"], booking.currency, Exchange.read(booking.exchange))


def learn_price(operation: Operation, price_cents: int) -> None:
    """Store the supplier's new price in the catalogue, which has no top-ups, now, not only at the next sync."""
    plan_id = OrderDetails.of(operation.booking).plan.id
    logger.info("plan %s costs %d now, not %d", plan_id, price_cents, operation.request["priceCents"])
    Plan.objects.filter(pk=plan_id).update(price_cents=price_cents)


def stop_selling(booking: Booking) -> None:
    """The supplier no longer sells the plan: withdraw it, or have the top-ups of the eSIM read again."""
    order_id = topped_up_order(booking)
    if order_id is None:
        withdraw([OrderDetails.of(booking).plan.id])
    else:
        TopUpOffers.objects.filter(pk=order_id).delete()


def watched_until(booking: Booking) -> datetime:
    """Until when the supplier is asked whether an order still stands."""
    days = min(OrderDetails.of(booking).plan.validity_days, LONGEST_DAYS)
    return booking.created_at + timedelta(days=days) + REFUNDED_WITHIN
