"""GET and POST /v1/esim/orders/{id}/topups: what an eSIM can be topped up with, and the top-up, through the common booking flow.

The supplier's list is stored for some minutes, because suppliers may not be asked often; its prices are what the partner was
quoted. A top-up is a booking of its own: with a reference, a hold, a line in the ledger, a look-up and a refund of its own. One
of an eSIM is open at a time, so that a supplier that does not keep our reference can still distinguish it from others.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

from django.db import IntegrityError

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import NewBooking, reserve_booking
from apps.bookings.models import Booking, Operation, Product
from apps.bookings.refusals import refuse_above, translated
from apps.common import errors
from apps.esim.details import Conversion, OrderDetails, SoldPlan, TopUpOf, conversion, sold_to
from apps.esim.models import TopUpOffers
from apps.esim.selectors import top_ups_of
from apps.esim.services.order import AlreadyOrdered, answer_existing
from apps.esim.services.sync import plan_id as id_of_plan
from apps.esim.suppliers.base import Profile, TopUpPlan
from apps.esim.suppliers.registry import esim_supplier
from apps.gateway.requests import Caller
from apps.keys.partner import Partner
from apps.suppliers.errors import Missing, NotPossible
from apps.suppliers.values import from_json, to_json

ID_PREFIX = "etop"
UNDER_WAY = "Another top-up of this eSIM is in progress."
ONE_OPEN = "booking_one_open_top_up"
NO_LONGER_OFFERED = "The supplier no longer sells this top-up; read the list again and choose another one."
OFFERED_FOR = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Offer:
    """A plan that the eSIM can be topped up with, under the id that partners order it by."""

    plan_id: str
    plan: TopUpPlan

    def conversion(self, order: Booking, partner: Partner) -> Conversion:
        return conversion(order.supplier_name, self.plan.currency, partner.currency)

    def sold(self, order: Booking, partner: Partner) -> SoldPlan:
        """At the partner's price. Raises NotFound without an exchange rate."""
        place = OrderDetails.of(order).plan
        return sold_to(partner, self.plan_id, self.plan, place, self.conversion(order, partner))


def offered_top_ups(*, caller: Caller, order: Booking) -> list[Offer]:
    """Raises Conflict for an order without a profile and for one that takes no top-ups, 502, 503."""
    profile = profile_to_top_up(order)
    fault = caller.trigger.at_supplier()
    stored = TopUpOffers.objects.filter(pk=order.pk, read_at__gt=order.now() - OFFERED_FOR).first()
    if stored is not None and not fault:
        return offers_in(order, stored)
    return read_offers(order, profile, fault)


def read_offers(order: Booking, profile: Profile, fault: str = "") -> list[Offer]:
    """Ask the supplier now, and store the answer."""
    with translated():
        supplier = esim_supplier(order.environment, fault, named=order.supplier_name)
        try:
            plans = supplier.top_up_plans(order.supplier_reference, profile.iccid)
        except Missing as error:
            raise NotPossible("The supplier no longer has this eSIM.") from error
    defaults = {"plans": to_json(plans), "read_at": order.now()}
    stored, _ = TopUpOffers.objects.update_or_create(booking=order, defaults=defaults)
    return offers_in(order, stored)


def offers_in(order: Booking, stored: TopUpOffers) -> list[Offer]:
    plans = from_json(list[TopUpPlan], stored.plans)
    return [
        Offer(id_of_plan(order.environment, order.supplier_name, plan.supplier_plan_id), plan)
        for plan in plans
    ]


def last_offers(order: Booking) -> list[Offer]:
    """What was offered last, however long ago."""
    stored = TopUpOffers.objects.filter(pk=order.pk).first()
    return offers_in(order, stored) if stored is not None else []


def profile_to_top_up(order: Booking) -> Profile:
    """The order's profile. Raises Conflict before it exists and after it is gone."""
    profile = OrderDetails.of(order).profile if order.status == "provisioned" else None
    if profile is None:
        raise errors.Conflict(
            f"The order is {order.status}: it has no eSIM that could be topped up.", ours=True
        )
    return profile


def top_up_esim(
    *,
    caller: Caller,
    order: Booking,
    plan_id: str,
    external_reference: str | None,
    max_total_cents: int | None,
    sold_for_cents: int | None = None,
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
            return reserve_booking(caller=caller, new=replace(new, sold_for_cents=sold_for_cents))
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
        trip_reference=order.trip_reference,
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
