"""What the simulated operator stores of an order, the profile it makes for it, how that is used up and topped up."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from apps.esim.suppliers.base import EsimOrder, LowData, Profile, SupplierPlan, TopUpPlan, TopUpRequest, Usage
from apps.esim.suppliers.simulator import catalogue
from apps.suppliers.errors import NotPossible
from apps.suppliers.simulation import draw

SMDP_ADDRESS = "smdp.simulator.example"
ICCID_PREFIX = "8999"  # telecommunication, and an unassigned country code
MATCHING_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"

LATE_REGION = "oceania"
"""Orders of its plans are accepted at once and delivered later, as some operators do."""
LATE_BY = timedelta(seconds=5)
RECYCLED_AFTER = timedelta(days=30)
"""This long after its last day a profile is withdrawn: it can no longer be topped up."""

PERCENT_LEVELS = (90, 75)
DAY_LEVELS = (1, 3)
"""What is reported as low, the worst first: of the data used, and of the days left."""

REFUNDED_AFTER = timedelta(days=1)
"""So long after a request what was not used is refunded."""

SUFFIX = "-topup"
PERCENT = 95
DATA_SIZES = ("1gb-7d", "3gb-30d", "5gb-30d", "10gb-30d")
UNLIMITED_SIZES = ("unlimited-10d",)
TAKES_NONE = "unlimited-3d"
"""The plan whose profile cannot be topped up, as with some operators."""


@dataclass(frozen=True, slots=True)
class TopUpRecord:
    """What was added to a profile, and when."""

    order: EsimOrder
    data_mb: int | None
    validity_days: int
    added_at: datetime


@dataclass(frozen=True, slots=True)
class OrderRecord:
    """An order with its profile, which is not shown before `ready_at`, and the plan as it was sold; then its top-ups."""

    order: EsimOrder
    data_mb: int | None
    validity_days: int
    ready_at: datetime
    top_ups: tuple[TopUpRecord, ...] = ()
    refund_asked_at: datetime | None = None
    """From then on the traveller no longer uses it."""

    def at(self, now: datetime) -> EsimOrder:
        """The order as the operator shows it at that moment."""
        if self.refund_asked_at is not None and now >= self.refund_asked_at + REFUNDED_AFTER:
            return replace(self.order, cancelled=True)
        return self.order if now >= self.ready_at else replace(self.order, profile=None)

    @property
    def installed_at(self) -> datetime:
        return self.ready_at + timedelta(minutes=draw(10, 60, "installed", self.order.supplier_reference))


def refunded(record: OrderRecord, reference: str) -> OrderRecord:
    """The record once the order, or the one of its top-ups that has this reference, is paid back and no longer stands.

    Raises NotPossible for what was refunded already.
    """
    orders = {one.order.supplier_reference: one.order for one in record.top_ups}
    order = orders.get(reference, record.order)
    if order.cancelled:
        raise NotPossible("it was refunded before")
    ended = replace(order, cancelled=True)
    if order is record.order:
        return replace(record, order=ended)
    top_ups = tuple(replace(one, order=ended) if one.order is order else one for one in record.top_ups)
    return replace(record, top_ups=top_ups)


def issue(plan: SupplierPlan, price_cents: int, reference: str, now: datetime) -> OrderRecord:
    """A new order of `plan`; all of its profile follows from the reference."""
    order = EsimOrder(
        supplier_reference=reference,
        supplier_plan_id=plan.supplier_plan_id,
        price_cents=price_cents,
        currency=plan.currency,
        profile=Profile(_iccid(reference), SMDP_ADDRESS, _matching_id(reference)),
    )
    ready_at = now + LATE_BY if plan.region == LATE_REGION else now
    return OrderRecord(order, plan.data_mb, plan.validity_days, ready_at)


def usage_of(record: OrderRecord, now: datetime) -> Usage:
    """Installed within the hour, then used steadily: some profiles are empty before their days are over, some never. A top-up
    adds its data to what is left, and its days to today. What is to be refunded is used no more.
    """
    now = min(now, record.refund_asked_at or now)
    total, used, valid_until = record.data_mb, 0, record.installed_at + timedelta(days=record.validity_days)
    since = record.installed_at
    for top_up in record.top_ups:
        if top_up.added_at > now:
            break
        used, since = used_by(top_up.added_at, record, total, used, since, valid_until)
        total = None if total is None or top_up.data_mb is None else total + top_up.data_mb
        begins = max(top_up.added_at, record.installed_at)
        valid_until = max(valid_until, begins + timedelta(days=top_up.validity_days))
    if now < record.installed_at:
        return Usage("not_installed", total, 0, None)
    used, _ = used_by(now, record, total, used, since, valid_until)
    depleted = used == total
    status = "expired" if now >= valid_until else "depleted" if depleted else "active"
    low = tuple(levels(record, total, used, valid_until - now))
    return Usage(status, total, used, valid_until, low)


def levels(record: OrderRecord, total: int | None, used: int, left: timedelta) -> Iterator[LowData]:
    """The worst level of the data and of the days, until the plan has ended. One of three days does not begin with three left."""
    if left <= timedelta(0):
        return
    percent = next((level for level in PERCENT_LEVELS if total and used * 100 >= level * total), None)
    if percent is not None:
        yield LowData(percent_used=percent)
    days = next((level for level in DAY_LEVELS if left <= timedelta(days=level)), None)
    if days is not None and record.validity_days > days:
        yield LowData(days_left=days)


def used_by(
    then: datetime, record: OrderRecord, total: int | None, used: int, since: datetime, valid_until: datetime
) -> tuple[int, datetime]:
    """How much is used by then, where `used` was by `since`; and from when the count continues."""
    if then <= since:
        return used, since
    used += _daily_mb(record) * max(0, _minutes(min(then, valid_until) - since)) // (24 * 60)
    return (used if total is None else min(used, total)), then


def is_recycled(record: OrderRecord, now: datetime) -> bool:
    valid_until = usage_of(record, now).valid_until
    return valid_until is not None and now >= valid_until + RECYCLED_AFTER


def luhn_digit(digits: str) -> int:
    """The check digit that makes `digits` plus it valid (ISO/IEC 7812), as every ICCID ends in."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return -total % 10


