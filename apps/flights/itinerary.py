"""The legs of an order under the ids that partners know, while the airline renames, moves and reissues them.

What airlines change by themselves is one record for each difference, as the order carries it. A difference is another flight,
time, airport or carrier. The airline's own names of the legs, tickets, terminals and aircraft are none. Everything here is pure:
storing the result under the order's lock stores each difference once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from apps.common.ids import handle, new_id
from apps.flights.suppliers.base import AirlineChange, FlightOrder, Slice

OPEN = "open"
ACCEPTED = "accepted"
SUPERSEDED = "superseded"
STATUSES = (OPEN, ACCEPTED, SUPERSEDED)
ACCEPT = "accept"
CHANGE = "change"
CANCEL = "cancel"
CONTACT_US = "contact_us"
ACTIONS = (ACCEPT, CHANGE, CANCEL, CONTACT_US)


@dataclass(frozen=True, slots=True)
class OrderSlice:
    """A leg of the itinerary under the id that partners know."""

    slice_id: str
    leg: Slice


Same = Callable[[Slice, Slice], bool]


def named(
    legs: Sequence[Slice], known: Sequence[OrderSlice], *, added: Slice | None = None, promised: str = ""
) -> tuple[OrderSlice, ...]:
    """The legs as the airline has them now, each with the id of the `known` slice that it still is.

    They are matched in this order: the airline's own id, the flight, the route, the place in the itinerary. The leg that a
    change has `added` gets the id that was given out: by its flight or, where the airline moved it, by its route. Any other new
    leg gets an id of its own: no two legs may share one, or a partner would change another leg than it names. An airline that
    lists no legs has not changed them: the known ones stay.
    """
    if not legs:
        told = [*known, OrderSlice(promised, added)] if added is not None else known
        return tuple(sorted(told, key=lambda one: one.leg.departure_at))
    naming = _Naming(legs, known)
    naming.keep(_same_name)
    naming.bring(added, promised, _same_flight)
    naming.keep(_same_flight)
    naming.bring(added, promised, _same_route)
    naming.keep(_same_route)
    naming.bring(added, promised, lambda _leg, _other: True)
    naming.keep_places()
    naming.make(promised)
    return tuple(OrderSlice(naming.ids[place], leg) for place, leg in enumerate(legs))


class _Naming:
    """Which leg, by its place, has which id so far, and which known slices are left."""

    def __init__(self, legs: Sequence[Slice], known: Sequence[OrderSlice]) -> None:
        self.legs = legs
        self.left = list(known)
        self.ids: dict[int, str] = {}

    def keep(self, same: Same) -> None:
        """Each leg that is the same as a slice that is left keeps that slice's id."""
        for place in self._nameless():
            found = next((known for known in self.left if same(known.leg, self.legs[place])), None)
            if found is not None:
                self.left.remove(found)
                self.ids[place] = found.slice_id

    def bring(self, added: Slice | None, promised: str, same: Same) -> None:
        """The first leg that is the same as `added` gets its id, unless another leg has it."""
        if added is None or promised in self.ids.values():
            return
        for place in self._nameless():
            if same(added, self.legs[place]):
                self.ids[place] = promised
                return

    def keep_places(self) -> None:
        """Where as many slices are left as legs, they are matched by their order."""
        nameless = self._nameless()
        if len(nameless) == len(self.left):
            self.ids |= {place: known.slice_id for place, known in zip(nameless, self.left, strict=True)}

    def make(self, promised: str) -> None:
        """Legs without an id get new ones: made from the change's id where there is one, so that they are the same each time."""
        for place in self._nameless():
            self.ids[place] = handle("slice", promised, place) if promised else new_id("slice")

    def _nameless(self) -> list[int]:
        return [place for place in range(len(self.legs)) if place not in self.ids]


def _same_name(known: Slice, leg: Slice) -> bool:
    return bool(leg.supplier_id) and known.supplier_id == leg.supplier_id


def _same_flight(known: Slice, leg: Slice) -> bool:
    return _same_route(known, leg) and known.departure_at == leg.departure_at


def _same_route(known: Slice, leg: Slice) -> bool:
    return (known.origin, known.destination) == (leg.origin, leg.destination)


Flown = tuple[tuple[object, ...], ...]


@dataclass(frozen=True, slots=True)
class ScheduleChange:
    """The slices that the airline moved, before and after, under the ids that the partner knows.

    `supplier_id` is the supplier's name of the change, "" where it lists none. open: not answered yet. superseded: another
    change of the same flights, by the airline or the partner, has taken its place.
    """

    change_id: str
    detected_at: datetime
    before: tuple[OrderSlice, ...]
    after: tuple[OrderSlice, ...]
    available_actions: tuple[str, ...]
    respond_by: datetime | None = None
    supplier_id: str = ""
    status: str = OPEN
    accepted_at: datetime | None = None

    def seen_beside(self, slices: Sequence[OrderSlice]) -> "ScheduleChange":
        """Superseded where the order no longer flies what it brought."""
        if self.status != OPEN or self._is_flown(slices):
            return self
        return replace(self, status=SUPERSEDED)

    def _is_flown(self, slices: Sequence[OrderSlice]) -> bool:
        now = {known.slice_id: flown(known.leg) for known in slices}
        brought = {known.slice_id: flown(known.leg) for known in self.after}
        gone = {known.slice_id for known in self.before} - brought.keys()
        return not gone & now.keys() and all(now.get(name) == flights for name, flights in brought.items())

    def answered(self, theirs: AirlineChange, now: datetime) -> "ScheduleChange":
        """With what the supplier says of it now."""
        if self.status != OPEN:
            return self
        if theirs.taken == ACCEPTED:
            return replace(self, status=ACCEPTED, accepted_at=theirs.taken_at or now)
        if theirs.taken is not None:
            return replace(self, status=SUPERSEDED)
        return replace(
            self,
            supplier_id=theirs.supplier_id,
            respond_by=theirs.respond_by,
            available_actions=offered(theirs.actions),
        )


