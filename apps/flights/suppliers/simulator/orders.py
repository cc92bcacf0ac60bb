"""What the simulated airline stores of an order: how it comes to be, is changed, moved and cancelled."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from apps.flights.suppliers.base import (
    LAPSED,
    PAID,
    TICKET,
    UNKNOWN_ACCOUNT,
    UNPAID,
    AirlineChange,
    Cancellation,
    ChangeOption,
    ChangeSearch,
    ChosenService,
    FlightOrder,
    FlightService,
    IssuedDocument,
    OrderRequest,
    Passengers,
    Payment,
    Slice,
    Stop,
    price_of,
)
from apps.flights.suppliers.simulator import catalogue, services
from apps.flights.suppliers.simulator.offers import (
    FARES,
    LIGHT,
    Fare,
    fare_of,
    passengers_of,
    seated,
    slice_total,
    under,
)
from apps.suppliers import airports
from apps.suppliers.errors import Expired, InvalidField, Missing, NotPossible, Rejected
from apps.suppliers.results import AirlineCredit
from apps.suppliers.simulation import draw, percent
from apps.suppliers.values import replaced

PNR_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
TICKET_PREFIX = "999"  # no airline's accounting code
VALID = timedelta(minutes=20)
CHEAPEST = 62  # percent of what is paid for the slice, before the change fee
DEAREST = 148
SCATTER = 5
LATER = timedelta(minutes=95)
ANSWER_WITHIN = timedelta(days=7)
CREDIT_ROUTE = ("LTN", "SYD")
"""One way. Duffel's test mode knows the same route for it."""
CREDIT_LASTS = timedelta(days=365)
ACCEPTED = "accepted"
ACTIONS = ("accept", "cancel")
DRIFT = 104
"""What an order on hold costs once its guarantee is over, in percent of before."""


CHANGED_ON_HOLD = "The airline has changed this order while it was on hold; cancel it and search again."


@dataclass(frozen=True, slots=True)
class OrderRecord:
    """An order with what is paid for each slice (by its id) and, once cancelled, what that cost.

    `moved_on_hold`: the airline has changed it while it was not paid, so that it can no longer be.
    """

    order: FlightOrder
    fare_code: str
    slice_totals: dict[str, int]
    cancellation: Cancellation | None = None
    moved_on_hold: bool = False
    travellers: int = 0
    """Of an order on hold: for how many it gets tickets."""

    @property
    def fare(self) -> Fare:
        return FARES[self.fare_code]


def issue(request: OrderRequest, totals: tuple[int, ...]) -> OrderRecord:
    """A new order at these totals of its slices, with tickets for all passengers; of one on hold none are issued yet."""
    _check_passengers(request)
    reference = f"sim_{secrets.token_hex(8)}"
    slices = tuple(named(flight, reference, 0, n) for n, flight in enumerate(request.offer.slices))
    fare = fare_of(request.offer)
    tickets = () if request.hold else _tickets(reference, 0, len(request.passengers))
    total = sum(totals) + price_of(request.services)
    order = FlightOrder(
        supplier_reference=reference,
        pnr="".join(PNR_LETTERS[draw(0, 31, "pnr", reference, n)] for n in range(6)),
        ticket_numbers=tickets,
        documents=_documents(tickets),
        total_cents=total,
        currency=request.offer.currency,
        slices=slices,
        conditions=fare.conditions(total),
        fare_brand=request.offer.fare_brand,
        baggage=request.offer.baggage,
        services=services.booked(request.services, reference, 0),
    )
    if request.hold:
        held_until = {name: getattr(request.offer, name) for name in ("pay_by", "price_guaranteed_until")}
        order = replace(order, issued=False, payment=UNPAID, **held_until)
    slice_totals = {s.supplier_id: total for s, total in zip(slices, totals, strict=True)}
    return OrderRecord(order, fare.code, slice_totals, travellers=len(request.passengers))


def reissue(record: OrderRecord, removed: str, option: ChangeOption, sequence: int) -> OrderRecord:
    """The order with the option's slice, under a new id, in place of `removed`; with new tickets."""
    reference = record.order.supplier_reference
    added = named(option.slice, reference, sequence, 0)
    place = [s.supplier_id for s in record.order.slices].index(removed)
    slices = tuple(added if s.supplier_id == removed else s for s in record.order.slices)
    totals = {name: total for name, total in record.slice_totals.items() if name != removed}
    totals[added.supplier_id] = record.slice_totals[removed] + option.difference_cents
    tickets = _tickets(reference, sequence, len(record.order.ticket_numbers))
    order = replace(
        record.order,
        slices=slices,
        total_cents=option.new_total_cents,
        conditions=record.fare.conditions(option.new_total_cents),
        ticket_numbers=tickets,
        documents=_documents(tickets),
        services=tuple(services.carried_over(record.order.services, place, added)),
    )
    return replace(record, order=order, slice_totals=totals)


