"""Money that comes back: what of it reaches us, and so the partner."""

from typing import Any

from apps.flights.suppliers.base import Cancellation
from apps.flights.suppliers.duffel.mapping import cents, word
from apps.suppliers.errors import NotPossible, Rejected

# We pay from our balance, so that is what the original form of payment is. All else (vouchers, airline credits) stays with
# the airline: nothing returns to us that we could hand on.
REACHES_US = frozenset({"balance", "original_form_of_payment"})


def reaches_us(data: dict[str, Any]) -> bool:
    return data.get("refund_to") in REACHES_US


def quoted(data: dict[str, Any], order: dict[str, Any], *, vouchers_taken: bool) -> Cancellation:
    """What cancelling costs. Raises NotPossible for a refund that is not known, and for one that would never reach the partner,
    unless that is taken.
    """
    refund = refund_of(data, order["total_currency"])
    if refund and not reaches_us(data):
        if not vouchers_taken:
            raise NotPossible(
                "The airline would refund this order in vouchers, which cannot be credited; nothing was cancelled."
            )
        refund = 0
    return _cancellation(refund, word(data["id"]), order["total_amount"], order["total_currency"])


def confirmed(data: dict[str, Any] | None, quote: Cancellation) -> Cancellation:
    """What it cost in the end: never more than was quoted, and less where the airline only now tells a greater refund."""
    kept = quote.supplier_data
    refund = max(promised(quote), returned(data, quote))
    return _cancellation(refund, kept["cancellation_id"], kept["amount"], kept["currency"])


def of_order(order: dict[str, Any]) -> Cancellation | None:
    """What cancelling a cancelled order cost; None where that is not known: it has no confirmed cancellation, because its airline
    cancelled it, or one without an amount.
    """
    told = order.get("cancellation")
    if told is None or told.get("confirmed_at", told) is None or told.get("refund_amount") is None:
        return None
    refund = reaching(told, order["total_currency"])
    kept_id = told["id"] if isinstance(told.get("id"), str) else ""  # it is over: nothing is looked up by it
    return _cancellation(refund, kept_id, order["total_amount"], order["total_currency"])


def promised(quote: Cancellation) -> int:
    """The refund that was quoted, in their currency."""
    return int(quote.supplier_data["refund_cents"])


def returned(data: dict[str, Any] | None, quote: Cancellation) -> int:
    """The refund that reaches us; as promised, where they do not say. It is cancelled: nothing here may raise a refusal."""
    currency = quote.supplier_data["currency"]
    if data is None or data.get("refund_amount") is None:
        return promised(quote)
    return reaching(data, currency)


def reaching(data: dict[str, Any], currency: str) -> int:
    """What of the refund reaches us; nothing of one without an amount, in another currency or in vouchers. Raises no refusal."""
    if data.get("refund_amount") is None or data.get("refund_currency") != currency or not reaches_us(data):
        return 0
    return cents(data["refund_amount"], currency)


def costs_the_same(quote: Cancellation, other: Cancellation) -> bool:
    names = ("amount", "currency", "refund_cents")
    return all(quote.supplier_data[name] == other.supplier_data[name] for name in names)


def refund_of(data: dict[str, Any], currency: str) -> int:
    """What returns. Raises NotPossible where the airline names no amount, which is not zero; Rejected for another currency's."""
    if data["refund_amount"] is None:
        raise NotPossible("The airline does not say what it would refund; nothing was cancelled.")
    if data.get("refund_currency") != currency:
        raise Rejected("the refund is in another currency than the price")
    return cents(data["refund_amount"], currency)


def _cancellation(refund: int, cancellation_id: str, amount: str, currency: str) -> Cancellation:
    """With what was paid, in their own words: what it is confirmed, looked up and compared by."""
    total = cents(amount, currency)
    refund = min(refund, total)
    kept = {
        "cancellation_id": cancellation_id,
        "amount": word(amount),
        "currency": word(currency),
        "refund_cents": str(refund),
    }
    return Cancellation(total - refund, refund, currency, kept)
