"""Airalo's packages, orders, usage, top-ups and instructions in our words.

A package stands under its country or region, then its operator; one that cannot be read is counted, or left out. Anything else of
another form than documented raises: it says nothing (`client.readable`).
"""

import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.common import money
from apps.common.languages import LONGEST
from apps.common.validators import COUNTRIES
from apps.esim.suppliers.base import (
    PLATFORMS,
    Coverage,
    EsimOrder,
    Guide,
    Instructions,
    Profile,
    SupplierPlan,
    TopUpPlan,
    TopUpRequest,
    Usage,
)
from apps.suppliers.results import LONGEST_REFERENCE, NONE_WITHHELD, Found, Withheld

logger = logging.getLogger(__name__)

MOST = 2**31 - 1


def count(value: object) -> int:
    """A whole number that our tables hold: nothing at all is 0. Raises ValueError, ArithmeticError."""
    number = Decimal(str(value or 0))
    if not 0 <= number <= MOST:  # before it is an integer: 1e999999999 has as many digits
        raise ValueError(f"{number} of anything")
    return int(number)


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
    """Where an operator's packages are sold, one country or a region of several, and what holds for all of them."""

    title: str
    region: str | None
    countries: tuple[str, ...]
    coverage: tuple[Coverage, ...]
    activation: str | None = None
    install_within_days: int | None = None
    notes: tuple[str, ...] = ()


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
    return Destination(
        _title(entry),
        region,
        countries,
        coverage,
        activation=ACTIVATIONS.get(str(operator.get("activation_policy"))),
        install_within_days=count(operator.get("install_window_days")) or None,
        notes=tuple(filter(None, (prose(operator.get(name)) for name in ("warning", "other_info")))),
    )


ACTIVATIONS = {
    "first-usage": "first_use",
    "fist-usage": "first_use",
    "installation": "installation",
    "instalation": "installation",
}
"""Their pages spell each in two ways."""
LONGEST_TEXT = 1_000


def prose(value: object) -> str | None:
    """A sentence of theirs for people; None for anything else."""
    return text(value)[:LONGEST_TEXT] or None if isinstance(value, str) else None


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
    if package["type"] != "sim":
        raise ValueError("no eSIM")
    return SupplierPlan(
        **contents_of(package, terms.cost_of(package), terms.currency, sold_for=destination.title),
        countries=destination.countries,
        region=destination.region,
        coverage=destination.coverage,
        activation=destination.activation,
        install_within_days=destination.install_within_days,
        fair_usage_policy=prose(package.get("fair_usage_policy")),
        notes=destination.notes,
    )


def contents_of(
    package: Mapping[str, Any], cost: int | None, currency: str, *, sold_for: str = ""
) -> dict[str, Any]:
    """What eSIMs and top-ups say alike. Raises one of UNREADABLE."""
    own_id, days, amount = package["id"], count(package["day"]), count(package.get("amount"))
    minutes, messages = count(package.get("voice")), count(package.get("text"))
    unlimited = package.get("is_unlimited") is True
    if not isinstance(own_id, str) or not 0 < len(own_id) <= LONGEST_ID or not days or not cost:
        raise ValueError("a plan that cannot be kept")
    if not (unlimited or amount or minutes or messages):
        raise ValueError("a plan of nothing")
    talks = bool(minutes or messages)  # a buyer of minutes wants to know of them, on an unlimited plan too
    return {
        "supplier_plan_id": own_id,
        "name": " - ".join(filter(None, (sold_for, _title(package))))[:LONGEST_NAME],
        "plan_type": "voice_sms" if talks else "unlimited" if unlimited else "data",
        "data_mb": None if unlimited else amount,
        "validity_days": days,
        "voice_minutes": minutes,
        "sms_count": messages,
        "price_cents": count(cost),
        "currency": currency,
    }


FAILED, REFUNDED, PARTIALLY_REFUNDED = "failed", "refunded", "partially_refunded"
PAID = ("net_price", "unit_paid_price", "total_amount_paid")
USAGE_STATUSES = {
    "NOT_ACTIVE": "not_installed",
    "ACTIVE": "active",
    "FINISHED": "depleted",
    "EXPIRED": "expired",
    "RECYCLED": "expired",
}
"""UNKNOWN, and whatever they may add, is None: the last status known stands."""


def order_of(data: Mapping[str, Any], account_currency: str) -> EsimOrder:
    """An order as it was answered, read or listed. Its amounts are numbers or text."""
    currency = named(data.get("currency") or account_currency)
    sims = items(data.get("sims") or [])
    return EsimOrder(
        supplier_reference=number_of(data),
        supplier_plan_id=named(data["package_id"]),
        price_cents=money.to_cents(paid(data), currency),
        currency=currency,
        profile=profile_of(sims[0]) if sims else None,
        cancelled=status_of(data) == REFUNDED,
        failed=status_of(data) == FAILED,
        partly_refunded=status_of(data) == PARTIALLY_REFUNDED,
    )