def flown(leg: Slice) -> Flown:
    """What a traveller flies, without the names and details that may change beside it."""
    return tuple(
        (one.origin, one.destination, one.departure_at, one.arrival_at, one.carrier, one.flight_number)
        for one in leg.segments
    )


def offered(actions: Sequence[str]) -> tuple[str, ...]:
    """What the partner can do; where the supplier takes nothing by call, our staff help."""
    known = tuple(action for action in (ACCEPT, CHANGE, CANCEL) if action in actions)
    return known or (CONTACT_US,)


def with_what_is_known(
    slices: tuple[OrderSlice, ...], changes: tuple[ScheduleChange, ...], order: FlightOrder, now: datetime
) -> tuple[tuple[OrderSlice, ...], tuple[ScheduleChange, ...]]:
    """The slices as the airline flies them now, and the changes with new ones at their end, oldest first.

    A change that the supplier lists is applied although it is not accepted: the former flight is no longer flown. What differs
    beyond the listed ones is a change as well.
    """
    current, found, no_difference = _listed(slices, changes, order, now)
    final = named(_expected(order), current) if order.slices else current
    if _flights(final) != _flights(current):
        listed = next((theirs for theirs in reversed(no_difference) if theirs.taken is None), None)
        found.append(_difference(current, final, listed, order, now))
        no_difference = [theirs for theirs in no_difference if theirs is not listed]
    kept = [_answered(change, order, now) for change in changes]
    for theirs in no_difference:  # listed only after it showed in the slices
        kept = _attached(kept, theirs, now)
    told = [change.seen_beside(final) for change in (*kept, *found)]
    return tuple(final), tuple(told)


def _listed(
    slices: tuple[OrderSlice, ...], changes: Sequence[ScheduleChange], order: FlightOrder, now: datetime
) -> tuple[tuple[OrderSlice, ...], list[ScheduleChange], list[AirlineChange]]:
    """Each listed change that is not known yet, one after the other; and those that bring no difference."""
    known = {change.supplier_id for change in changes}
    found: list[ScheduleChange] = []
    no_difference: list[AirlineChange] = []
    for theirs in order.airline_changes:
        if theirs.supplier_id in known or theirs.taken not in (None, ACCEPTED):
            continue
        moved = named(_replaced([one.leg for one in slices], theirs), slices)
        if _flights(moved) == _flights(slices):
            no_difference.append(theirs)
        else:
            found.append(_difference(slices, moved, theirs, order, now))
            slices = moved
    return slices, found, no_difference


def _expected(order: FlightOrder) -> list[Slice]:
    legs = list(order.slices)
    for theirs in order.airline_changes:
        if theirs.taken is None:
            legs = _replaced(legs, theirs)
    return legs


def _replaced(legs: list[Slice], theirs: AirlineChange) -> list[Slice]:
    """The legs with the change; as they are where they have it, or are no longer those that it is of."""
    removed = [flown(leg) for leg in theirs.removed]
    if not removed or not theirs.added or any(flights not in map(flown, legs) for flights in removed):
        return legs
    kept = [leg for leg in legs if flown(leg) not in removed]
    return sorted([*kept, *theirs.added], key=lambda leg: leg.departure_at)


def _difference(
    before: Sequence[OrderSlice],
    after: Sequence[OrderSlice],
    theirs: AirlineChange | None,
    order: FlightOrder,
    now: datetime,
) -> ScheduleChange:
    was, is_now = _flights(before), _flights(after)
    change = ScheduleChange(
        change_id=new_id("schedule"),
        detected_at=now,
        before=tuple(one for one in before if is_now.get(one.slice_id) != was[one.slice_id]),
        after=tuple(one for one in after if was.get(one.slice_id) != is_now[one.slice_id]),
        available_actions=_unlisted_actions(order),
    )
    return change.answered(theirs, now) if theirs is not None else change


def _unlisted_actions(order: FlightOrder) -> tuple[str, ...]:
    return offered([CHANGE, CANCEL] if order.conditions.changeable else [CANCEL])


def _answered(change: ScheduleChange, order: FlightOrder, now: datetime) -> ScheduleChange:
    theirs = next((one for one in order.airline_changes if one.supplier_id == change.supplier_id), None)
    return change.answered(theirs, now) if theirs is not None else change


def _attached(changes: list[ScheduleChange], theirs: AirlineChange, now: datetime) -> list[ScheduleChange]:
    """The newest open change without a name that brought the same flights gets this one's."""
    brought = [flown(leg) for leg in theirs.added]
    for place, change in reversed(list(enumerate(changes))):
        if (
            change.status == OPEN
            and not change.supplier_id
            and brought == [flown(s.leg) for s in change.after]
        ):
            return [*changes[:place], change.answered(theirs, now), *changes[place + 1 :]]
    return changes


def _flights(slices: Sequence[OrderSlice]) -> dict[str, Flown]:
    return {known.slice_id: flown(known.leg) for known in slices}
