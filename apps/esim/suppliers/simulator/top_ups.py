"""What the simulated operator adds to a profile: plans of the same kind and place, a little cheaper than new ones."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from apps.esim.suppliers.base import EsimOrder, SupplierPlan, TopUpPlan, TopUpRequest
from apps.esim.suppliers.simulator import catalogue
from apps.esim.suppliers.simulator.profiles import OrderRecord, TopUpRecord, is_recycled
from apps.suppliers.errors import NotPossible

SUFFIX = "-topup"
PERCENT = 95
DATA_SIZES = ("1gb-7d", "3gb-30d", "5gb-30d", "10gb-30d")
UNLIMITED_SIZES = ("unlimited-10d",)
TAKES_NONE = "unlimited-3d"
"""The plan whose profile cannot be topped up, as with some operators."""


def plans_for(record: OrderRecord, percent: int, now: datetime) -> list[TopUpPlan]:
    """What can be added to the profile, at the prices of a market at `percent`. Raises NotPossible for one that takes none."""
    if record.order.supplier_plan_id.endswith(TAKES_NONE):
        raise NotPossible("This plan takes no top-ups.")
    if is_recycled(record, now):
        raise NotPossible("The eSIM has expired and was recycled.")
    return [top_up_of(plan, percent) for plan in _same_place(record)]


def _same_place(record: OrderRecord) -> Iterator[SupplierPlan]:
    place = place_of(record.order.supplier_plan_id)
    for size in DATA_SIZES if record.data_mb is not None else UNLIMITED_SIZES:
        plan = catalogue.plans().get(f"sim-{place}-{size}")
        if plan is not None:
            yield plan


def place_of(supplier_plan_id: str) -> str:
    """`latin-america` of `sim-latin-america-3gb-30d`."""
    sizes = (f"-{size.code}" for size in catalogue.REGIONAL_SIZES)
    size = max((size for size in sizes if supplier_plan_id.endswith(size)), key=len, default="")
    return supplier_plan_id.removeprefix("sim-").removesuffix(size)


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
