"""The ways to change a slice: alternatives on the day asked for, some dearer and some cheaper."""

from datetime import datetime, timedelta

from apps.flights.suppliers.base import ChangeOption, ChangeSearch, Passengers, Slice
from apps.flights.suppliers.simulator import timetable
from apps.flights.suppliers.simulator.fares import LIGHT, percent, slice_total
from apps.flights.suppliers.simulator.orders import OrderRecord, require_standing
from apps.suppliers import airports
from apps.suppliers.errors import Expired, Missing, NotPossible
from apps.suppliers.simulation import draw

VALID = timedelta(minutes=20)
CHEAPEST = 62  # percent of what is paid for the slice, before the change fee
DEAREST = 148
SCATTER = 5


def options(record: OrderRecord, request: ChangeSearch, sequence: int, now: datetime) -> list[ChangeOption]:
    """Alternatives, the cheapest first; none when nobody flies there. Raises NotPossible and Missing."""
    require_changeable(record)
    if request.remove_slice not in record.slice_totals:
        raise Missing("the order has no such slice")
    flights = _alternatives(record, request)
    return sorted(
        (
            _option(record, request, flight, _share(n, flights), sequence, now)
            for n, flight in enumerate(flights)
        ),
        key=lambda option: option.difference_cents,
    )


def require_changeable(record: OrderRecord) -> None:
    require_standing(record)
    if not record.fare.changeable:
        raise NotPossible("the fare cannot be changed")


def require_fresh(option: ChangeOption, sequence: int, now: datetime) -> None:
    """Raises Expired for an option too old, or quoted before the order was last written to."""
    data = option.supplier_data
    if data["sequence"] != str(sequence) or now > datetime.fromisoformat(data["quoted_at"]) + VALID:
        raise Expired("the change option is stale")


def _alternatives(record: OrderRecord, request: ChangeSearch) -> list[Slice]:
    """The day's flights but the one to be left, the cheapest to buy anew first."""
    origin, destination = airports.find(request.origin), airports.find(request.destination)
    if origin is None or destination is None:
        return []
    current = next(s for s in record.order.slices if s.supplier_id == request.remove_slice)
    flights = timetable.slices(origin, destination, request.departure_date, None)
    return sorted((f for f in flights if f.segments != current.segments), key=_fresh_price)


def _fresh_price(flight: Slice) -> int:
    return slice_total(flight, cabin="economy", fare=LIGHT, passengers=Passengers(), currency="EUR")


def _share(rank: int, flights: list[Slice]) -> int:
    """The option's price in percent of what is paid: spread so that both signs occur whatever the day."""
    step = (DEAREST - CHEAPEST) * rank // max(1, len(flights) - 1)
    first = flights[rank].segments[0]
    return CHEAPEST + step + draw(-SCATTER, SCATTER, "change", first.flight_number, first.departure_at)


def _option(
    record: OrderRecord, request: ChangeSearch, flight: Slice, share: int, sequence: int, now: datetime
) -> ChangeOption:
    paid = record.slice_totals[request.remove_slice]
    penalty = percent(paid, record.fare.change)
    difference = percent(paid, share) - paid + penalty
    return ChangeOption(
        difference_cents=difference,
        new_total_cents=record.order.total_cents + difference,
        penalty_cents=penalty,
        currency=record.order.currency,
        slice=flight,
        expires_at=None,  # as with offers, the service's own handle decides first
        supplier_data={
            "remove_slice": request.remove_slice,
            "sequence": str(sequence),
            "quoted_at": now.isoformat(),
        },
    )
