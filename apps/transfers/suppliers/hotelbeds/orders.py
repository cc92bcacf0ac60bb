"""Their bookings as our orders, and our orders as the bodies that they want."""

from datetime import datetime, tzinfo
from typing import Any

from apps.suppliers.errors import Unavailable
from apps.transfers.suppliers.base import Cancellation, Operator, OrderRequest, PolicyStep, TransferOrder
from apps.transfers.suppliers.hotelbeds.local_time import clock_told
from apps.transfers.suppliers.hotelbeds.money import charge_of, order_amount, sold_for
from apps.transfers.suppliers.hotelbeds.offers import told
from apps.transfers.suppliers.hotelbeds.pickups import UNTOLD, pickup_of
from apps.transfers.suppliers.hotelbeds.points import addresses
from apps.transfers.suppliers.hotelbeds.policies import is_certain, policy_of
from apps.transfers.suppliers.hotelbeds.reading import items, part, text
from apps.transfers.suppliers.hotelbeds.terminals import transfer_details

STANDING = ("CONFIRMED", "MODIFIED")
CANCELLED = "CANCELLED"
LONGEST_REMARK = 2000

Booking = dict[str, Any]


def body_of(request: OrderRequest, *, language: str) -> dict[str, Any]:
    lead, search = request.lead_passenger, request.search
    return {
        "language": language,
        "holder": {
            "name": lead.first_name,
            "surname": lead.last_name,
            "email": lead.email,
            "phone": lead.phone,
        },
        "transfers": [
            {
                "rateKey": told(request.offer, "rateKey"),
                "transferDetails": transfer_details(search, request.flight_number),
                **addresses(search),
            }
        ],
        "clientReference": request.client_ref,
        "remark": (request.notes or "")[:LONGEST_REMARK],
    }


def order_of(
    booking: Booking, now: datetime, instructions: str = UNTOLD, clock: tzinfo | None = None
) -> TransferOrder:
    """Raises Unavailable for an order that is neither confirmed nor cancelled, or whose price cannot be read. `instructions` are
    the ones that its offer had, `clock` the one that its policy was quoted by: a search says more of a place than the order.
    """
    transfer = next(iter(items(booking, "transfers")), {})
    cancellation = cancellation_of(booking) if text(booking, "status") == CANCELLED else None
    price = sold_for(booking) if cancellation else order_amount(booking)
    if text(booking, "status") not in (*STANDING, CANCELLED) or (price is None and cancellation is None):
        raise Unavailable(f"Hotelbeds: an order that is {text(booking, 'status')!r}")
    if cancellation is not None:
        total, currency = cancellation.penalty_cents + cancellation.refund_cents, cancellation.currency
    else:
        assert price is not None
        total, currency = price.cents, price.currency
    policy: tuple[PolicyStep, ...] = ()
    certain, policies = False, transfer.get("cancellationPolicies")
    if price is not None and items(transfer, "cancellationPolicies"):
        clock = clock or clock_told(transfer.get("pickupInformation"))
        policy = policy_of(policies, price, clock=clock, now=now)
        certain = is_certain(policies, price, clock=clock)
    return TransferOrder(
        supplier_reference=text(booking, "reference"),
        total_cents=total,
        currency=currency,
        pickup=pickup_of(transfer, instructions),
        cancellation_policy=policy,
        cancellation=cancellation,
        operator=operator_of(booking),
        policy_is_certain=certain,
    )


def operator_of(booking: Booking) -> Operator | None:
    supplier = part(booking, "supplier")
    if not text(supplier, "name"):
        return None
    invoicing = text(part(booking, "invoiceCompany"), "code")
    return Operator(text(supplier, "name"), text(supplier, "vatNumber"), invoicing)


def cancellation_of(booking: Booking) -> Cancellation:
    """What is left to pay of a cancelled order is its penalty. Raises Unavailable where that cannot be read."""
    charge, price = charge_of(booking), sold_for(booking)
    if charge is None:
        raise Unavailable("Hotelbeds: a cancelled order without its charge")
    total = max(charge.cents, price.cents if price is not None else 0)
    return Cancellation(charge.cents, total - charge.cents, charge.currency)
