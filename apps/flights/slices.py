"""The legs of an order under the ids that partners know, while the airline renames, moves and reissues them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.common.ids import handle, new_id
from apps.flights.suppliers.base import Slice


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

    They are matched in this order: the airline's own id, the flight, the route, the place in the itinerary. The leg that a change
    has `added` gets the id that was told: by its flight or, where the airline moved it, by its route. Any other new leg gets an
    id of its own: no two legs may share one, or a partner would change another leg than it names. An airline that lists no legs
    has not changed them: the known ones stay.
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
