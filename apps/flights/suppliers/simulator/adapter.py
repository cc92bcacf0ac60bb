"""The flight simulator: deterministic in what it offers, and it remembers what was booked."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from apps.accounts import clocks
from apps.flights.suppliers.base import (
    Cancellation,
    ChangeOption,
    ChangeSearch,
    FlightOffer,
    FlightOrder,
    FlightSearch,
    OrderRequest,
    Passenger,
)
from apps.flights.suppliers.simulator import changes, moves, offers, orders, shown
from apps.flights.suppliers.simulator.orders import OrderRecord
from apps.suppliers.errors import Expired, InvalidField, Missing, NotPossible, PriceChanged, Rejected
from apps.suppliers.results import Found
from apps.suppliers.simulation import ACCEPT, BOOK, CANCEL, CHANGE, AlreadyWrittenError, Market, Store, Write
from apps.suppliers.values import from_json, to_json


class FlightSimulator:
    """Fulfils FlightSupplier out of itself.

    It is not idempotent: whether a reference can be used twice is its store's rule.
    """

    name = "simulator"

    def __init__(
        self, store: Store, *, market: Market | None = None, now: Callable[[], datetime] = clocks.now_here
    ) -> None:
        self.store = store
        self.market = market or Market()
        self.now = now

    def search(self, request: FlightSearch) -> Found[FlightOffer]:
        return Found([] if self.market.sold_out else offers.search(request, self.market.percent, self.now()))

    def reprice(self, offer: FlightOffer) -> FlightOffer:
        total = sum(self._totals(offer))
        tax = shown.tax_cents(total, offer.slices)
        return replace(
            offer,
            total_cents=total,
            base_cents=total - tax,
            tax_cents=tax,
            conditions=offers.fare_of(offer).conditions(total),
        )

    def objections(self, passengers: tuple[Passenger, ...]) -> list[InvalidField]:
        return []

    def book(self, request: OrderRequest) -> FlightOrder:
        """Books at the price now; raises PriceChanged when that is above the offer's."""
        totals = self._totals(request.offer)
        if sum(totals) > request.offer.total_cents:
            raise PriceChanged(sum(totals))
        record = orders.issue(request, totals)
        try:
            self._write(BOOK, request.client_ref, 0, record)
        except AlreadyWrittenError as error:
            raise Rejected("duplicate reference") from error
        return record.order

    def find_order(self, client_ref: str, offer: FlightOffer) -> FlightOrder | None:
        return self._order_of(self.store.find(BOOK, client_ref))

    def read_order(self, supplier_reference: str) -> FlightOrder:
        record, _ = self._latest(supplier_reference)
        return record.order

    def change_options(self, request: ChangeSearch) -> Found[ChangeOption]:
        record, sequence = self._latest(request.supplier_reference)
        return Found(changes.options(record, request, sequence, self.now()))

    def prepare_change(self, supplier_reference: str, option: ChangeOption) -> ChangeOption:
        """As it is: an option's price holds until it is stale."""
        return option

    def change(self, client_ref: str, supplier_reference: str, option: ChangeOption) -> FlightOrder:
        record, sequence = self._latest(supplier_reference)
        changes.require_changeable(record)
        changes.require_fresh(option, sequence, self.now())
        changed = orders.reissue(record, option.supplier_data["remove_slice"], option, sequence + 1)
        changed = moves.overtaken(changed, self.now())
        self._write_next(CHANGE, client_ref, sequence + 1, changed)
        return changed.order

    def find_change(
        self, client_ref: str, supplier_reference: str, option: ChangeOption
    ) -> FlightOrder | None:
        return self._order_of(self.store.find(CHANGE, client_ref))

    def accept_change(self, client_ref: str, supplier_reference: str, change_id: str) -> FlightOrder:
        record, sequence = self._latest(supplier_reference)
        accepted = moves.accepted(record, change_id, self.now())
        self._write_next(ACCEPT, client_ref, sequence + 1, accepted)
        return accepted.order

    def find_acceptance(self, client_ref: str, supplier_reference: str, change_id: str) -> FlightOrder | None:
        record, _ = self._latest(supplier_reference)
        return record.order if moves.is_accepted(record, change_id) else None

    def quote_cancellation(self, supplier_reference: str) -> Cancellation:
        record, sequence = self._latest(supplier_reference)
        orders.require_standing(record)
        return orders.cancellation_of(record, sequence, self.now())

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation:
        record, sequence = self._latest(supplier_reference)
        orders.require_standing(record)
        cancellation = orders.cancellation_of(record, sequence, self.now())
        if cancellation != quote:
            raise Expired("the cancellation quote is stale")
        self._write_next(CANCEL, client_ref, sequence + 1, orders.cancelled(record, cancellation))
        return cancellation

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation
    ) -> Cancellation | None:
        write = self.store.find(CANCEL, client_ref)
        return from_json(OrderRecord, write.record).cancellation if write else None

    def call_off(self, supplier_reference: str) -> Cancellation:
        """The airline itself cancels, and keeps nothing. News that `read_order` tells."""
        record, sequence = self._latest(supplier_reference)
        orders.require_standing(record)
        cancellation = Cancellation(0, record.order.total_cents, record.order.currency, {})
        called_off = orders.cancelled(record, cancellation)
        self._write_next(CANCEL, f"{supplier_reference}-called-off", sequence + 1, called_off)
        return cancellation

    def move(self, supplier_reference: str) -> FlightOrder:
        """The airline itself moves the first flight. News that `read_order` tells."""
        record, sequence = self._latest(supplier_reference)
        moved = moves.moved(record, sequence + 1, self.now())
        self._write_next(CHANGE, f"{supplier_reference}-moved-{sequence + 1}", sequence + 1, moved)
        return moved.order

    def _totals(self, offer: FlightOffer) -> tuple[int, ...]:
        if self.market.sold_out:
            raise Expired("the offer is sold out")
        return offers.slice_totals(offer, self.market.percent)

    def _latest(self, reference: str) -> tuple[OrderRecord, int]:
        """The order as it stands and the number of its latest write. Raises Missing."""
        write = self.store.latest(reference)
        if write is None:
            raise Missing("the order is unknown")
        return from_json(OrderRecord, write.record), write.sequence

    def _order_of(self, write: Write | None) -> FlightOrder | None:
        """The order that `write` belongs to, as it stands now."""
        return self.read_order(write.reference) if write else None

    def _write(self, kind: str, client_ref: str, sequence: int, record: OrderRecord) -> None:
        reference = record.order.supplier_reference
        self.store.add(Write(kind, client_ref, reference, sequence, to_json(record)))

    def _write_next(self, kind: str, client_ref: str, sequence: int, record: OrderRecord) -> None:
        """A write to a standing order; of two at once the slower finds the order no longer what it was."""
        try:
            self._write(kind, client_ref, sequence, record)
        except AlreadyWrittenError as error:
            raise NotPossible("the order was written to meanwhile") from error
