"""What the simulated hotels keep of a booking, and how it comes to be and to an end."""

import secrets
from collections import Counter
from datetime import datetime

from apps.hotels.suppliers.base import Cancellation, Room, Stay, StayRequest
from apps.hotels.suppliers.simulator.policies import KeptStep, penalty_at, told
from apps.hotels.suppliers.simulator.rates import Quote
from apps.suppliers.errors import NotPossible, Rejected
from apps.suppliers.simulation import draw
from apps.suppliers.values import Value, replaced

CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


class StayRecord(Value, frozen=True):
    """A booking with the steps of its policy."""

    stay: Stay
    steps: tuple[KeptStep, ...]

    @property
    def cancellation(self) -> Cancellation | None:
        stay = self.stay
        if stay.penalty_cents is None or stay.refund_cents is None:
            return None
        return Cancellation(stay.penalty_cents, stay.refund_cents, stay.currency)


def confirm(request: StayRequest, quote: Quote, total_cents: int) -> StayRecord:
    """A new booking at this price. Raises Rejected for guests that the rate is not for."""
    _check_guests(request, quote.rooms)
    reference = f"sim_{secrets.token_hex(8)}"
    terms = quote.terms(total_cents)
    steps = quote.wholesaler.steps(terms)
    stay = Stay(
        supplier_reference=reference,
        total_cents=total_cents,
        currency=quote.currency,
        cancellation_policy=quote.wholesaler.policy(terms),
        confirmation_code=_code(reference),
        penalty_steps=told(steps),
    )
    return StayRecord(stay, steps)


def renumbered(record: StayRecord, sequence: int) -> StayRecord:
    """With another confirmation number. Raises NotPossible when the booking no longer stands."""
    require_standing(record)
    code = _code(f"{record.stay.supplier_reference}-{sequence}")
    return replaced(record, stay=replaced(record.stay, confirmation_code=code))


def _code(reference: str) -> str:
    number = draw(0, 32**8 - 1, "code", reference)
    return "".join([CODE_LETTERS[number >> 5 * place & 31] for place in range(8)])


def cancellation_of(record: StayRecord, now: datetime) -> Cancellation:
    """What cancelling costs at `now`. Raises NotPossible when the booking no longer stands."""
    require_standing(record)
    stay = record.stay
    penalty = penalty_at(record.steps, now)
    return Cancellation(penalty, stay.total_cents - penalty, stay.currency)


def cancelled(record: StayRecord, cancellation: Cancellation) -> StayRecord:
    stay = replaced(
        record.stay,
        cancelled=True,
        penalty_cents=cancellation.penalty_cents,
        refund_cents=cancellation.refund_cents,
    )
    return replaced(record, stay=stay)


def require_standing(record: StayRecord) -> None:
    """Raises NotPossible when the booking is cancelled."""
    if record.stay.cancelled:
        raise NotPossible("the booking is cancelled")


def _check_guests(request: StayRequest, rooms: tuple[Room, ...]) -> None:
    adults = sum(guest.type == "adult" for guest in request.guests)
    if not len(rooms) <= adults <= sum(room.adults for room in rooms):
        raise Rejected("the adults are not those that were searched for")
    ages: Counter[int | None] = Counter(age for room in rooms for age in room.children_ages)
    if Counter(guest.age for guest in request.guests if guest.type == "child") - ages:
        raise Rejected("the children are not those that were searched for")