def _daily_mb(record: OrderRecord) -> int:
    """Between half and twice the pace at which the plan would just last; a lively pace when it is unlimited."""
    reference = record.order.supplier_reference
    if record.data_mb is None:
        return draw(300, 3_000, "pace", reference)
    return record.data_mb * draw(50, 200, "pace", reference) // (100 * record.validity_days)


def _minutes(span: timedelta) -> int:
    return span // timedelta(minutes=1)


def _iccid(reference: str) -> str:
    digits = f"{ICCID_PREFIX}{draw(0, 10**14 - 1, 'iccid', reference):014d}"
    return f"{digits}{luhn_digit(digits)}"


def _matching_id(reference: str) -> str:
    """`K7Q2M-9XD4A-…`: four groups of five."""
    letters = [MATCHING_LETTERS[draw(0, 31, "matching", reference, n)] for n in range(20)]
    return "-".join("".join(letters[n : n + 5]) for n in range(0, 20, 5))


def top_ups_for(record: OrderRecord, percent: int, now: datetime) -> list[TopUpPlan]:
    """What can be added to the profile, at the prices of a market at `percent`. Raises NotPossible for one that takes none."""
    if record.order.supplier_plan_id.endswith(TAKES_NONE):
        raise NotPossible("This plan takes no top-ups.")
    if is_recycled(record, now):
        raise NotPossible("The eSIM has expired and was recycled.")
    return [top_up_of(plan, percent) for plan in _same_place(record)]


def _same_place(record: OrderRecord) -> Iterator[SupplierPlan]:
    plans = catalogue.plans()
    bought = plans[record.order.supplier_plan_id]
    place = (bought.region or bought.countries[0]).lower()
    for size in DATA_SIZES if record.data_mb is not None else UNLIMITED_SIZES:
        if plan := plans.get(f"sim-{place}-{size}"):
            yield plan


def top_up_of(plan: SupplierPlan, percent: int) -> TopUpPlan:
    return TopUpPlan(
        supplier_plan_id=plan.supplier_plan_id + SUFFIX,
        name=f"{plan.name}, top-up",
        plan_type=plan.plan_type,
        data_mb=plan.data_mb,
        validity_days=plan.validity_days,
        voice_minutes=plan.voice_minutes,
        sms_count=plan.sms_count,
        price_cents=plan.price_cents * PERCENT * percent // 10_000,
        currency=plan.currency,
    )


def added(record: OrderRecord, plan: TopUpPlan, now: datetime) -> OrderRecord:
    """The record with one more top-up. Its reference says which one of the order it is."""
    number = len(record.top_ups) + 1
    order = EsimOrder(
        supplier_reference=f"{record.order.supplier_reference}-T{number}",
        supplier_plan_id=plan.supplier_plan_id,
        price_cents=plan.price_cents,
        currency=plan.currency,
        profile=None,
    )
    top_up = TopUpRecord(order, plan.data_mb, plan.validity_days, now)
    return replace(record, top_ups=(*record.top_ups, top_up))


def is_of(record: OrderRecord, request: TopUpRequest) -> bool:
    """Whether the profile to top up is that order's."""
    profile = record.order.profile
    return profile is not None and profile.iccid == request.iccid
