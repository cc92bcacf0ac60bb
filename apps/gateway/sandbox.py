"""Sandbox triggers: with a test key, X-Partner-Customer-Ref makes one thing happen for certain (contract §3).

Six make the call fail, or late. Two let it succeed, and the supplier change afterwards what was booked. One leaves it pending.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from apps.common import errors

HEADER = "X-Partner-Customer-Ref"
SENT_AS = "HTTP_X_PARTNER_CUSTOMER_REF"
"""Its name in `request.META`. `request.headers` would be made of all headers first."""

OFFER_EXPIRED = "sbx_offer_expired"
PRICE_CHANGED = "sbx_price_changed"
INSUFFICIENT_FUNDS = "sbx_insufficient_funds"
PAYMENT_FAILED = "sbx_payment_failed"
SUPPLIER_ERROR = "sbx_supplier_error"
SLOW = "sbx_slow"
SCHEDULE_CHANGED = "sbx_schedule_changed"
SUPPLIER_CHANGED = "sbx_supplier_changed"
PENDING = "sbx_pending"

FAILURES = (OFFER_EXPIRED, PRICE_CHANGED, INSUFFICIENT_FUNDS, PAYMENT_FAILED, SUPPLIER_ERROR, SLOW)
TRIGGERS = (*FAILURES, SCHEDULE_CHANGED, SUPPLIER_CHANGED, PENDING)

LOOKS_LIKE_TRIGGER = re.compile(r"[^!-~]*sbx_")

# The triggers that have an effect, by kind of operation.
AT_SUPPLIER = frozenset({SUPPLIER_ERROR, SLOW})
AT_HANDLE = frozenset({OFFER_EXPIRED})
AT_CHANGE = frozenset(FAILURES)
AT_FLIGHT_ORDER = AT_CHANGE | {SCHEDULE_CHANGED, PENDING}
AT_STAY_OR_TRANSFER = AT_CHANGE | {SUPPLIER_CHANGED, PENDING}
AT_CORRECTION = AT_SUPPLIER | {PENDING}
AT_REFUND_REQUEST = AT_CORRECTION
AT_ESIM = (AT_CHANGE - AT_HANDLE) | {PENDING}


@dataclass(slots=True)
class Trigger:
    """The trigger of one call. Once it has fired, X-Sandbox-Trigger confirms it."""

    value: str = ""
    fired: bool = field(default=False)
    by_dial: bool = False
    """The faults dial of the test environment asks for it, and no header."""

    def refuse_handle(self, expired: Callable[[], errors.OfferExpired] = errors.OfferExpired) -> None:
        """Call it once a handle was found. Raises OfferExpired, as if the handle had just expired."""
        if self._fires(OFFER_EXPIRED):
            raise expired()

    def refuse_payment(self, *, total_cents: int, currency: str) -> None:
        """Call it once the price is known. Raises PriceChanged, InsufficientFunds or PaymentFailed."""
        if self._fires(PRICE_CHANGED):
            raise errors.PriceChanged(
                previous_total_cents=total_cents,
                current_total_cents=total_cents + max(1, abs(total_cents) // 10),
                currency=currency,
            )
        if self._fires(INSUFFICIENT_FUNDS):
            raise errors.InsufficientFunds(
                available_cents=0, required_cents=max(total_cents, 1), currency=currency
            )
        if self._fires(PAYMENT_FAILED):
            raise errors.PaymentFailed

    def at_supplier(self) -> str:
        """What the simulated supplier shall do: "supplier_error", "slow" or "" (answer as usual)."""
        if self._fires(SUPPLIER_ERROR) or self._fires(SLOW):
            return self.value.removeprefix("sbx_")
        return ""

    def moves_flight(self) -> bool:
        """Call it once the order stands. Whether the airline is to move it afterwards."""
        return self._fires(SCHEDULE_CHANGED)

    def alters_booking(self) -> bool:
        """Call it once the booking stands. Whether its supplier is to alter it afterwards."""
        return self._fires(SUPPLIER_CHANGED)

    def leaves_pending(self) -> bool:
        """Call it before the booking call. Whether the supplier is to accept the booking and deliver nothing."""
        return self._fires(PENDING)

    def _fires(self, value: str) -> bool:
        if self.value == value:
            self.fired = True
        return self.value == value


def read(header: str | None, *, environment: str, applicable: frozenset[str]) -> tuple[Trigger, str]:
    """The trigger of a call, and the value to report as ignored. Live keys have none. Raises InvalidRequest for an unknown one.

    A value that has other white space than HTTP's in front of `sbx_` was meant as a trigger: it is refused as unknown.
    """
    value = (header or "").strip(" \t")
    if environment != "test" or LOOKS_LIKE_TRIGGER.match(value) is None:
        return Trigger(), ""
    if value not in TRIGGERS:
        raise errors.InvalidRequest(
            f"Unknown sandbox trigger; there are: {', '.join(TRIGGERS)}.",
            ours=True,
            details=[{"field": HEADER, "message": f"must be one of {', '.join(TRIGGERS)}"}],
        )
    if value not in applicable:
        return Trigger(), value
    return Trigger(value), ""
