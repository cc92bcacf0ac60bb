"""Airalo's orders and usage in our words. What has another form than documented raises: it tells nothing (`errors.readable`)."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from apps.common import money
from apps.esim.suppliers.airalo.catalogue import DISCOUNTED, items
from apps.esim.suppliers.airalo.numbers import count
from apps.esim.suppliers.base import EsimOrder, Profile, Usage
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
    """Their name for the order: a whole number, of no more digits than can be kept. Raises ValueError."""
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
