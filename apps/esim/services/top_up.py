"""POST /v1/esim/orders/{id}/topups: adds a plan to an eSIM, through the common booking flow.

A top-up is a booking of its own: with a reference, a hold, a line in the ledger, a look-up and a refund of its own. One of an
eSIM is open at a time, so that a supplier that does not keep our reference can still distinguish it from others.
"""

from collections.abc import Callable

from django.db import IntegrityError

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import NewBooking, reserve_booking
from apps.bookings.handlers import Outcome
from apps.bookings.models import Booking, Operation, Product
from apps.bookings.refusals import refuse_above
from apps.common import errors
from apps.esim.details import OrderDetails, SoldPlan, TopUpOf
from apps.esim.models import TopUpOffers
from apps.esim.selectors import top_ups_of
from apps.esim.services.handlers import BuyHandler, provisioned
from apps.esim.services.offer_top_ups import Offer, last_offers, profile_to_top_up, read_offers
from apps.esim.services.order import AlreadyOrdered, answer_existing, at_sale, made, stands
from apps.esim.suppliers.base import EsimOrder, Profile, TopUpRequest
from apps.gateway.requests import Caller
from apps.suppliers.errors import Expired, PriceChanged
from apps.suppliers.values import to_json
from apps.webhooks.events import Fact

ID_PREFIX = "etop"
UNDER_WAY = "Another top-up of this eSIM is under way."
ONE_OPEN = "booking_one_open_top_up"
NO_LONGER_OFFERED = "The supplier no longer sells this top-up; read the list again and choose another one."


def top_up_esim(
    *,
    caller: Caller,
    order: Booking,
    plan_id: str,
    external_reference: str | None,
    max_total_cents: int | None,
) -> tuple[Booking, bool]:
    """The top-up, and whether it was made now. Raises Conflict, InvalidRequest (no top-up of this eSIM), OfferExpired,
    PriceChanged, InsufficientFunds, 502, 503.
    """

    def answer_the_same() -> None:
        answer_existing(caller, external_reference, plan_id, order_id=order.pk)

    def begin() -> Operation:
        answer_the_same()
        profile = profile_to_top_up(order)
        refuse_second(order, answer_the_same)
        quoted, offer = offer_to_buy(order, profile, plan_id)
        sold = offer.sold(order, caller.partner)
        caller.trigger.refuse_payment(total_cents=sold.price_cents, currency=sold.currency)
        refuse_dearer(sold, quoted.sold(order, caller.partner).price_cents, max_total_cents)
        new = new_top_up(order, profile, offer, sold, external_reference, caller)
        try:
            return reserve_booking(caller=caller, new=new)
        except errors.Conflict:  # another call with this externalReference came first
            answer_the_same()
            raise
        except IntegrityError as error:
            if ONE_OPEN not in str(error):
                raise
            refuse_second(order, answer_the_same)
            raise errors.Conflict(UNDER_WAY, ours=True) from error

    try:
        return carry_out(caller=caller, begin=begin), True
    except AlreadyOrdered as found:
        return found.booking, False


def refuse_second(order: Booking, answer_the_same: Callable[[], None]) -> None:
    """Raises Conflict while another top-up of the eSIM is open; what `answer_the_same` raises where it is the same one."""
    other = top_ups_of(order).filter(status=Booking.PENDING).first()
    if other is not None:
        answer_the_same()
        raise errors.Conflict(UNDER_WAY, ours=True, bookingId=other.pk)


def offer_to_buy(order: Booking, profile: Profile, plan_id: str) -> tuple[Offer, Offer]:
    """The plan as the partner was quoted it, and as it is now. Raises OfferExpired for one that was quoted and is gone,
    InvalidRequest for one that was none.
    """
    quoted = {offer.plan_id: offer for offer in last_offers(order)}
    now = {offer.plan_id: offer for offer in read_offers(order, profile)}
    if plan_id not in now:
        if plan_id in quoted:
            raise errors.OfferExpired(NO_LONGER_OFFERED, ours=True)
        raise errors.InvalidRequest.field("planId", "is no top-up plan of this eSIM")
    return quoted.get(plan_id, now[plan_id]), now[plan_id]


