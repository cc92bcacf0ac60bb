"""An eSIM order's own part of its booking row, typed; `apps.suppliers.values` turns it into JSON and back."""

from dataclasses import dataclass, replace

from apps.bookings.models import Booking
from apps.common.money import Cents, with_markup
from apps.esim.models import Plan
from apps.esim.prices import Conversion, conversion
from apps.esim.suppliers.base import Profile, TopUpPlan
from apps.keys.partner import Partner
from apps.suppliers.values import from_json


@dataclass(frozen=True, slots=True)
class SoldPlan:
    """The plan as it was sold, at the price it had then in the account's currency."""

    id: str
    name: str
    plan_type: str
    countries: tuple[str, ...]
    region: str | None
    data_mb: int | None
    validity_days: int
    voice_minutes: int
    sms_count: int
    price_cents: Cents
    currency: str
    suggested_retail_cents: Cents


@dataclass(frozen=True, slots=True)
class TopUpOf:
    """Which order's profile a top-up is added to."""

    order_id: str
    iccid: str


@dataclass(frozen=True, slots=True)
class OrderDetails:
    """`top_up_of` is None for an order of a new eSIM. A top-up has no profile of its own."""

    plan: SoldPlan
    profile: Profile | None = None
    top_up_of: TopUpOf | None = None

    @classmethod
    def of(cls, booking: Booking) -> "OrderDetails":
        return from_json(cls, booking.details)

    def provisioned(self, profile: Profile) -> "OrderDetails":
        return replace(self, profile=profile)


def conversion_of(plan: Plan, partner: Partner) -> Conversion:
    """How the plan's price is converted for the partner. Raises NotFound where there is no rate."""
    return conversion(plan.supplier_name, plan.currency, partner.currency)


def sold_as_top_up(
    partner: Partner, plan_id: str, plan: TopUpPlan, of: SoldPlan, convert: Conversion
) -> SoldPlan:
    """A top-up at the partner's price. It works where the plan does that the eSIM was bought with."""
    price = convert(plan.price_cents)
    return SoldPlan(
        id=plan_id,
        name=plan.name,
        plan_type=plan.plan_type,
        countries=of.countries,
        region=of.region,
        data_mb=plan.data_mb,
        validity_days=plan.validity_days,
        voice_minutes=plan.voice_minutes,
        sms_count=plan.sms_count,
        price_cents=price,
        currency=partner.currency,
        suggested_retail_cents=with_markup(price, partner.markup_bp),
    )


def sold_to(partner: Partner, plan: Plan, convert: Conversion) -> SoldPlan:
    """The plan at the partner's price."""
    price = convert(plan.price_cents)
    return SoldPlan(
        id=plan.id,
        name=plan.name,
        plan_type=plan.plan_type,
        countries=tuple(plan.countries),
        region=plan.region,
        data_mb=plan.data_mb,
        validity_days=plan.validity_days,
        voice_minutes=plan.voice_minutes,
        sms_count=plan.sms_count,
        price_cents=price,
        currency=partner.currency,
        suggested_retail_cents=with_markup(price, partner.markup_bp),
    )
