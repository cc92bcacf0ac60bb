"""Airalo's packages as our plans: country or region, then operator, then package."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from apps.common import money
from apps.common.validators import COUNTRIES
from apps.esim.suppliers.base import Coverage, SupplierPlan
from apps.suppliers.results import NONE_WITHHELD, Found, Withheld

MOST = 2**31 - 1


def count(value: object) -> int:
    """A whole number that our tables hold: nothing at all is 0. Raises ValueError, ArithmeticError."""
    number = Decimal(str(value or 0))
    if not 0 <= number <= MOST:  # before it is an integer: 1e999999999 has as many digits
        raise ValueError(f"{number} of anything")
    return int(number)


logger = logging.getLogger(__name__)

LOCAL, GLOBAL = "local", "global"
KINDS = (LOCAL, GLOBAL)
REGION_WORDS = {
    "latin": "latin-america",
    "middle": "middle-east",
    "africa": "africa",
    "asia": "asia",
    "caribbean": "caribbean",
    "europe": "europe",
    "eu": "europe",
    "oceania": "oceania",
    "global": "global",
    "world": "global",
    "north": "north-america",
}
"""Ours, by the first of these words that a slug of theirs has: `eu-plus-uk`, `middle-east-and-north-africa`, `north-africa`."""
DISCOUNTED = "discount_pricing"
TOP_UP = "topup"
LONGEST_ID = LONGEST_NAME = 255
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, ArithmeticError)


@dataclass(frozen=True, slots=True)
class Terms:
    """How the account pays: under `net_pricing` the net price, under `discount_pricing` the price less a percentage."""

    currency: str
    model: str
    discount_percent: Decimal

    @classmethod
    def of(cls, page: Mapping[str, Any], currency: str) -> "Terms":
        pricing = page.get("pricing") or {}
        return cls(
            currency, str(pricing.get("model") or ""), Decimal(str(pricing.get("discount_percentage") or 0))
        )

    def cost_of(self, package: Mapping[str, Any]) -> int | None:
        """What an order will cost us, in minor units; None where Airalo does not say it in our currency."""
        if self.model == DISCOUNTED:
            price = self._named(package, "price", "recommended_retail_price")
            price = None if price is None else price * (100 - self.discount_percent) / 100
        else:
            price = self._named(package, "net_price", "net_price")
        return None if price is None else money.to_cents(price, self.currency)

    def retail_of(self, package: Mapping[str, Any]) -> int | None:
        """What travellers pay at Airalo, in minor units: at least as much as we do."""
        price = self._named(package, "price", "recommended_retail_price")
        return None if price is None else money.to_cents(price, self.currency)

    def _named(self, package: Mapping[str, Any], plain: str, by_currency: str) -> Decimal | None:
        """The amount in the account's currency from the list of currencies, the plain one where there is no such list."""
        listed = (package.get("prices") or {}).get(by_currency)
        amount = listed.get(self.currency) if listed else package.get(plain)
        return None if amount is None else Decimal(str(amount))


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an operator's packages are sold: one country, or a region of several."""

    title: str
    region: str | None
    countries: tuple[str, ...]
    coverage: tuple[Coverage, ...]


def plans_of(page: Mapping[str, Any], kind: str, currency: str) -> Found[SupplierPlan]:
    """The plans of one page that we can sell: eSIMs that need no passport. All others are counted."""
    terms = Terms.of(page, currency)
    sold: list[SupplierPlan] = []
    withheld = NONE_WITHHELD
    for entry in items(page["data"]):
        for operator in items(entry.get("operators") or []):
            packages: list[Any] = [None]  # of an operator that cannot be read: at least one
            try:
                packages = [one for one in items(operator.get("packages") or []) if not _is_top_up(one)]
                if operator.get("is_kyc_verify"):
                    withheld += Withheld(documents_required=len(packages))
                    continue
                destination = destination_of(entry, operator, kind)
            except UNREADABLE:
                logger.warning("an operator of Airalo cannot be read: %.100r", operator)
                destination = None
            plans = [_plan_read(destination, package, terms) for package in packages]
            sold += [plan for plan in plans if plan is not None]
            withheld += Withheld(unreadable=plans.count(None))
    return Found(sold, withheld)


