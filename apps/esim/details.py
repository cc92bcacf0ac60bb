"""An eSIM order's own part of its booking row, typed, and what a plan costs a partner.

In the sandbox the simulators' fixed rates are used, so that a plan costs the same in every process and on every day. A real
supplier's price is converted at the rate that staff stored; a plan without one is not sold (`sold_in`). The rate stays with the
order to its end.
"""

from bisect import bisect_right
from dataclasses import dataclass, replace
from datetime import datetime

from apps.bookings.models import Booking
from apps.common import money
from apps.common.errors import NotFound
from apps.common.money import Cents, with_markup
from apps.esim.models import Plan
from apps.esim.suppliers.base import PlanTerms, Profile, TopUpPlan
from apps.keys.partner import Partner
from apps.suppliers.currency import Exchange
from apps.suppliers.rates import rate, rates_to
from apps.suppliers.registry import SIMULATOR
from apps.suppliers.simulation import RATES
from apps.suppliers.values import from_json

LARGEST_CENTS = 2**62


@dataclass(frozen=True, slots=True)
class Conversion:
    """How amounts of one supplier's currency become the account's. `exchange` is None where no stored rate is needed."""

    base: str
    quote: str
    exchange: Exchange | None = None

    def __call__(self, cents: int) -> int:
        """At least one minor unit for what is not free."""
        if self.exchange is None:
            return in_currency(cents, self.base, self.quote)
        return max(1, self.exchange.cents(cents)) if cents else 0

    def most(self, cents: int) -> int:
        """The largest amount that converts to no more than `cents`, which is not negative."""
        return bisect_right(range(LARGEST_CENTS), cents, key=self) - 1


def conversion(supplier: str, base: str, quote: str) -> Conversion:
    """The conversion at today's rate. Raises NotFound where staff stored none."""
    if supplier == SIMULATOR or base == quote:
        return Conversion(base, quote)
    exchange = rate(base, quote)
    if exchange is None:
        raise NotFound("There is no such plan.", ours=True)
    return Conversion(base, quote, exchange)


def sold_in(supplier: str, currency: str) -> frozenset[str] | None:
    """The supplier's currencies that have a price in the account's; None for all."""
    return None if supplier == SIMULATOR else frozenset({currency, *rates_to(currency)})


def in_currency(cents: int, supplier_currency: str, currency: str) -> int:
    """`cents` of the supplier's currency in minor units of `currency`, rounded half up, at least one for what is not free.

    Uses the sandbox's rates. A currency without one counts as the euro.
    """
    if supplier_currency == currency or cents == 0:
        return cents
    euros = money.to_major(cents, supplier_currency) / RATES.get(supplier_currency, RATES["EUR"])
    return max(1, money.to_cents(euros * RATES.get(currency, RATES["EUR"]), currency))


@dataclass(frozen=True, slots=True, kw_only=True)
class SoldPlan(PlanTerms):
    """The plan as it was sold, at the price it had then in the account's currency."""

    id: str
    countries: tuple[str, ...]
    region: str | None
    suggested_retail_cents: Cents


@dataclass(frozen=True, slots=True)
class TopUpOf:
    """Which order's profile a top-up is added to."""

    order_id: str
    iccid: str


@dataclass(frozen=True, slots=True)
class AskedRefund:
    """The order's newest refund request; `client_ref` is our reference of it."""

    client_ref: str
    status: str
    reason: str
    notes: str | None
    requested_at: datetime
    decided_at: datetime | None = None
    refunded_cents: Cents | None = None

    @property
    def is_open(self) -> bool:
        return self.decided_at is None

    def ended(self, status: str, refunded_cents: Cents, now: datetime) -> "AskedRefund":
        return replace(self, status=status, refunded_cents=refunded_cents, decided_at=now)


@dataclass(frozen=True, slots=True)
class OrderDetails:
    """`top_up_of` is None for an order of a new eSIM. A top-up has no profile and no refund request of its own."""

    plan: SoldPlan
    profile: Profile | None = None
    top_up_of: TopUpOf | None = None
    refund: AskedRefund | None = None

    @classmethod
    def of(cls, booking: Booking) -> "OrderDetails":
        return from_json(cls, booking.details)


def sold_to(
    partner: Partner, plan_id: str, plan: Plan | TopUpPlan, place: Plan | SoldPlan, convert: Conversion
) -> SoldPlan:
    """The plan at the partner's price. `place` says where it works: a top-up works where the plan of its eSIM does."""
    price = convert(plan.price_cents)
    return SoldPlan(
        id=plan_id,
        name=plan.name,
        plan_type=plan.plan_type,
        countries=tuple(place.countries),
        region=place.region,
        data_mb=plan.data_mb,
        validity_days=plan.validity_days,
        voice_minutes=plan.voice_minutes,
        sms_count=plan.sms_count,
        price_cents=price,
        currency=partner.currency,
        suggested_retail_cents=with_markup(price, partner.markup_bp),
    )
