"""The simulated price list: the same in every process and on every day, dollars as most wholesalers ask for."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from apps.esim.regions import REGIONS
from apps.esim.suppliers.base import Coverage, SupplierPlan
from apps.esim.suppliers.simulator import world
from apps.suppliers.simulation import draw

CURRENCY = "USD"
GB = 1024


@dataclass(frozen=True, slots=True)
class Size:
    """One line of the list. `base_cents` is what it costs where data is neither cheap nor dear."""

    code: str
    plan_type: str
    data_mb: int | None
    validity_days: int
    base_cents: int
    voice_minutes: int = 0
    sms_count: int = 0

    @property
    def title(self) -> str:
        """`5 GB + 60 minutes + 20 SMS, 30 days`"""
        parts = [f"{self.data_mb // GB} GB" if self.data_mb is not None else "Unlimited"]
        if self.voice_minutes:
            parts.append(f"{self.voice_minutes} minutes")
        if self.sms_count:
            parts.append(f"{self.sms_count} SMS")
        return f"{' + '.join(parts)}, {self.validity_days} days"


SIZES = (
    Size("1gb-7d", "data", 1 * GB, 7, 290),
    Size("3gb-30d", "data", 3 * GB, 30, 690),
    Size("5gb-30d", "data", 5 * GB, 30, 1_020),
    Size("10gb-30d", "data", 10 * GB, 30, 1_680),
    Size("20gb-30d", "data", 20 * GB, 30, 2_650),
    Size("unlimited-3d", "unlimited", None, 3, 1_150),
    Size("unlimited-10d", "unlimited", None, 10, 2_900),
    Size("5gb-60min-20sms-30d", "voice_sms", 5 * GB, 30, 1_590, voice_minutes=60, sms_count=20),
)
REGIONAL_SIZES = (
    *SIZES,
    Size("50gb-90d", "data", 50 * GB, 90, 5_400),
    Size("20gb-200min-50sms-60d", "voice_sms", 20 * GB, 60, 4_300, voice_minutes=200, sms_count=50),
)
REGIONAL_PERCENT = {"global": 260, "africa": 210, "oceania": 150}
OTHER_REGIONS_PERCENT = 130


@cache
def plans() -> dict[str, SupplierPlan]:
    """All plans by the supplier's id."""
    return {plan.supplier_plan_id: plan for plan in (*_local(), *_regional())}


def _local() -> Iterator[SupplierPlan]:
    for country in world.countries():
        for size in SIZES:
            yield _plan(country, (country,), None, size, draw(60, 190, "esim price", country))


def _regional() -> Iterator[SupplierPlan]:
    for region in REGIONS:
        percent = REGIONAL_PERCENT.get(region, OTHER_REGIONS_PERCENT)
        for size in REGIONAL_SIZES:
            yield _plan(region, world.members(region), region, size, percent)


def _plan(
    place: str, countries: tuple[str, ...], region: str | None, size: Size, percent: int
) -> SupplierPlan:
    return SupplierPlan(
        supplier_plan_id=f"sim-{place.lower()}-{size.code}",
        name=f"{world.title(place)} {size.title}",
        plan_type=size.plan_type,
        countries=countries,
        region=region,
        data_mb=size.data_mb,
        validity_days=size.validity_days,
        voice_minutes=size.voice_minutes,
        sms_count=size.sms_count,
        price_cents=size.base_cents * percent // 100,
        currency=CURRENCY,
        coverage=tuple(Coverage(country, world.networks(country)) for country in countries),
    )
