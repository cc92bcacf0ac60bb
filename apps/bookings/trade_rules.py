"""The rules of the trade that every product keeps, whatever its supplier says (contract §7.1). Pure: instants in, a decision out.

"Now" is the partner's clock. A product says when its service takes place (`Service`); what follows from that is said here once.
What a supplier cancels or refunds by itself is no act of the partner's: none of this applies to it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from apps.common.errors import Conflict, OfferExpired
from apps.suppliers.results import PenaltyStep, PenaltySteps, without_idle


@dataclass(frozen=True, slots=True)
class Service:
    """When a service takes place: aware instants, read off the clocks of the place."""

    sold_until: datetime
    """From then on it is not for sale: the first departure or pick-up, the end of a stay's check-in day."""
    begins_at: datetime
    """From then on cancelling costs the total: the first departure or pick-up, the check-in."""
    ends_at: datetime
    """From then on it cannot be cancelled: the last arrival or pick-up, the check-out."""

    def has_begun(self, now: datetime) -> bool:
        return now >= self.begins_at

    def is_over(self, now: datetime) -> bool:
        return now >= self.ends_at


def quoted_until(supplier_expiry: datetime | None, ours: datetime, service: Service) -> datetime:
    """When a handle expires: as the supplier says, with `ours` and the end of the sale as limits. So no handle outlives them."""
    return min(supplier_expiry or ours, ours, service.sold_until)


def refuse_unsold(service: Service, now: datetime) -> None:
    """Raises OfferExpired (410) for a service that is no longer for sale."""
    if now >= service.sold_until:
        raise OfferExpired


def refuse_over(service: Service, now: datetime) -> None:
    """Raises Conflict (409) for a service that is over: there is nothing left to cancel."""
    if service.is_over(now):
        raise Conflict("The service is over; it can no longer be cancelled.", ours=True)


def lost_from(begins_at: datetime, steps: Iterable[PenaltyStep], total_cents: int) -> PenaltySteps:
    """The supplier's steps until the service begins, and the total from then on at the latest."""
    before = (step for step in steps if step.starts_at is None or step.starts_at < begins_at)
    return without_idle((*before, PenaltyStep(begins_at, total_cents)))


def partner_penalty(service: Service, now: datetime, *, penalty_cents: int, total_cents: int) -> int:
    """What cancelling now costs the partner: all of it once the service has begun, else what the supplier says."""
    return total_cents if service.has_begun(now) else min(penalty_cents, total_cents)


def partner_difference(service: Service, now: datetime, difference_cents: int) -> int:
    """What a change now costs the partner. Once the service has begun, nothing comes back by a change."""
    return max(0, difference_cents) if service.has_begun(now) else difference_cents


# --- Ages ----------------------------------------------------------------------------------------------------------------
CHILD_AGES = range(2, 12)
KINDS = {
    "adult": (range(CHILD_AGES.stop, 200), "an adult, 12 years old or older"),
    "child": (CHILD_AGES, "a child, 2 to 11 years old"),
    "infant": (range(CHILD_AGES.start), "an infant, younger than 2"),
}


def age_objection(kind: str, age: int, day: date) -> str | None:
    """Why a person who is `age` years old on `day` does not travel as `kind` (adult, child, infant); None where they do. A child
    born between the order and that day has an age below 0, and is an infant.
    """
    ages, name = KINDS[kind]
    return None if max(0, age) in ages else f"must be of {name} on {day}, and not {age}"
