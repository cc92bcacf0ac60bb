"""Cancellation policies: what they cost when, and the forms in which the suppliers behind the simulator write them down."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from apps.common.money import to_major
from apps.suppliers.results import PenaltyStep, PenaltySteps
from apps.suppliers.values import Value

FREE_UNTIL = time(18, tzinfo=UTC)
PART = 50  # percent, in between


class KeptStep(Value, frozen=True):
    """A PenaltyStep as bookings of the simulator keep it: from `starts` on cancelling costs `penalty_cents`."""

    starts: datetime | None
    penalty_cents: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What a policy depends on. `free_days`: up to how many days before check-in a refundable stay is free to cancel. From
    `arrival` on, the check-in, it is lost whole.
    """

    refundable: bool
    total_cents: int
    currency: str
    arrival: datetime
    check_in: date
    nights: int
    free_days: int

    @property
    def free_until(self) -> datetime:
        return datetime.combine(self.check_in - timedelta(days=self.free_days), FREE_UNTIL)


Write = Callable[[Terms, tuple[KeptStep, ...]], object]


@dataclass(frozen=True, slots=True)
class Wholesaler:
    """A supplier behind the simulator: its name and its way with policies."""

    name: str
    part_cents: Callable[[Terms], int]
    write: Write

    def steps(self, terms: Terms) -> tuple[KeptStep, ...]:
        if not terms.refundable:
            return (KeptStep(None, terms.total_cents),)
        part, whole = self.part_cents(terms), terms.total_cents
        if part >= whole:
            return (KeptStep(terms.arrival, whole),)
        return (KeptStep(terms.free_until, part), KeptStep(terms.arrival, whole))

    def policy(self, terms: Terms) -> str:
        """The policy in this supplier's own JSON."""
        return _written(self, terms)


@lru_cache(maxsize=1024)
def _written(by: Wholesaler, terms: Terms) -> str:
    """Remembered, because a policy is written when a rate is quoted, and again when it is booked."""
    return json.dumps(by.write(terms, by.steps(terms)))


def told(steps: tuple[KeptStep, ...]) -> PenaltySteps:
    """The steps as a supplier's answer has them."""
    return tuple([PenaltyStep(step.starts, step.penalty_cents) for step in steps])


def penalty_at(steps: tuple[KeptStep, ...], now: datetime) -> int:
    """What cancelling costs at `now`."""
    begun = [step.penalty_cents for step in steps if step.starts is None or step.starts <= now]
    return begun[-1] if begun else 0


def half(terms: Terms) -> int:
    return (terms.total_cents * PART + 50) // 100


def one_night(terms: Terms) -> int:
    return -(-terms.total_cents // terms.nights)


def as_amounts(terms: Terms, steps: tuple[KeptStep, ...]) -> object:
    """Sums of money, in the words of LiteAPI."""
    infos = [
        {
            "cancelTime": step.starts.strftime("%Y-%m-%d %H:%M:%S"),
            "amount": str(to_major(step.penalty_cents, terms.currency)),
            "currency": terms.currency,
            "type": "amount",
            "timezone": "GMT",
        }
        for step in steps
        if step.starts is not None
    ]
    remarks = [] if terms.refundable else ["The stay is charged in full on cancellation."]
    tag = "RFN" if terms.refundable else "NRFN"
    return {"cancelPolicyInfos": infos, "hotelRemarks": remarks, "refundableTag": tag}


def as_percentages(terms: Terms, steps: tuple[KeptStep, ...]) -> object:
    """Shares of the total, as a bare list."""
    return [
        {
            "from": step.starts.isoformat() if step.starts else None,
            "percent": 100 if step.penalty_cents == terms.total_cents else PART,
        }
        for step in steps
    ]


def as_nights(terms: Terms, steps: tuple[KeptStep, ...]) -> object:
    """Nights, with a sentence for people."""
    if not terms.refundable:
        return {"refundable": False, "chargeNights": terms.nights, "text": "Non-refundable."}
    first = steps[0].starts
    assert first is not None
    return {
        "refundable": True,
        "freeUntil": first.isoformat(),
        "chargeNights": 1,
        "noShow": {"from": terms.arrival.isoformat(), "chargeNights": terms.nights},
        "text": f"Free of charge until {first:%d %B %Y, %H:%M} UTC, then one night.",
    }


WHOLESALERS = (
    Wholesaler("Atlas Beds", part_cents=half, write=as_amounts),
    Wholesaler("Roomwire", part_cents=half, write=as_percentages),
    Wholesaler("Stay Direct", part_cents=one_night, write=as_nights),
)