def number_of(order: Mapping[str, Any]) -> str:
    """Their name for the order: a whole number, of no more digits than can be stored. Raises ValueError."""
    number = named(order["id"])
    if not (number.isascii() and number.isdigit()) or len(number) > LONGEST_REFERENCE:
        raise ValueError("an order without a number")
    return number


def paid(data: Mapping[str, Any]) -> Decimal:
    """What the order costs us. Raises ValueError where it does not say: that is not zero."""
    names = [*PAID, "price"]
    if data.get("pricing_model") == DISCOUNTED:
        names = ["unit_paid_price", "total_amount_paid", "net_price", "price"]
    amount = next((Decimal(str(data[name])) for name in names if data.get(name) is not None), None)
    if amount is None or amount < 0:
        raise ValueError("an order without a price, or one that pays us")
    return amount


def says_what_we_paid(data: Mapping[str, Any]) -> bool:
    """Whether an order names more than the price for travellers. A top-up's may not."""
    return any(data.get(name) is not None for name in PAID)


def status_of(data: Mapping[str, Any]) -> str:
    """`completed`, `failed`, `refunded`, `partially_refunded`; "" where the answer has none, as that of a new order."""
    status = data.get("status")
    return str(status.get("slug") or "").lower() if isinstance(status, dict) else ""


def profile_of(sim: Mapping[str, Any]) -> Profile:
    """What a device needs. Where only the QR code's text is given, the other two are read from it."""
    code = text(sim.get("qrcode"))
    _, host, matching_id = ([*code.split("$"), "", ""])[:3]
    profile = Profile(
        iccid=text(sim["iccid"]),
        smdp_address=text(sim.get("lpa")) or host,
        matching_id=text(sim.get("matching_id")) or matching_id,
        activation_code=code,
        confirmation_code=text(sim.get("confirmation_code")),
        apple_url=secure_address(sim.get("direct_apple_installation_url")),
    )
    if not (profile.iccid and profile.smdp_address and profile.matching_id):
        raise ValueError("an eSIM that cannot be installed")
    return profile


def text(value: object) -> str:
    """A text or a whole number as text; empty for anything else."""
    return str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""


def named(value: object) -> str:
    """The same for what must be there. Raises ValueError."""
    name = text(value)
    if not name:
        raise ValueError("nothing that has a name")
    return name


def secure_address(value: object) -> str:
    """An https address; empty for anything else."""
    return value if isinstance(value, str) and value.startswith("https://") else ""


def usage_of(data: Mapping[str, Any]) -> Usage:
    """Of an unlimited plan Airalo counts nothing: its numbers are zeros without a meaning."""
    status = USAGE_STATUSES.get(str(data.get("status")))
    valid_until = moment(data.get("expired_at"))
    if data.get("is_unlimited"):
        return Usage(status, None, 0, valid_until)
    if data["total"] is None or data["remaining"] is None:
        raise ValueError("a usage without numbers")
    total, remaining = count(data["total"]), count(data["remaining"])
    return Usage(status, total, max(0, total - remaining), valid_until)


def moment(written: Any) -> datetime | None:
    """`2026-12-01 10:00:00`, in UTC."""
    if not written:
        return None
    parsed = datetime.fromisoformat(written)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)


CLOCKS_APART = timedelta(minutes=5)
OWN_REFERENCE = re.compile(r"E-[2-9A-HJ-NP-TV-Z]{8}(-[A-Z0-9]+)?")
"""How our own references begin (`apps.bookings.flow.reserve`): an order that carries one belongs to that one."""


def top_up_plans_of(body: Mapping[str, Any], currency: str) -> Iterator[TopUpPlan]:
    """The packages that can be bought. One that cannot be read takes only itself off the list."""
    terms = Terms.of(body, currency)
    for package in items(body["data"]):
        try:
            plan = top_up_plan_of(package, terms)
        except UNREADABLE:
            logger.warning("a top-up of Airalo cannot be read: %.100r", package)
            continue
        if plan is not None:
            yield plan


def top_up_plan_of(package: Mapping[str, Any], terms: Terms) -> TopUpPlan | None:
    """None for what is no top-up, and for what has no price."""
    cost = terms.cost_of(package)
    if cost is None:  # their example of this list has no net price: we never pay more than travellers do
        cost = terms.retail_of(package)
    if package["type"] != TOP_UP or not cost:
        return None
    return TopUpPlan(**contents_of(package, cost, terms.currency))


def ours_among(orders: list[Any], request: TopUpRequest) -> list[Mapping[str, Any]]:
    """Their orders of the profile that must be the top-up, though they do not carry our reference: Airalo's own example answers
    another description than was sent.

    The same package, ordered since we asked, known under no other reference.
    """
    return [order for order in orders if is_ours(order, request)]


