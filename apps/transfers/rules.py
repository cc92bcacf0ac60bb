"""When a ride takes place, by the clocks of its ends, and what follows for its sale and its cancellation. Pure."""

from datetime import UTC, datetime, timedelta

from apps.bookings.trade_rules import Service, lost_from
from apps.suppliers.results import PenaltyStep, PenaltySteps
from apps.transfers.suppliers.base import PolicyStep, TransferOffer, TransferSearch
from apps.transfers.suppliers.clocks import clock_at, clock_of_outbound, leads_to_departure


def driven(search: TransferSearch, pickup_at: datetime | None, minutes: int | None) -> Service:
    """Sold until the pick-up. From then on it is lost whole, and can no longer be cancelled.

    Where the supplier does not say when it picks up (`pickup_at`, local), that is when the travellers arrive; and on the way to a
    departure so long before it as one drives (`minutes`).
    """
    if pickup_at is not None:
        begins_at = pickup_at.replace(tzinfo=clock_at(search.start, search.end)).astimezone(UTC)
    else:
        begins_at = search.outbound.replace(tzinfo=clock_of_outbound(search.start, search.end)).astimezone(
            UTC
        )
        if leads_to_departure(search.start, search.end):
            begins_at -= timedelta(minutes=minutes or 0)
    return Service(begins_at, begins_at, begins_at)


def service_of_offer(search: TransferSearch, offer: TransferOffer) -> Service:
    return driven(search, offer.pickup_at, offer.duration_minutes)


def ride_steps(
    policy: tuple[PolicyStep, ...], begins_at: datetime, total_cents: int, *, certain: bool
) -> PenaltySteps | None:
    """What cancelling costs by the supplier's policy, and all of it from the pick-up on. None for a policy that is only the worst
    that can be.
    """
    if not certain:
        return None
    told = [PenaltyStep(step.starts_at, step.amount_cents) for step in policy]
    return lost_from(begins_at, told, total_cents)
