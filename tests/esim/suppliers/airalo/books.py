"""What the stub of Airalo remembers: tokens, orders and the use of their profiles. Safe for threads."""

import itertools
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

TOKENS_A_MINUTE = 3
DAY_SECONDS = 86_400
APPLE = "https://esimsetup.apple.com/esim_qrcode_provisioning?carddata={}"


def wall_clock() -> datetime:
    return datetime.now(UTC)


@dataclass
class Books:
    orders: list[dict[str, Any]] = field(default_factory=list)
    refunds: list[dict[str, str]] = field(default_factory=list)
    usage: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By ICCID: what its usage answers, where a test set it."""
    tokens: set[str] = field(default_factory=set)
    token_calls: list[float] = field(default_factory=list)
    keeps_descriptions: bool = True
    """Whether a top-up keeps the description that was sent. Their example answers "Topup (89…)" instead."""
    now: Callable[[], datetime] = wall_clock
    """A test that moves our clock moves theirs with it."""
    _numbers: itertools.count = field(default_factory=lambda: itertools.count(70_001))
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def new_token(self) -> str | None:
        """None for a fourth one within a minute."""
        with self._lock:
            now = time.monotonic()
            self.token_calls = [at for at in self.token_calls if at > now - 60]
            if len(self.token_calls) >= TOKENS_A_MINUTE:
                return None
            self.token_calls.append(now)
            token = f"stub-token-{next(self._numbers)}"
            self.tokens.add(token)
            return token

    def buy(self, package: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        """A new order, whatever was ordered before: they have no idempotency."""
        with self._lock:
            number = next(self._numbers)
            host, matching_id = "smdp.stub.example", f"STUB-MATCH-{number}"
            digits = f"8900{number:014d}"
            sim = {
                "id": number + 10_000,
                "created_at": "2026-11-20 14:05:10",
                "iccid": f"{digits}{luhn_digit(digits)}",
                "lpa": host,
                "matching_id": matching_id,
                "qrcode": f"LPA:1${host}${matching_id}",
                "qrcode_url": f"https://stub.example/qr/{number}",
                "direct_apple_installation_url": APPLE.format(f"LPA:1${host}${matching_id}"),
                "apn_type": "automatic",
                "apn_value": None,
                "is_roaming": True,
                "confirmation_code": None,
            }
            order = {
                "id": number,
                "code": f"20261120-{number:06d}",
                "currency": "USD",
                "package_id": package["id"],
                "quantity": str(body["quantity"]),
                "type": "sim",
                "description": body.get("description", ""),
                "esim_type": "Prepaid",
                "validity": package["day"],
                "package": package["title"],
                "data": package["data"],
                "price": package["price"],
                "net_price": package["net_price"],
                "pricing_model": "net_pricing",
                "text": package["text"],
                "voice": package["voice"],
                "created_at": self.written_now(),
                "sims": [sim],
                "status": {"name": "Completed", "slug": "completed"},
                "_package": package,
            }
            self.orders.append(order)
            return order

    def written_now(self) -> str:
        return f"{self.now():%Y-%m-%d %H:%M:%S}"

    def top_up(self, package: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        """A new top-up, whatever was bought before. It brings no profile."""
        with self._lock:
            number = next(self._numbers)
            described = body["description"] if self.keeps_descriptions else f"Topup ({body['iccid']})"
            order = {
                "id": number,
                "code": f"20261120-{number:06d}",
                "currency": "USD",
                "package_id": package["id"],
                "quantity": "1",
                "type": "topup",
                "description": described,
                "esim_type": "Prepaid",
                "validity": package["day"],
                "package": package["title"],
                "data": package["data"],
                "price": package["price"],
                "net_price": package["net_price"],
                "created_at": self.written_now(),
                "manual_installation": "",
                "qrcode_installation": "",
                "status": {"name": "Completed", "slug": "completed"},
                "_package": package,
                "_iccid": body["iccid"],
                "_sent": body["description"],
            }
            self.orders.append(order)
            return order

    def profile(self, iccid: str) -> dict[str, Any] | None:
        """The order that brought a profile."""
        with self._lock:
            return next((o for o in self.orders if o.get("sims") and o["sims"][0]["iccid"] == iccid), None)

    def of_profile(self, iccid: str) -> list[dict[str, Any]]:
        with self._lock:
            return [
                order
                for order in self.orders
                if order.get("_iccid") == iccid or (order.get("sims") or [{}])[0].get("iccid") == iccid
            ]

    def order(self, number: str) -> dict[str, Any] | None:
        with self._lock:
            return next((order for order in self.orders if str(order["id"]) == number), None)

    def like(self, description: str) -> list[dict[str, Any]]:
        with self._lock:
            return [order for order in self.orders if description in order["description"]]

    def usage_of(self, iccid: str) -> dict[str, Any] | None:
        """A fresh profile's, unless a test set another."""
        with self._lock:
            bought = [order["_package"] for order in self.of_profile(iccid)]
            if not bought:
                return None
            package, amount = bought[0], sum(package["amount"] for package in bought)
            fresh = {
                "remaining": amount,
                "total": amount,
                "expired_at": None,
                "is_unlimited": package["is_unlimited"],
                "status": "NOT_ACTIVE",
                "remaining_voice": package["voice"] or 0,
                "remaining_text": package["text"] or 0,
                "total_voice": package["voice"] or 0,
                "total_text": package["text"] or 0,
            }
            return {**fresh, **self.usage.get(iccid, {})}


def listed(order: dict[str, Any], include: set[str]) -> dict[str, Any]:
    """As their lists show an order: amounts as text, profile and status only when asked for."""
    shown = {name: value for name, value in order.items() if not name.startswith("_")}
    for name in ("price", "net_price", "unit_paid_price", "total_amount_paid"):
        if name in shown:
            shown[name] = str(shown[name])
    return {name: value for name, value in shown.items() if name not in {"sims", "status"} - include}


def answered(order: dict[str, Any]) -> dict[str, Any]:
    """As a new order is answered: amounts as numbers, and no status."""
    return {name: value for name, value in order.items() if not name.startswith("_") and name != "status"}


def luhn_digit(digits: str) -> int:
    """The check digit. Written here once more, because the stub is a program without Django."""
    doubled = (int(digit) * 2 for digit in digits[::-2])
    return -(sum(value - 9 if value > 9 else value for value in doubled) + sum(map(int, digits[-2::-2]))) % 10
