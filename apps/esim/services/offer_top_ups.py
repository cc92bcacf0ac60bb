"""GET /v1/esim/orders/{id}/topups: what the eSIM can be topped up with, as its supplier says.

The list is stored for some minutes, because suppliers may not be asked often; its prices are what the partner was quoted.
"""

from dataclasses import dataclass
from datetime import timedelta

from apps.bookings.models import Booking
from apps.bookings.refusals import translated
from apps.common.errors import Conflict
from apps.esim.details import Conversion, OrderDetails, SoldPlan, conversion, sold_as_top_up
from apps.esim.models import TopUpOffers
from apps.esim.services.sync import plan_id
from apps.esim.suppliers.base import Profile, TopUpPlan
from apps.esim.suppliers.registry import esim_supplier
from apps.gateway.requests import Caller
from apps.keys.partner import Partner
from apps.suppliers.errors import Missing, NotPossible
from apps.suppliers.values import from_json, to_json

KEPT_FOR = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Offer:
    """A plan that the eSIM can be topped up with, under the id that partners order it by."""

    plan_id: str
    plan: TopUpPlan

    def conversion(self, order: Booking, partner: Partner) -> Conversion:
        return conversion(order.supplier_name, self.plan.currency, partner.currency)

    def sold(self, order: Booking, partner: Partner) -> SoldPlan:
        """At the partner's price. Raises NotFound without an exchange rate."""
        of = OrderDetails.of(order).plan
        return sold_as_top_up(partner, self.plan_id, self.plan, of, self.conversion(order, partner))


def offered_top_ups(*, caller: Caller, order: Booking) -> list[Offer]:
    """Raises Conflict for an order without a profile and for one that takes no top-ups, 502, 503."""
    profile = profile_to_top_up(order)
    fault = caller.trigger.at_supplier()
    stored = TopUpOffers.objects.filter(pk=order.pk, read_at__gt=order.now() - KEPT_FOR).first()
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
    stored = TopUpOffers(booking=order, plans=to_json(plans), read_at=order.now())
    TopUpOffers.objects.bulk_create(
        [stored], update_conflicts=True, unique_fields=["booking"], update_fields=["plans", "read_at"]
    )
    return offers_in(order, stored)


def offers_in(order: Booking, stored: TopUpOffers) -> list[Offer]:
    plans = from_json(list[TopUpPlan], stored.plans)
    return [
        Offer(plan_id(order.environment, order.supplier_name, plan.supplier_plan_id), plan) for plan in plans
    ]


def last_offers(order: Booking) -> list[Offer]:
    """What was offered last, however long ago."""
    stored = TopUpOffers.objects.filter(pk=order.pk).first()
    return offers_in(order, stored) if stored is not None else []


def profile_to_top_up(order: Booking) -> Profile:
    """The order's profile. Raises Conflict where there is none yet, or none any more."""
    profile = OrderDetails.of(order).profile if order.status == "provisioned" else None
    if profile is None:
        raise Conflict(f"The order is {order.status}: it has no eSIM that could be topped up.", ours=True)
    return profile
