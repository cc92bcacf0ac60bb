"""What the simulated supplier sells, and where: the same in every process and on every day."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pycountry

from apps.esim.suppliers.base import REGIONS, Coverage, SupplierPlan
from apps.suppliers.simulation import draw, shuffled

# A regional plan covers these countries: a seller's choice, as in any operator's price list, not geography.
MEMBERS = {
    "africa": "BW CD CI CM DZ EG ET GA GH KE LR MA MG ML MU MW MZ NE NG RE RW SC SD SN TD TN TZ UG ZA ZM",
    "asia": "BD BN CN HK ID IN JP KH KR LA LK MO MY NP PH PK SG TH TW VN",
    "caribbean": "AG AI AW BB BM BQ CW DM DO GD GP HT JM KN KY LC MF MQ MS TC TT VC VG",
    "europe": """
        AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT
        NL NO PL PT RO RS SE SI SK SM TR UA VA
    """,
    "latin-america": "AR BO BR BZ CL CO CR EC GF GT GY HN MX NI PA PE PY SV UY",
    "middle-east": "AE BH IL IQ JO KW LB OM PS QA SA TR YE",
    "north-america": "CA MX PR US",
    "oceania": "AU CK FJ GU NC NU NZ PF PG SB TO VU WS",
}
NETWORK_NAMES = ("{} Telecom", "{} Mobile", "Telecel {}", "{} Wireless", "Nova {}", "{} Cellular", "Movi {}")


@cache
def countries() -> dict[str, str]:
    """The everyday name of every country, by its ISO 3166-1 alpha-2 code (Kosovo: `XK`), in the order of codes."""
    found = {"XK": "Kosovo"} | {
        country.alpha_2: _in_reading_order(getattr(country, "common_name", country.name))
        for country in pycountry.countries
    }
    return dict(sorted(found.items()))


def _in_reading_order(name: str) -> str:
    """`Virgin Islands, British` is filed so; it is called British Virgin Islands. What stands in brackets is left out."""
    head, _, tail = name.partition(" (")[0].partition(", ")
    return f"{tail} {head}" if tail else head


@cache
def members(region: str) -> tuple[str, ...]:
    """The countries of a region; "global" is all of the others'."""
    if region == "global":
        return tuple(sorted({code for named in MEMBERS for code in members(named)}))
    return tuple(MEMBERS[region].split())


@cache
def networks(country: str) -> tuple[str, ...]:
    """One to three made-up networks of a country, always the same ones."""
    names = shuffled(NETWORK_NAMES, "networks", country)
    return tuple(name.format(countries()[country]) for name in names[: draw(1, 3, "networks", country)])


def title(place: str) -> str:
    """The name of a country or a region."""
    return REGIONS[place] if place in REGIONS else countries()[place]


CURRENCY = "USD"
FAIR_USE = "After 3 GB a day the speed is 1 Mbps until the next day."
GB = 1024


@dataclass(frozen=True, slots=True)
class Size:
    """One line of the list. `base_cents` is what it costs where data is neither cheap nor expensive."""

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
    for country in countries():
        for size in SIZES:
            yield _plan(country, (country,), None, size, draw(60, 190, "esim price", country))


def _regional() -> Iterator[SupplierPlan]:
    for region in REGIONS:
        percent = REGIONAL_PERCENT.get(region, OTHER_REGIONS_PERCENT)
        for size in REGIONAL_SIZES:
            yield _plan(region, members(region), region, size, percent)


def _plan(
    place: str, countries: tuple[str, ...], region: str | None, size: Size, percent: int
) -> SupplierPlan:
    return SupplierPlan(
        supplier_plan_id=f"sim-{place.lower()}-{size.code}",
        name=f"{title(place)} {size.title}",
        plan_type=size.plan_type,
        countries=countries,
        region=region,
        data_mb=size.data_mb,
        validity_days=size.validity_days,
        voice_minutes=size.voice_minutes,
        sms_count=size.sms_count,
        price_cents=size.base_cents * percent // 100,
        currency=CURRENCY,
        coverage=tuple(Coverage(country, networks(country)) for country in countries),
        activation="first_use",
        install_within_days=365,
        fair_usage_policy=FAIR_USE if size.data_mb is None else None,
    )
