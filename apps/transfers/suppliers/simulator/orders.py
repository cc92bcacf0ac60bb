"""What the simulated transfer company keeps of an order, and how it comes to be."""

import secrets
from dataclasses import replace
from datetime import datetime, timedelta

from apps.suppliers.errors import NotPossible
from apps.transfers.suppliers.base import Cancellation, OrderRequest, TransferOrder
from apps.transfers.suppliers.simulator.offers import pickup_of

LATER = timedelta(minutes=20)
OTHER_DOOR = "The driver waits at the other door."


def issue(request: OrderRequest) -> TransferOrder:
    """A new order at the price of its offer."""
    offer = request.offer
    return TransferOrder(
        supplier_reference=f"simt_{secrets.token_hex(8)}",
        total_cents=offer.total_cents,
        currency=offer.currency,
        pickup=pickup_of(request.search, offer.duration_minutes or 0),
        cancellation_policy=offer.cancellation_policy,
        policy_is_certain=True,
    )


def cancelled(order: TransferOrder, cancellation: Cancellation) -> TransferOrder:
    return replace(order, cancellation=cancellation)


def cancellation_of(order: TransferOrder, now: datetime) -> Cancellation:
    """What cancelling costs at `now`: the latest step of the policy that has begun, nothing before the first."""
    begun = [step for step in order.cancellation_policy if step.starts_at is None or step.starts_at <= now]
    penalty = begun[-1].amount_cents if begun else 0
    return Cancellation(penalty, order.total_cents - penalty, order.currency)


def moved(order: TransferOrder) -> TransferOrder:
    """Picked up twenty minutes later, at the other door. Raises NotPossible when the order is cancelled."""
    require_standing(order)
    pickup = order.pickup
    at = pickup.at + LATER if pickup.at is not None else None
    return replace(order, pickup=replace(pickup, at=at, instructions=f"{OTHER_DOOR} {pickup.instructions}"))


def require_standing(order: TransferOrder) -> None:
    """Raises NotPossible when the order is cancelled."""
    if order.cancellation is not None:
        raise NotPossible("the order is cancelled")
