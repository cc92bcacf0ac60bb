"""Airalo's orders, usage, top-ups and instructions in our words.

What has another form than documented raises: it says nothing (`client.readable`).
"""

import logging
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from apps.common import money
from apps.esim.suppliers.airalo.catalogue import (
    DISCOUNTED,
    LONGEST_ID,
    LONGEST_NAME,
    TOP_UP,
    UNREADABLE,
    Terms,
    count,
    items,
    plan_type,
)
from apps.esim.suppliers.base import (
    PLATFORMS,
    EsimOrder,
    Guide,
    Instructions,
    Profile,
    TopUpPlan,
    TopUpRequest,
    Usage,
)
from apps.suppliers.results import LONGEST_REFERENCE

FAILED, REFUNDED = "failed", "refunded"
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
    """`completed`, `failed`, `refunded`; "" where the answer has none, as that of a new order."""
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
        raise ValueError("an eSIM that nobody can install")
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


logger = logging.getLogger(__name__)

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
    unlimited = package.get("is_unlimited") is True
    minutes, messages = count(package.get("voice")), count(package.get("text"))
    own_id = named(package["id"])
    if len(own_id) > LONGEST_ID or not count(package["day"]) or not (unlimited or count(package["amount"])):
        raise ValueError("a top-up of nothing")
    return TopUpPlan(
        supplier_plan_id=own_id,
        name=named(package["title"])[:LONGEST_NAME],
        plan_type=plan_type(unlimited, minutes, messages),
        data_mb=None if unlimited else count(package["amount"]),
        validity_days=count(package["day"]),
        voice_minutes=minutes,
        sms_count=messages,
        price_cents=count(Decimal(cost)),
        currency=terms.currency,
    )


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


LANGUAGE = "en"
LONGEST_STEP = 1_000
MOST_STEPS = 30
MOST_GUIDES = 20


def instructions_of(data: Mapping[str, Any]) -> Instructions:
    """Raises ValueError where there is not one guide with steps."""
    raw = data["instructions"]
    guides = tuple(guide for platform in PLATFORMS for guide in guides_of(platform, raw.get(platform)))
    if not guides:
        raise ValueError("instructions without a step")
    return Instructions(LANGUAGE, guides[:MOST_GUIDES])


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