def bags_of(
    record: OrderRecord, passengers: Sequence[int], market_percent: int, now: datetime
) -> list[FlightService]:
    """What is still sold to these passengers: a bag of each kind that they have not bought, for the slices ahead."""
    order = record.order
    bought = {(one.kind, int(one.traveller), segment) for one in order.services for segment in one.segments}
    ahead = [place for place, leg in enumerate(order.slices) if leg.departure_at > now]
    wanted = [(place, passenger) for place in ahead for passenger in passengers]
    return [
        bag
        for bag in services.bags(order.slices, wanted, order.currency, market_percent)
        if not any((bag.kind, bag.passenger, segment) in bought for segment in bag.segments)
    ]


def with_services(record: OrderRecord, chosen: tuple[ChosenService, ...], sequence: int) -> OrderRecord:
    """The order with these as well; what cancelling costs is a part of the new total."""
    order = record.order
    total = order.total_cents + price_of(chosen)
    added = services.booked(chosen, order.supplier_reference, sequence)
    order = replace(
        order,
        total_cents=total,
        conditions=record.fare.conditions(total),
        services=(*order.services, *added),
    )
    return replace(record, order=order)


# --- Orders on hold: their price and their end follow from the time ------------------------------------------------------
def as_of(record: OrderRecord, now: datetime) -> OrderRecord:
    """The record as it stands now. One on hold costs more once its guarantee is over, and has lapsed after its time to pay."""
    order = record.order
    if order.payment == PAID or order.cancelled:
        return record
    if order.pay_by is not None and now >= order.pay_by:
        return replace(record, order=replace(order, payment=LAPSED))
    guarantee = order.price_guaranteed_until
    if guarantee is None or now < guarantee:
        return record
    totals = {name: percent(total, DRIFT) for name, total in record.slice_totals.items()}
    total = sum(totals.values())
    risen = replace(
        order, total_cents=total, conditions=record.fare.conditions(total), price_guaranteed_until=None
    )
    return replace(record, order=risen, slice_totals=totals)


def payment_of(record: OrderRecord) -> Payment:
    """What paying costs now. Raises Expired and NotPossible."""
    order = record.order
    require_standing(record)
    if order.payment == LAPSED:
        raise Expired("the order has lapsed")
    if record.moved_on_hold:
        raise NotPossible(CHANGED_ON_HOLD)
    return Payment(order.total_cents, order.currency, {}, is_paid=order.payment == PAID)


def paid(record: OrderRecord, sequence: int) -> OrderRecord:
    """With tickets for all passengers."""
    tickets = _tickets(record.order.supplier_reference, sequence, record.travellers)
    order = replace(
        record.order, payment=PAID, issued=True, ticket_numbers=tickets, documents=_documents(tickets)
    )
    return replace(record, order=order)


def cancelled(record: OrderRecord, cancellation: Cancellation) -> OrderRecord:
    order = replace(record.order, cancelled=True, cancellation=cancellation)
    return replace(record, order=order, cancellation=cancellation)


def cancellation_of(record: OrderRecord, sequence: int, now: datetime) -> Cancellation:
    """Cancelling now is free of charge while it is on hold, all of it from the first departure on. `sequence` ties the quote to
    this state of the order.

    On one route the airline refunds into its own credit, a share for each passenger.
    """
    order, data = record.order, {"sequence": str(sequence)}
    total, penalty = order.total_cents, order.conditions.penalty_cents or 0
    if order.payment != PAID:
        return Cancellation(0, 0, order.currency, data)
    if any(leg.departure_at <= now for leg in order.slices):
        penalty = total
    refund = total - penalty
    if not refund or [(leg.origin, leg.destination) for leg in order.slices] != [CREDIT_ROUTE]:
        return Cancellation(penalty, refund, order.currency, data)
    count = len(order.ticket_numbers)
    kept = tuple(
        AirlineCredit(
            place,
            refund // count + (place < refund % count),
            order.currency,
            f"{order.supplier_reference.replace('sim', 'crd')}_{place}",
        )
        for place in range(count)
    )
    return Cancellation(total, 0, order.currency, data, kept)