def is_ours(order: Mapping[str, Any], request: TopUpRequest) -> bool:
    ordered_at = moment(order["created_at"])
    if ordered_at is None or request.asked_at is None:
        return False
    described = text(order.get("description"))
    return (
        order["type"] == TOP_UP
        and named(order["package_id"]) == request.supplier_plan_id
        and number_of(order) not in request.known
        and ordered_at >= request.asked_at - CLOCKS_APART
        and OWN_REFERENCE.fullmatch(described) is None
        and status_of(order) != FAILED
    )


REFUND_REASONS = {
    "installation_failure": "INSTALLATION_FAILURE",
    "qr_problem": "QR_ISSUE_PARTNERS",
    "deleted_esim": "DELETED_ESIM",
    "incompatible_device": "INCOMPATIBLE_DEVICE",
    "locked_device": "LOCKED_DEVICE",
    "no_coverage": "NO_COVERAGE",
    "blocked_network": "BLOCKED_NETWORK",
    "connection_problem": "INTERMITTENT_CONNECTION",
    "slow_speed": "SLOW_SPEED",
    "hotspot_problem": "HOTSPOT_NOT_WORKING",
    "trip_cancelled": "TRIP_CANCELLATION",
    "plans_changed": "CHANGE_OF_PLAN",
    "wrong_purchase": "WRONG_PURCHASE",
    "other": "OTHERS",
}
"""Their reasons for a refund, by ours. OTHERS has to have notes."""


# What their instructions are written in, as their help pages list it. Of some languages they have no plain code.
SPELLED_OTHERWISE = {
    "es": "es-ES",
    "hu": "hun",
    "hy": "hy-AM",
    "no": "nb",
    "sr": "sr-CS",
    "sv": "sv-SE",
    "ur": "ur-PK",
    "zh-Hans": "zh-CN",
    "zh-Hant": "zh-TW",
    "zh-HK": "zh-TW",
}
AS_WE_DO = (
    "ar az bg cs da de el en es-419 et fi fil fr he hi hr it ja ka kmr ko ky lt lv mk ms nb nl pl pt pt-BR pt-PT ro ru sk sq th "
    "tl tr uk uz vi zh zh-CN zh-TW"
)
LANGUAGES = {tag: tag for tag in AS_WE_DO.split()} | SPELLED_OTHERWISE
"""Their code for `Accept-Language`, by the tag that partners ask with."""
LONGEST_STEP = 1_000
MOST_STEPS = 30
MOST_GUIDES = 20


def instructions_of(data: Mapping[str, Any], asked: str) -> Instructions:
    """Raises ValueError where there is not one guide with steps."""
    raw = data["instructions"]
    guides = tuple(guide for platform in PLATFORMS for guide in guides_of(platform, raw.get(platform)))
    if not guides:
        raise ValueError("instructions without a step")
    return Instructions(language_of(text(raw.get("language")), asked), guides[:MOST_GUIDES])


def language_of(answered: str, asked: str) -> str:
    """The tag that was asked for, where they answered in that language; what they answer for a code that they do not know is not
    documented.
    """
    theirs = LANGUAGES.get(asked, asked).partition("-")[0]
    said = answered[:LONGEST].lower().partition("-")[0]
    if said in ("", theirs, asked.partition("-")[0]):
        return asked
    return next((ours for ours, code in LANGUAGES.items() if code.partition("-")[0] == said), said)


def guides_of(platform: str, raw: Any) -> Iterator[Guide]:
    """A guide without steps to install is left out."""
    for one in items(raw) if isinstance(raw, list | dict) else []:
        if not isinstance(one, dict):
            continue
        network = part_of(one, "network_setup")
        by_hand = text(network.get("apn_type")) == "manual"
        guide = Guide(
            platform=platform,
            version=text(one.get("version")) or None,
            model=text(one.get("model")) or None,
            qr_code_steps=steps_of(part_of(one, "installation_via_qr_code")),
            manual_steps=steps_of(part_of(one, "installation_manual")),
            network_steps=steps_of(network),
            apn=(text(network.get("apn_value")) or None) if by_hand else None,
            data_roaming=network.get("is_roaming") if isinstance(network.get("is_roaming"), bool) else None,
        )
        if guide.qr_code_steps or guide.manual_steps:
            yield guide


def part_of(guide: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = guide.get(name)
    return part if isinstance(part, dict) else {}


def steps_of(part: Mapping[str, Any]) -> tuple[str, ...]:
    """`{"1": "…", "2": "…"}` in the order of its numbers, or a list."""
    steps = part.get("steps")
    if isinstance(steps, dict):
        steps = [steps[number] for number in sorted(steps, key=_number)]
    found = [text(step)[:LONGEST_STEP] for step in steps] if isinstance(steps, list) else []
    return tuple(step for step in found if step)[:MOST_STEPS]


def _number(key: str) -> tuple[int, str]:
    return (int(key), key) if key.isascii() and key.isdigit() and len(key) < 4 else (10_000, key)
