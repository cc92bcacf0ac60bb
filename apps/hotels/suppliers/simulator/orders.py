"""What cancelling costs, in the forms of the suppliers behind the simulator, and what the simulated hotels store of a booking."""

import json
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from apps.common.money import to_major
from apps.hotels.suppliers.base import (
    Cancellation,
    DeskNotes,
    Rate,
    Remark,
    Room,
    Stay,
    StayRequest,
    text_of,
)
from apps.suppliers.errors import NotPossible, Rejected
from apps.suppliers.results import PenaltyStep, PenaltySteps
from apps.suppliers.simulation import draw
from apps.suppliers.values import replaced

FREE_UNTIL = time(18, tzinfo=UTC)
PART = 50  # percent, in between
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


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


Write = Callable[[Terms, PenaltySteps], object]


@dataclass(frozen=True, slots=True)
class Wholesaler:
    """A supplier behind the simulator: its name and its way with policies."""

    name: str
    part_cents: Callable[[Terms], int]
    write: Write

    def steps(self, terms: Terms) -> PenaltySteps:
        if not terms.refundable:
            return (PenaltyStep(None, terms.total_cents),)
        part, whole = self.part_cents(terms), terms.total_cents
        if part >= whole:
            return (PenaltyStep(terms.arrival, whole),)
        return (PenaltyStep(terms.free_until, part), PenaltyStep(terms.arrival, whole))

    def policy(self, terms: Terms) -> str:
        """The policy in this supplier's own JSON."""
        return json.dumps(self.write(terms, self.steps(terms)))


def penalty_at(steps: PenaltySteps, now: datetime) -> int:
    """What cancelling costs at `now`."""
    begun = [step.penalty_cents for step in steps if step.starts_at is None or step.starts_at <= now]
    return begun[-1] if begun else 0


def half(terms: Terms) -> int:
    return (terms.total_cents * PART + 50) // 100


def one_night(terms: Terms) -> int:
    return -(-terms.total_cents // terms.nights)


def as_amounts(terms: Terms, steps: PenaltySteps) -> object:
    """Sums of money, in the words of LiteAPI."""
    infos = [
        {
            "cancelTime": step.starts_at.strftime("%Y-%m-%d %H:%M:%S"),
            "amount": str(to_major(step.penalty_cents, terms.currency)),
            "currency": terms.currency,
            "type": "amount",
            "timezone": "GMT",
        }
        for step in steps
        if step.starts_at is not None
    ]
    remarks = [] if terms.refundable else ["The stay is charged in full on cancellation."]
    tag = "RFN" if terms.refundable else "NRFN"
    return {"cancelPolicyInfos": infos, "hotelRemarks": remarks, "refundableTag": tag}


def as_percentages(terms: Terms, steps: PenaltySteps) -> object:
    """Shares of the total, as a bare list."""
    return [
        {
            "from": step.starts_at.isoformat() if step.starts_at else None,
            "percent": 100 if step.penalty_cents == terms.total_cents else PART,
        }
        for step in steps
    ]


def as_nights(terms: Terms, steps: PenaltySteps) -> object:
    """Nights, with a sentence for people."""
    if not terms.refundable:
        return {"refundable": False, "chargeNights": terms.nights, "text": "Non-refundable."}
    first = steps[0].starts_at
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


@lru_cache(maxsize=512)
def desk_of(hotel_id: str) -> DeskNotes:
    """What the hotel says to those who booked: one in three also how to check in, one in four what costs extra."""
    remarks = [Remark("know_before_you_go", "Quiet hours are from 22:00 to 7:00. Pets are not allowed.")]
    if draw(0, 2, "arrival", hotel_id) == 0:
        arrival = (
            "Guests have to show an identity document at the desk. Tell the hotel if you arrive after 22:00."
        )
        remarks.append(Remark("check_in_instructions", arrival))
    if draw(0, 3, "optional", hotel_id) == 0:
        remarks.append(Remark("optional_fees", "Parking: EUR 15 a night, paid at the hotel."))
    return DeskNotes(
        remarks=text_of(remarks),
        hotel_phone=f"+12025550{draw(100, 199, 'phone', hotel_id)}",
        hotel_email=f"desk@{hotel_id}.example",
    )


def confirm(request: StayRequest, rate: Rate, rooms: tuple[Room, ...], hotel_id: str) -> Stay:
    """A new booking at the rate as it is now. Raises Rejected for guests that the rate is not for."""
    _check_guests(request, rooms)
    reference = f"sim_{secrets.token_hex(8)}"
    return Stay(
        supplier_reference=reference,
        total_cents=rate.total_cents,
        currency=rate.currency,
        cancellation_policy=rate.cancellation_policy,
        confirmation_code=_code(reference),
        penalty_steps=rate.penalty_steps,
        desk=desk_of(hotel_id),
    )


def renumbered(stay: Stay, sequence: int) -> Stay:
    """With another confirmation number. Raises NotPossible when the booking no longer stands."""
    require_standing(stay)
    return replaced(stay, confirmation_code=_code(f"{stay.supplier_reference}-{sequence}"))


def _code(reference: str) -> str:
    number = draw(0, 32**8 - 1, "code", reference)
    return "".join([CODE_LETTERS[number >> 5 * place & 31] for place in range(8)])


def cancellation_of(stay: Stay, now: datetime) -> Cancellation:
    """What cancelling costs at `now`. Raises NotPossible when the booking no longer stands."""
    require_standing(stay)
    penalty = penalty_at(stay.penalty_steps or (), now)
    return Cancellation(penalty, stay.total_cents - penalty, stay.currency)


def cancelled(stay: Stay, cost: Cancellation) -> Stay:
    return replaced(stay, cancelled=True, penalty_cents=cost.penalty_cents, refund_cents=cost.refund_cents)


def done_of(stay: Stay) -> Cancellation | None:
    """What its cancellation cost."""
    if stay.penalty_cents is None or stay.refund_cents is None:
        return None
    return Cancellation(stay.penalty_cents, stay.refund_cents, stay.currency)


def require_standing(stay: Stay) -> None:
    """Raises NotPossible when the booking is cancelled."""
    if stay.cancelled:
        raise NotPossible("the booking is cancelled")


def _check_guests(request: StayRequest, rooms: tuple[Room, ...]) -> None:
    adults = sum(guest.type == "adult" for guest in request.guests)
    if not len(rooms) <= adults <= sum(room.adults for room in rooms):
        raise Rejected("the adults are not those that were searched for")
    ages: Counter[int | None] = Counter(age for room in rooms for age in room.children_ages)
    if Counter(guest.age for guest in request.guests if guest.type == "child") - ages:
        raise Rejected("the children are not those that were searched for")
