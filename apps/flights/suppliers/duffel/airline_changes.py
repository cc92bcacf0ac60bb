"""What airlines change of orders by themselves, as Duffel lists it. Each has the slices before and after, and what may be done.

An order shows its changes too. Whether its slices have one before it is accepted is not documented: `FlightOrder` allows either.
"""

import logging
from collections.abc import Iterator
from typing import Any

from apps.flights.suppliers.base import AirlineChange, Slice
from apps.flights.suppliers.duffel.mapping import UNREADABLE, leg, word
from apps.flights.suppliers.duffel.times import instant

logger = logging.getLogger(__name__)

Data = dict[str, Any]
ACCEPTED = "accepted"


def of_order(order: Data) -> tuple[AirlineChange, ...]:
    """The changes of an order, oldest first. One that cannot be read is left out: its slices tell the difference all the same."""
    try:
        listed = sorted(
            order.get("airline_initiated_changes") or [], key=lambda one: str(one.get("created_at") or "")
        )
    except UNREADABLE:
        return ()
    return tuple(_readable(listed))


def _readable(listed: list[Data]) -> Iterator[AirlineChange]:
    for data in listed:
        try:
            yield change_of(data)
        except UNREADABLE as error:
            logger.error("an airline's change at duffel could not be read: %s", type(error).__name__)


def change_of(data: Data) -> AirlineChange:
    return AirlineChange(
        supplier_id=word(data["id"]),
        removed=_legs(data.get("removed") or []),
        added=_legs(data.get("added") or []),
        actions=tuple(str(action) for action in data.get("available_actions") or []),
        taken=word(data["action_taken"]) if data.get("action_taken") else None,
        taken_at=instant(data.get("action_taken_at")),
    )


def is_accepted(listed: list[Data], change_id: str) -> bool:
    return any(one.get("id") == change_id and one.get("action_taken") == ACCEPTED for one in listed)


def _legs(slices: list[Data]) -> tuple[Slice, ...]:
    return tuple(leg(one, str(one.get("id") or "")) for one in slices)