def refuse_dearer(sold: SoldPlan, quoted_cents: int, max_total_cents: int | None) -> None:
    """Raises PriceChanged (409) above the quoted price, unless `maxTotalCents` allows it, and above `maxTotalCents`."""
    refuse_above(max_total_cents, quoted_cents=sold.price_cents, currency=sold.currency)
    if sold.price_cents > max(quoted_cents, max_total_cents or quoted_cents):
        raise errors.PriceChanged(
            previous_total_cents=quoted_cents, current_total_cents=sold.price_cents, currency=sold.currency
        )


def new_top_up(
    order: Booking,
    profile: Profile,
    offer: Offer,
    sold: SoldPlan,
    external_reference: str | None,
    caller: Caller,
) -> NewBooking:
    """The top-up as it begins. `request` stores all that the supplier is asked with, and looked up by."""
    exchange = offer.conversion(order, caller.partner).exchange
    return NewBooking(
        product=Product.ESIM,
        total_cents=sold.price_cents,
        currency=sold.currency,
        supplier_name=order.supplier_name,
        external_reference=external_reference,
        details=to_json(OrderDetails(sold, top_up_of=TopUpOf(order.pk, profile.iccid))),
        request={
            "supplierPlanId": offer.plan.supplier_plan_id,
            "priceCents": offer.plan.price_cents,
            "currency": offer.plan.currency,
            "iccid": profile.iccid,
            "orderReference": order.supplier_reference,
        },
        exchange=exchange.as_json() if exchange else None,
        id_prefix=ID_PREFIX,
    )


class TopUpEsim(BuyHandler):
    """The operation that adds a plan to a profile."""

    def call(self, operation: Operation, fault: str) -> EsimOrder:
        try:
            return made(self.supplier(operation, fault).top_up(request_of(operation)))
        except PriceChanged as error:
            raise PriceChanged(at_sale(operation)(error.current_cents)) from error
        except Expired:
            forget_offers(operation)
            raise

    def find(self, operation: Operation) -> EsimOrder | None:
        found = self.supplier(operation).find_top_up(request_of(operation))
        return found if found is not None and stands(found) else None

    def outcome(self, operation: Operation, result: EsimOrder) -> Outcome:
        booking = operation.booking
        details = OrderDetails.of(booking)
        assert details.top_up_of is not None
        data = {
            "orderId": details.top_up_of.order_id,
            "iccid": details.top_up_of.iccid,
            "planName": details.plan.name,
            "totalCents": booking.total_cents,
            "currency": booking.currency,
        }
        return provisioned(booking, result, booking.details, Fact("esim.topped_up", data))


def request_of(operation: Operation) -> TopUpRequest:
    """The same for the call and for its look-up, but for what became known since."""
    asked = operation.request
    return TopUpRequest(
        client_ref=operation.client_ref,
        order_reference=asked["orderReference"],
        iccid=asked["iccid"],
        supplier_plan_id=asked["supplierPlanId"],
        price_cents=asked["priceCents"],
        asked_at=operation.call_started_at or operation.created_at,
        known=known_to_be_others(operation.booking),
    )


def known_to_be_others(booking: Booking) -> tuple[str, ...]:
    """The supplier's references of the eSIM's other top-ups."""
    of = OrderDetails.of(booking).top_up_of
    assert of is not None
    order = Booking.objects.get(pk=of.order_id)
    others = top_ups_of(order).exclude(pk=booking.pk).exclude(supplier_reference="")
    return (order.supplier_reference, *others.values_list("supplier_reference", flat=True))


def forget_offers(operation: Operation) -> None:
    """The list named a plan that is gone: it is read again."""
    of = OrderDetails.of(operation.booking).top_up_of
    assert of is not None
    TopUpOffers.objects.filter(pk=of.order_id).delete()
