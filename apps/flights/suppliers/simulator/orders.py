"""What the simulated airline keeps of an order, and how it comes to be."""

import secrets
from dataclasses import dataclass, replace
from datetime import datetime

from apps.flights.suppliers.base import Cancellation, ChangeOption, FlightOrder, OrderRequest, Slice
from apps.flights.suppliers.simulator.fares import FARES, Fare
from apps.flights.suppliers.simulator.offers import fare_of, passengers_of
from apps.suppliers.errors import NotPossible, Rejected
from apps.suppliers.simulation import draw

PNR_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
TICKET_PREFIX = "999"  # no airline's accounting code


@dataclass(frozen=True, slots=True)
class OrderRecord:
    """An order with what is paid for each slice (by its id) and, once cancelled, what that cost."""

    order: FlightOrder
    fare_code: str
    slice_totals: dict[str, int]
    cancellation: Cancellation | None = None

    @property
    def fare(self) -> Fare:
        return FARES[self.fare_code]


def issue(request: OrderRequest, totals: tuple[int, ...]) -> OrderRecord:
    """A new order at these totals of its slices, with tickets for all passengers."""
    _check_passengers(request)
    reference = f"sim_{secrets.token_hex(8)}"
    slices = tuple(named(flight, reference, 0, n) for n, flight in enumerate(request.offer.slices))
    fare = fare_of(request.offer)
    order = FlightOrder(
        supplier_reference=reference,
        pnr="".join(PNR_LETTERS[draw(0, 31, "pnr", reference, n)] for n in range(6)),
        ticket_numbers=_tickets(reference, 0, len(request.passengers)),
        total_cents=sum(totals),
        currency=request.offer.currency,
        slices=slices,
        conditions=fare.conditions(sum(totals)),
        fare_brand=request.offer.fare_brand,
        baggage=request.offer.baggage,
    )
    return OrderRecord(
        order, fare.code, {s.supplier_id: total for s, total in zip(slices, totals, strict=True)}
    )


def reissue(record: OrderRecord, removed: str, option: ChangeOption, sequence: int) -> OrderRecord:
    """The order with the option's slice, under a new id, in place of `removed`; with new tickets."""
    reference = record.order.supplier_reference
    added = named(option.slice, reference, sequence, 0)
    slices = tuple(added if s.supplier_id == removed else s for s in record.order.slices)
    totals = {name: total for name, total in record.slice_totals.items() if name != removed}
    totals[added.supplier_id] = record.slice_totals[removed] + option.difference_cents
    order = replace(
        record.order,
        slices=slices,
        total_cents=option.new_total_cents,
        conditions=record.fare.conditions(option.new_total_cents),
        ticket_numbers=_tickets(reference, sequence, len(record.order.ticket_numbers)),
    )
    return replace(record, order=order, slice_totals=totals)


def cancelled(record: OrderRecord, cancellation: Cancellation) -> OrderRecord:
    order = replace(record.order, cancelled=True, cancellation=cancellation)
    return replace(record, order=order, cancellation=cancellation)


def cancellation_of(record: OrderRecord, sequence: int, now: datetime) -> Cancellation:
    """What cancelling costs now: all of it from the first departure on. `sequence` ties the quote to this state of the order."""
    total, penalty = record.order.total_cents, record.order.conditions.penalty_cents or 0
    if any(leg.departure_at <= now for leg in record.order.slices):
        penalty = total
    return Cancellation(penalty, total - penalty, record.order.currency, {"sequence": str(sequence)})


def require_standing(record: OrderRecord) -> None:
    """Raises NotPossible when the order is cancelled."""
    if record.order.cancelled:
        raise NotPossible("the order is cancelled")


def named(flight: Slice, reference: str, sequence: int, position: int) -> Slice:
    """`flight` under an id that no other slice ever had."""
    return replace(flight, supplier_id=f"{reference.replace('sim', 'sli')}_{sequence}{position}")


def _tickets(reference: str, sequence: int, count: int) -> tuple[str, ...]:
    """Consecutive numbers of thirteen digits."""
    first = draw(10**9, 9 * 10**9, "tickets", reference, sequence)
    return tuple(f"{TICKET_PREFIX}{first + n}" for n in range(count))


def _check_passengers(request: OrderRequest) -> None:
    """As many and of the kinds that were searched for, or Rejected."""
    searched = passengers_of(request.offer)
    expected = {"adult": searched.adults, "child": searched.children, "infant": searched.infants}
    types = [passenger.type for passenger in request.passengers]
    if any(types.count(kind) != count for kind, count in expected.items()) or len(types) != sum(
        expected.values()
    ):
        raise Rejected("the passengers are not those that were searched for")