def issued(cancellation: Cancellation, now: datetime) -> Cancellation:
    """The cancellation as it is once it is done: the airline has issued its credits."""
    day = now.date() + CREDIT_LASTS
    kept = tuple(
        replace(credit, code=str(draw(10**12, 10**13 - 1, "credit", credit.supplier_id)), expires_on=day)
        for credit in cancellation.airline_credits
    )
    return replace(cancellation, airline_credits=kept)


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


def _documents(tickets: tuple[str, ...]) -> tuple[IssuedDocument, ...]:
    """A ticket for each passenger."""
    return tuple(IssuedDocument(TICKET, number, place) for place, number in enumerate(tickets))


def _check_passengers(request: OrderRequest) -> None:
    """As many and of the kinds that were searched for, or Rejected; InvalidField for a loyalty account that no airline knows."""
    for place, passenger in enumerate(request.passengers):
        for at, account in enumerate(passenger.loyalty_accounts):
            if account.number == UNKNOWN_ACCOUNT:
                field = f"passengers.{place}.loyaltyAccounts.{at}.number"
                raise InvalidField(field, "is not an account that the airline knows")
    searched = passengers_of(request.offer)
    expected = {"adult": searched.adults, "child": searched.children, "infant": searched.infants}
    types = [passenger.type for passenger in request.passengers]
    if any(types.count(kind) != count for kind, count in expected.items()) or len(types) != sum(
        expected.values()
    ):
        raise Rejected("the passengers are not those that were searched for")


def options(record: OrderRecord, request: ChangeSearch, sequence: int, now: datetime) -> list[ChangeOption]:
    """Alternatives, the cheapest first; none if no airline flies there. Raises NotPossible and Missing."""
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
    if record.order.payment != PAID:
        raise NotPossible("the order is not paid")
    if not record.fare.changeable:
        raise NotPossible("The fare of this order cannot be changed.")


def require_fresh(option: ChangeOption, sequence: int, now: datetime) -> None:
    """Raises Expired for an option too old, or quoted before the order was last written to."""
    data = option.supplier_data
    if data["sequence"] != str(sequence) or now > datetime.fromisoformat(data["quoted_at"]) + VALID:
        raise Expired("the change option is stale")


def _alternatives(record: OrderRecord, request: ChangeSearch) -> list[Slice]:
    """The day's flights but the one to be left, the cheapest to buy again first."""
    origin, destination = airports.find(request.origin), airports.find(request.destination)
    if origin is None or destination is None:
        return []
    current = next(s for s in record.order.slices if s.supplier_id == request.remove_slice)
    flights = catalogue.slices(origin, destination, request.departure_date, None)
    cabin = current.segments[0].cabin or "economy"  # an order of release 1.2 has none
    others = [under(record.fare, seated(f, cabin)) for f in flights if flown(f) != flown(current)]
    return sorted(others, key=_fresh_price)


def flown(leg: Slice) -> list[tuple[str, datetime]]:
    return [(one.flight_number, one.departure_at) for one in leg.segments]


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


def moved(record: OrderRecord, sequence: int, now: datetime) -> OrderRecord:
    """The order with its first leg moved. One on hold only shows that when it is to be paid."""
    require_standing(record)
    order = record.order
    if order.payment != PAID:
        return replace(record, moved_on_hold=True)
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
    """Raises NotPossible for a change that was decided, followed by another, unknown or too old."""
    require_standing(record)
    changes = record.order.airline_changes
    change = next((one for one in changes[-1:] if one.supplier_id == change_id), None)
    if change is None or change.taken is not None:
        raise NotPossible("The airline no longer accepts a response to this change.")
    if change.respond_by is not None and now > change.respond_by:
        raise NotPossible("The airline's deadline to respond to this change has passed.")
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
        replaced(
            one,
            departure_at=one.departure_at + LATER,
            arrival_at=one.arrival_at + LATER,
            flight_number=f"{one.carrier}{(int(one.flight_number.removeprefix(one.carrier)) + 500) % 10_000}",
            stops=tuple(_later_stop(stop) for stop in one.stops),
        )
        for one in leg.segments
    )
    return replace(
        leg, departure_at=leg.departure_at + LATER, arrival_at=leg.arrival_at + LATER, segments=segments
    )


def _later_stop(stop: Stop) -> Stop:
    assert stop.arrival_at is not None
    assert stop.departure_at is not None
    return Stop(stop.airport, stop.arrival_at + LATER, stop.departure_at + LATER, stop.duration_minutes)
