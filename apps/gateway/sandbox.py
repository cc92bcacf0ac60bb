"""Sandbox triggers: a test key's X-Partner-Customer-Ref that makes one failure happen for certain (contract §3)."""

from dataclasses import dataclass, field

from apps.gateway import errors

HEADER = "X-Partner-Customer-Ref"

OFFER_EXPIRED = "sbx_offer_expired"
PRICE_CHANGED = "sbx_price_changed"
INSUFFICIENT_FUNDS = "sbx_insufficient_funds"
PAYMENT_FAILED = "sbx_payment_failed"
SUPPLIER_ERROR = "sbx_supplier_error"
SLOW = "sbx_slow"

TRIGGERS = (OFFER_EXPIRED, PRICE_CHANGED, INSUFFICIENT_FUNDS, PAYMENT_FAILED, SUPPLIER_ERROR, SLOW)

# What a kind of route can be made to do.
AT_SUPPLIER = frozenset({SUPPLIER_ERROR, SLOW})
AT_HANDLE = frozenset({OFFER_EXPIRED})
AT_BOOKING = frozenset(TRIGGERS)


@dataclass(slots=True)
class Trigger:
    """The trigger of one call. It fires at most once; `fired` is confirmed in X-Sandbox-Trigger."""

    value: str = ""
    fired: bool = field(default=False)

    def refuse_handle(self) -> None:
        """Once a handle was found: as if it had just expired."""
        if self._fires(OFFER_EXPIRED):
            raise errors.OfferExpired

    def refuse_payment(self, *, total_cents: int, currency: str) -> None:
        """Once a booking's price is known: as if it had moved, or could not be paid."""
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
        """What the supplier is to do: "supplier_error", "slow" or "" (nothing special)."""
        if self._fires(SUPPLIER_ERROR) or self._fires(SLOW):
            return self.value.removeprefix("sbx_")
        return ""

    def _fires(self, value: str) -> bool:
        if self.value == value:
            self.fired = True
        return self.value == value


def read(header: str | None, *, environment: str, applicable: frozenset[str]) -> tuple[Trigger, str]:
    """The trigger that a call carries, and the value to report as ignored. Live keys have none; an unknown one is 400."""
    value = (header or "").strip()
    if environment != "test" or not value.startswith("sbx_"):
        return Trigger(), ""
    if value not in TRIGGERS:
        raise errors.InvalidRequest(
            f"Unknown sandbox trigger; there are: {', '.join(TRIGGERS)}.",
            details=[{"field": HEADER, "message": f"must be one of {', '.join(TRIGGERS)}"}],
        )
    if value not in applicable:
        return Trigger(), value
    return Trigger(value), ""
