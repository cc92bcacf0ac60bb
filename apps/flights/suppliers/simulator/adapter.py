"""The flight simulator: deterministic in what it offers, and it remembers what was booked."""

from dataclasses import replace

from apps.flights.suppliers.base import (
    PAID,
    AddServices,
    Cancellation,
    ChangeOption,
    ChangeSearch,
    ChosenService,
    FlightOffer,
    FlightOrder,
    FlightSearch,
    FlightService,
    OrderRequest,
    Passenger,
    Payment,
    SeatMap,
    on_sale,
    price_of,
)
from apps.flights.suppliers.simulator import offers, orders, services
from apps.flights.suppliers.simulator.orders import OrderRecord
from apps.suppliers.errors import Expired, InvalidField, PriceChanged
from apps.suppliers.results import AirlineCredit, Found
from apps.suppliers.simulation import ACCEPT, BOOK, CANCEL, CHANGE, PAY, SERVICES, Simulator, Write


class FlightSimulator(Simulator[OrderRecord]):
    """Fulfils FlightSupplier out of itself."""

    record_type = OrderRecord

    def search(self, request: FlightSearch) -> Found[FlightOffer]:
        return Found() if self.market.sold_out else offers.search(request, self.market.percent, self.now())

    def reprice(self, offer: FlightOffer) -> FlightOffer:
        """Its times to hold and pay are those of the search."""
        return offers.at_price(offer, sum(self._totals(offer)))

    def services(self, offer: FlightOffer) -> list[FlightService]:
        self._totals(offer)
        return services.of_offer(offer, self.market.percent)

    def seat_maps(self, offer: FlightOffer) -> list[SeatMap]:
        self._totals(offer)
        return services.seat_maps(offer, self.market.percent)

    def reprice_services(
        self, offer: FlightOffer, chosen: tuple[ChosenService, ...]
    ) -> tuple[FlightOffer, tuple[ChosenService, ...]]:
        sold = [*self.services(offer), *services.seats_of(self.seat_maps(offer))]
        return self.reprice(offer), on_sale(chosen, sold)

    def objections(self, passengers: tuple[Passenger, ...]) -> list[InvalidField]:
        return []

    def book(self, request: OrderRequest) -> FlightOrder:
        """Books at the price now; raises PriceChanged when that is above the offer's."""
        totals = self._totals(request.offer)
        if request.services:
            request = self._with_services(request, sum(totals))
        elif sum(totals) > request.offer.total_cents:
            raise PriceChanged(sum(totals))
        record = orders.issue(request, totals)
        self.write_first(request.client_ref, record.order.supplier_reference, record)
        return record.order

    def _with_services(self, request: OrderRequest, fare_cents: int) -> OrderRequest:
        _, now = self.reprice_services(request.offer, request.services)
        services.refuse_taken(now)
        services.refuse_dearer(
            fare_cents + price_of(now), request.offer.total_cents + price_of(request.services)
        )
        return replace(request, services=now)

    def find_order(self, client_ref: str, offer: FlightOffer) -> FlightOrder | None:
        return self._order_of(self.store.find(BOOK, client_ref))

    def read_order(self, supplier_reference: str) -> FlightOrder:
        record, _ = self.latest(supplier_reference)
        return record.order

    def latest(self, reference: str) -> tuple[OrderRecord, int]:
        """An order on hold changes by itself as time passes."""
        record, sequence = super().latest(reference)
        return orders.as_of(record, self.now()), sequence

    def prepare_payment(self, supplier_reference: str) -> Payment:
        record, _ = self.latest(supplier_reference)
        return orders.payment_of(record)

    def pay(self, client_ref: str, supplier_reference: str, payment: Payment) -> FlightOrder:
        record, sequence = self.latest(supplier_reference)
        now = orders.payment_of(record)
        if now.is_paid:
            return record.order
        if now.total_cents != payment.total_cents:
            raise PriceChanged(now.total_cents)
        paid = orders.paid(record, sequence + 1)
        self._write_next(PAY, client_ref, sequence + 1, paid)
        return paid.order

    def find_payment(self, client_ref: str, supplier_reference: str, payment: Payment) -> FlightOrder | None:
        order = self.read_order(supplier_reference)
        return order if order.payment == PAID else None

    def change_options(self, request: ChangeSearch) -> Found[ChangeOption]:
        record, sequence = self.latest(request.supplier_reference)
        return Found(orders.options(record, request, sequence, self.now()))

    def prepare_change(self, supplier_reference: str, option: ChangeOption) -> ChangeOption:
        """As it is: an option's price holds until it is stale."""
        return option

    def change(self, client_ref: str, supplier_reference: str, option: ChangeOption) -> FlightOrder:
        record, sequence = self.latest(supplier_reference)
        orders.require_changeable(record)
        orders.require_fresh(option, sequence, self.now())
        changed = orders.reissue(record, option.supplier_data["remove_slice"], option, sequence + 1)
        changed = orders.overtaken(changed, self.now())
        self._write_next(CHANGE, client_ref, sequence + 1, changed)
        return changed.order

    def find_change(
        self, client_ref: str, supplier_reference: str, option: ChangeOption
    ) -> FlightOrder | None:
        return self._order_of(self.store.find(CHANGE, client_ref))

    def accept_change(self, client_ref: str, supplier_reference: str, change_id: str) -> FlightOrder:
        record, sequence = self.latest(supplier_reference)
        accepted = orders.accepted(record, change_id, self.now())
        self._write_next(ACCEPT, client_ref, sequence + 1, accepted)
        return accepted.order

    def find_acceptance(self, client_ref: str, supplier_reference: str, change_id: str) -> FlightOrder | None:
        record, _ = self.latest(supplier_reference)
        return record.order if orders.is_accepted(record, change_id) else None

    def order_services(self, request: AddServices) -> list[FlightService]:
        record, _ = self.latest(request.supplier_reference)
        return self._bags_for(record, request)

    def prepare_services(self, request: AddServices) -> tuple[tuple[ChosenService, ...], tuple[str, ...]]:
        record, _ = self.latest(request.supplier_reference)
        before = tuple(one.supplier_id for one in record.order.services)
        return on_sale(request.services, self._bags_for(record, request)), before

    def add_services(self, request: AddServices) -> FlightOrder:
        record, sequence = self.latest(request.supplier_reference)
        now = on_sale(request.services, self._bags_for(record, request))
        services.refuse_dearer(price_of(now), price_of(request.services))
        added = orders.with_services(record, now, sequence + 1)
        self._write_next(SERVICES, request.client_ref, sequence + 1, added)
        return added.order

    def find_services(self, request: AddServices) -> FlightOrder | None:
        return self._order_of(self.store.find(SERVICES, request.client_ref))

    def _bags_for(self, record: OrderRecord, request: AddServices) -> list[FlightService]:
        orders.require_standing(record)
        seated = [place for place, passenger in enumerate(request.passengers) if passenger.type != "infant"]
        return orders.bags_of(record, seated, self.market.percent, self.now())

    def quote_cancellation(self, supplier_reference: str) -> Cancellation:
        record, sequence = self.latest(supplier_reference)
        orders.require_standing(record)
        return orders.cancellation_of(record, sequence, self.now())

    def cancel(self, client_ref: str, supplier_reference: str, quote: Cancellation) -> Cancellation:
        record, sequence = self.latest(supplier_reference)
        orders.require_standing(record)
        cancellation = orders.cancellation_of(record, sequence, self.now())
        if cancellation != quote:
            raise Expired("the cancellation quote is stale")
        done = orders.issued(cancellation, self.now())
        self._write_next(CANCEL, client_ref, sequence + 1, orders.cancelled(record, done))
        return done

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation
    ) -> Cancellation | None:
        record = self.written(CANCEL, client_ref)
        return record.cancellation if record else None

    def airline_credits(self, supplier_reference: str) -> tuple[AirlineCredit, ...]:
        record, _ = self.latest(supplier_reference)
        return record.cancellation.airline_credits if record.cancellation else ()

    def call_off(self, supplier_reference: str) -> Cancellation:
        """The airline itself cancels, and keeps nothing. A change that `read_order` reports."""
        record, sequence = self.latest(supplier_reference)
        orders.require_standing(record)
        paid_cents = record.order.total_cents if record.order.payment == PAID else 0
        cancellation = Cancellation(0, paid_cents, record.order.currency, {})
        called_off = orders.cancelled(record, cancellation)
        self._write_next(CANCEL, f"{supplier_reference}-called-off", sequence + 1, called_off)
        return cancellation

    def move(self, supplier_reference: str) -> FlightOrder:
        """The airline itself moves the first flight. A change that `read_order` reports."""
        record, sequence = self.latest(supplier_reference)
        moved = orders.moved(record, sequence + 1, self.now())
        self._write_next(CHANGE, f"{supplier_reference}-moved-{sequence + 1}", sequence + 1, moved)
        return moved.order

    def _totals(self, offer: FlightOffer) -> tuple[int, ...]:
        if self.market.sold_out:
            raise Expired("the offer is sold out")
        return offers.slice_totals(offer, self.market.percent)

    def _order_of(self, write: Write | None) -> FlightOrder | None:
        """The order that `write` belongs to, as it stands now."""
        return self.read_order(write.reference) if write else None

    def _write_next(self, kind: str, client_ref: str, sequence: int, record: OrderRecord) -> None:
        self.write_next(kind, client_ref, record.order.supplier_reference, sequence, record)
