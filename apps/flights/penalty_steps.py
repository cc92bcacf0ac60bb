"""What cancelling a journey costs and when, by the conditions of its fare. Pure."""

from collections.abc import Iterable
from datetime import UTC, datetime

from apps.flights.suppliers.base import Conditions, Slice
from apps.suppliers.penalty_steps import PenaltyStep, PenaltySteps, without_idle


def penalty_steps(
    conditions: Conditions, legs: Iterable[Slice], *, total_cents: int, airline_total_cents: int | None = None
) -> PenaltySteps | None:
    """The fare's penalty until the first departure, all of the total from then on: conditions say what comes back before
    departure. None where the airline does not say.

    `airline_total_cents`: the airline's own total, where it is another one. Of what the partner paid beyond it nothing comes
    back.
    """
    penalty = conditions.penalty_cents
    departures = [leg.departure_at for leg in legs]
    if penalty is None or not departures:
        return None
    if not conditions.refundable:
        penalty = total_cents
    elif airline_total_cents is not None:
        penalty = max(penalty, total_cents - (airline_total_cents - penalty))
    before = PenaltyStep(None, min(penalty, total_cents))
    return without_idle((before, PenaltyStep(first_departure(departures), total_cents)))


def first_departure(departures: Iterable[datetime]) -> datetime:
    return min(departures).astimezone(UTC)