def _is_top_up(package: Any) -> bool:
    """Top-ups are sold with the profile that they are for, not in the catalogue."""
    return isinstance(package, Mapping) and package.get("type") == TOP_UP


def items(listed: Any) -> list[Any]:
    """A list, or an object whose keys are its indexes, which is what their paging makes of one."""
    return list(listed.values()) if isinstance(listed, dict) else list(listed)


def destination_of(entry: Mapping[str, Any], operator: Mapping[str, Any], kind: str) -> Destination | None:
    """None for what our catalogue has no word for."""
    networks = {str(c.get("code") or c.get("name")): _networks(c) for c in operator.get("coverages") or []}
    if kind == LOCAL:
        region, codes = None, [entry.get("country_code")]
    else:
        region = region_of(str(entry.get("slug")))
        codes = [country.get("country_code") for country in operator.get("countries") or []]
        if region is None:
            logger.warning("Airalo sells for a region that we do not know: %s", entry.get("slug"))
            return None
    countries = tuple(sorted({str(code).upper() for code in codes} & COUNTRIES))
    if not countries:
        return None
    coverage = tuple(Coverage(country, networks.get(country, ())) for country in countries)
    return Destination(_title(entry), region, countries, coverage)


def region_of(slug: str) -> str | None:
    """Ours for a region of theirs. They add some now and then: `africa-beach` would be in Africa. None for one without a word."""
    words = slug.lower().split("-")
    return next((ours for word, ours in REGION_WORDS.items() if word in words), None)


def _title(raw: Mapping[str, Any]) -> str:
    """What people read it by. Raises ValueError for none."""
    title = raw["title"]
    if not isinstance(title, str) or not title.strip():
        raise ValueError("no title")
    return title


def _networks(covered: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(network["name"]) for network in covered.get("networks") or [] if network["name"])


def _plan_read(destination: Destination | None, package: Any, terms: Terms) -> SupplierPlan | None:
    """None for a package that cannot be read: it takes only itself out of the shop."""
    if destination is None:
        return None
    try:
        return plan_of(destination, package, terms)
    except UNREADABLE:
        logger.warning("a package of Airalo cannot be read: %.100r", package)
        return None


def plan_of(destination: Destination, package: Mapping[str, Any], terms: Terms) -> SupplierPlan:
    """Raises one of UNREADABLE, also for what has no price."""
    cost = terms.cost_of(package)
    if package["type"] != "sim" or not cost:
        raise ValueError("no eSIM with a price")
    unlimited = bool(package.get("is_unlimited"))
    minutes, messages = count(package.get("voice")), count(package.get("text"))
    own_id, amount = package["id"], count(package["amount"])
    if not isinstance(own_id, str) or not 0 < len(own_id) <= LONGEST_ID or not count(package["day"]):
        raise ValueError("a plan that cannot be kept")
    if not (unlimited or amount or minutes or messages):
        raise ValueError("a plan of nothing")
    return SupplierPlan(
        supplier_plan_id=own_id,
        name=f"{destination.title} - {_title(package)}"[:LONGEST_NAME],
        plan_type=plan_type(unlimited, minutes, messages),
        countries=destination.countries,
        region=destination.region,
        data_mb=None if unlimited else amount,
        validity_days=count(package["day"]),
        voice_minutes=minutes,
        sms_count=messages,
        price_cents=count(cost),
        currency=terms.currency,
        coverage=destination.coverage,
    )


def plan_type(unlimited: bool, minutes: int, messages: int) -> str:
    """Who buys minutes wants to know of them: an unlimited plan that has some is `voice_sms`."""
    if minutes or messages:
        return "voice_sms"
    return "unlimited" if unlimited else "data"
