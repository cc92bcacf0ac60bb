"""Airalo's orders and usage in our words."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from apps.common import money
from apps.esim.suppliers.airalo.catalogue import DISCOUNTED
from apps.esim.suppliers.airalo.numbers import count
from apps.esim.suppliers.base import EsimOrder, Profile, Usage

FAILED, REFUNDED = "failed", "refunded"
USAGE_STATUSES = {
    "NOT_ACTIVE": "not_installed",
    "ACTIVE": "active",
    "FINISHED": "depleted",
    "EXPIRED": "expired",
    "RECYCLED": "expired",
}
"""UNKNOWN, and whatever they may add, is None: the last status known stands."""


def order_of(data: Mapping[str, Any], account_currency: str) -> EsimOrder:
    """An order as it was answered, read or listed. Amounts are numbers in the one and text in the other."""
    currency = str(data.get("currency") or account_currency)
    sims = data.get("sims") or []
    return EsimOrder(
        supplier_reference=str(data["id"]),
        supplier_plan_id=str(data["package_id"]),
        price_cents=money.to_cents(paid(data), currency),
        currency=currency,
        profile=profile_of(sims[0]) if sims else None,
        cancelled=status_of(data) == REFUNDED,
    )


def paid(data: Mapping[str, Any]) -> Decimal:
    """What the order costs us."""
    names = ["net_price", "unit_paid_price", "total_amount_paid", "price"]
    if data.get("pricing_model") == DISCOUNTED:
        names = ["unit_paid_price", "total_amount_paid", "net_price", "price"]
    return next(Decimal(str(data[name])) for name in names if data.get(name) is not None)


def status_of(data: Mapping[str, Any]) -> str:
    """`completed`, `failed`, `refunded`; "" where the answer has none, as that of a new order."""
    status = data.get("status")
    return str(status.get("slug") or "").lower() if isinstance(status, dict) else ""


def profile_of(sim: Mapping[str, Any]) -> Profile:
    """What a device needs. Where only the QR code's text is given, the other two are read from it."""
    code = str(sim.get("qrcode") or "")
    _, host, matching_id = ([*code.split("$"), "", ""])[:3]
    profile = Profile(
        iccid=str(sim["iccid"]),
        smdp_address=str(sim.get("lpa") or host),
        matching_id=str(sim.get("matching_id") or matching_id),
        activation_code=code,
    )
    if not (profile.iccid and profile.smdp_address and profile.matching_id):
        raise ValueError("an eSIM that nobody can install")
    return profile


def usage_of(data: Mapping[str, Any]) -> Usage:
    """Of an unlimited plan Airalo counts nothing: its numbers are zeros without a meaning."""
    status = USAGE_STATUSES.get(str(data.get("status")))
    valid_until = moment(data.get("expired_at"))
    if data.get("is_unlimited"):
        return Usage(status, None, 0, valid_until)
    total, remaining = count(data["total"]), count(data["remaining"])
    return Usage(status, total, max(0, total - remaining), valid_until)


def moment(text: str | None) -> datetime | None:
    """`2026-12-01 10:00:00`, in UTC."""
    if not text:
        return None
    parsed = datetime.fromisoformat(text)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
