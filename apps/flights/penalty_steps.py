"""What cancelling a journey costs and when, by the conditions of its fare. Pure."""

from collections.abc import Iterable, Sequence
from datetime import UTC

from apps.bookings.trade_rules import Service, lost_from
from apps.flights.suppliers.base import Conditions, Slice
from apps.suppliers.penalty_steps import PenaltyStep, PenaltySteps


def penalty_steps(
    conditions: Conditions, legs: Sequence[Slice], *, total_cents: int, airline_total_cents: int | None = None
) -> PenaltySteps | None:
    """The fare's penalty until the first departure, all of the total from then on: conditions say what comes back before
    departure. None where the airline does not say.

    `airline_total_cents`: the airline's own total, where it is another one. Of what the partner paid beyond it nothing comes
    back.
    """
    penalty = conditions.penalty_cents
    if penalty is None or not legs:
        return None
    if not conditions.refundable:
        penalty = total_cents
    elif airline_total_cents is not None:
        penalty = max(penalty, total_cents - (airline_total_cents - penalty))
    before = PenaltyStep(None, min(penalty, total_cents))
    return lost_from(flown(legs).begins_at, [before], total_cents)


def flown(legs: Iterable[Slice]) -> Service:
    """When an itinerary takes place: from its first departure to its last arrival."""
    legs = tuple(legs)
    begins_at = min(leg.departure_at for leg in legs).astimezone(UTC)
    return Service(begins_at, begins_at, max(leg.arrival_at for leg in legs).astimezone(UTC))
