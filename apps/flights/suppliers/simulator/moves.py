"""The simulated airline moves a flight by itself: later, under another number, with some days to answer."""

from dataclasses import replace
from datetime import datetime, timedelta

from apps.flights.suppliers.base import AirlineChange, Slice
from apps.flights.suppliers.simulator.orders import OrderRecord, named, require_standing
from apps.suppliers.errors import NotPossible

LATER = timedelta(minutes=95)
ANSWER_WITHIN = timedelta(days=7)
ACCEPTED = "accepted"
ACTIONS = ("accept", "cancel")


def moved(record: OrderRecord, sequence: int, now: datetime) -> OrderRecord:
    """The order with its first leg moved."""
    require_standing(record)
    order = record.order
    first, *rest = order.slices
    leg = named(_later(first), order.supplier_reference, sequence, 0)
    totals = {name: total for name, total in record.slice_totals.items() if name != first.supplier_id}
    totals[leg.supplier_id] = record.slice_totals[first.supplier_id]
    change = AirlineChange(
        supplier_id=leg.supplier_id.replace("sli", "aic"),
        removed=(first,),
        added=(leg,),
        actions=("change", *ACTIONS) if record.fare.changeable else ACTIONS,
        respond_by=min(now + ANSWER_WITHIN, leg.departure_at),
    )
    return replace(
        record,
        order=replace(order, slices=(leg, *rest), airline_changes=(*order.airline_changes, change)),
        slice_totals=totals,
    )


def accepted(record: OrderRecord, change_id: str, now: datetime) -> OrderRecord:
    """Raises NotPossible for a change that is answered, followed by another, unknown or too old."""
    require_standing(record)
    changes = record.order.airline_changes
    change = next((one for one in changes[-1:] if one.supplier_id == change_id), None)
    if change is None or change.taken is not None:
        raise NotPossible("The airline no longer takes an answer to this change.")
    if change.respond_by is not None and now > change.respond_by:
        raise NotPossible("The airline took an answer to this change until its deadline only.")
    answered = replace(change, taken=ACCEPTED, taken_at=now)
    told = tuple(answered if one is change else one for one in changes)
    return replace(record, order=replace(record.order, airline_changes=told))


def is_accepted(record: OrderRecord, change_id: str) -> bool:
    return any(one.supplier_id == change_id and one.taken == ACCEPTED for one in record.order.airline_changes)


def overtaken(record: OrderRecord, now: datetime) -> OrderRecord:
    """With no change left to answer: another one has taken the place of all."""
    told = tuple(
        one if one.taken is not None else replace(one, taken="changed", taken_at=now)
        for one in record.order.airline_changes
    )
    return replace(record, order=replace(record.order, airline_changes=told))


def _later(leg: Slice) -> Slice:
    """All its flights, so that connections stay as they are."""
    segments = tuple(
        replace(
            one,
            departure_at=one.departure_at + LATER,
            arrival_at=one.arrival_at + LATER,
            flight_number=f"{one.carrier}{(int(one.flight_number.removeprefix(one.carrier)) + 500) % 10_000}",
        )
        for one in leg.segments
    )
    return replace(
        leg, departure_at=leg.departure_at + LATER, arrival_at=leg.arrival_at + LATER, segments=segments
    )
