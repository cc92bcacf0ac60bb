"""Payments for orders on hold: what to send, and what their answers and refusals mean."""

from datetime import datetime

from apps.flights.suppliers.base import LAPSED, PAID, PAYMENT_PENDING, Payment
from apps.flights.suppliers.duffel.client import ALERTS, DuffelCall, Fault, Refusal, outcome_of
from apps.flights.suppliers.duffel.mapping import Data, cents, payment_of, priced, word
from apps.suppliers.errors import Expired, NotPossible, OutcomeUnknown, Rejected, SupplierError

SUCCEEDED, PENDING, FAILED, CANCELLED = "succeeded", "pending", "failed", "cancelled"
CHANGED_ON_HOLD = "The airline has changed this order while it was on hold; cancel it and search again."


def payment_now(order: Data, now: datetime) -> Payment:
    """What paying an order costs as it was just read. Raises NotPossible and Expired."""
    if order.get("cancelled_at") is not None:
        raise NotPossible("The order is cancelled.")
    state = payment_of(order, now)
    if state == LAPSED:
        raise Expired("the order was not paid in time")
    if state == PAYMENT_PENDING:
        raise NotPossible("A payment of this order is in progress at the airline.")
    currency = word(order["total_currency"])
    total = cents(order["total_amount"], currency)
    return Payment(total, currency, priced(order), is_paid=state == PAID)


def payment_body(supplier_reference: str, payment: Payment) -> Data:
    kept = payment.supplier_data
    paid = {"type": "balance", "amount": kept["amount"], "currency": kept["currency"]}
    return {"order_id": supplier_reference, "payment": paid}


def refuse_unpaid(payment: Data) -> None:
    """Raises what a payment means that was made, and has not succeeded. One that failed took nothing."""
    state = payment.get("status")
    if state in (FAILED, CANCELLED):
        raise failed(payment.get("failure_reason"))
    if state != SUCCEEDED:
        raise OutcomeUnknown("the payment is in progress")


def failed(reason: object) -> SupplierError:
    """By the reason that they name, as of a refusal with that code. Whatever it is: no money was taken."""
    code = reason if isinstance(reason, str) else ""
    error = outcome_of(Refusal(DuffelCall.PAY, 422, Fault(code=code))) if code in ALERTS else None
    return error or Rejected(f"the payment failed: {code or 'no reason'}")


def refused(refusal: Refusal) -> SupplierError:
    """What a refusal means of a payment."""
    return NotPossible(CHANGED_ON_HOLD) if refusal.code == "schedule_changed" else outcome_of(refusal)


def none_succeeds(payments: list[Data]) -> bool:
    """Whether no payment of an order has taken money, or may still do so."""
    return all(one.get("status") in (FAILED, CANCELLED) for one in payments)
