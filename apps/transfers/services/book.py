"""POST /v1/transfers/orders: the order of a quote, through the common booking flow."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import reserve_quoted
from apps.bookings.handlers import (
    Outcome,
    Prepared,
    ProductHandler,
    QuotedBookHandler,
    confirmed_event,
    total_to_pay,
    unless_undone,
)
from apps.bookings.models import Booking, Operation, Product, Settlement
from apps.bookings.refusals import refuse_dearer, translated
from apps.bookings.trade_rules import Service, refuse_unsold
from apps.common.clock import day_after
from apps.common.errors import InvalidRequest
from apps.gateway.requests import Caller
from apps.suppliers.currency import kept_with
from apps.suppliers.errors import Expired, Unavailable
from apps.suppliers.values import from_json, to_json
from apps.transfers.details import CAPTURED, STILL_HELD, BoughtExtra, FundsState, OrderDetails
from apps.transfers.rules import service_of_offer
from apps.transfers.selectors import QuotedTransfer, belongs_to_another, like_orders, quoted_transfer
from apps.transfers.suppliers.base import (
    ChosenExtra,
    LeadPassenger,
    OrderRequest,
    TransferOffer,
    TransferOrder,
    TransferSearch,
    TransferSupplier,
    price_of_extras,
)
from apps.transfers.suppliers.registry import VENDORS, transfer_supplier
from apps.transfers.suppliers.trips import with_extras

LONGEST_FLIGHT_NUMBER = 8
EXTRAS = "extras"
"""The entry of an operation's `request` that has the chosen extras."""


class TransferHandler(ProductHandler[TransferSupplier]):
    """What ordering and cancelling share."""

    product = Product.TRANSFER
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> TransferSupplier:
        return transfer_supplier(booking.environment, fault, booking.exchange, named=booking.supplier_name)

    def settled(self, booking: Booking, settlement: Settlement) -> Mapping[str, Any]:
        """`settlement.funds` of the order once the reconciliation worker has captured them."""
        assert settlement.settled_at is not None
        details = OrderDetails.of(booking)
        captured = details.settlement.resolved(CAPTURED, settlement.amount_cents, settlement.settled_at)
        found: Mapping[str, Any] = to_json(replace(details, settlement=captured))
        return found


def order_transfer(
    *,
    caller: Caller,
    quote_id: str,
    lead_passenger: LeadPassenger,
    flight_number: str | None,
    notes: str | None,
    external_reference: str | None,
    max_total_cents: int | None,
    sold_for_cents: int | None = None,
    inbound_flight_number: str | None = None,
    extras: Sequence[ChosenExtra] = (),
    trip_reference: str | None = None,
) -> Booking:
    """Order a quoted transfer, with its extras.

    Raises OfferExpired, InvalidRequest, PriceChanged, InsufficientFunds, Conflict, 502, 503.
    """

    def begin() -> Operation:
        quoted = quoted_transfer(caller.partner, quote_id)
        refuse_long_flight_number(quoted.request, flight_number)
        refuse_inbound_flight_number(quoted.request, inbound_flight_number)
        bought = bought_extras(quoted.offer, extras)
        details = new_details(quoted, lead_passenger, flight_number, notes, inbound_flight_number, bought)
        exchange = kept_with(quoted.offer.supplier_data)
        with translated():
            supplier = transfer_supplier(
                caller.partner.environment, exchange=exchange, named=quoted.supplier_name
            )
            supplier.refuse_lacking(request_of(details, quoted.offer))
        return reserve_quoted(
            caller=caller,
            product=Product.TRANSFER,
            offer=quoted.offer,
            supplier_name=quoted.supplier_name,
            details=details,
            external_reference=external_reference,
            trip_reference=trip_reference,
            sold_for_cents=sold_for_cents,
            max_total_cents=max_total_cents,
            extra_cents=sum(extra.total_cents for extra in bought),
            extras={EXTRAS: to_json(details.chosen)} if bought else None,
        )

    return carry_out(caller=caller, begin=begin)


def refuse_long_flight_number(
    search: TransferSearch, flight_number: str | None, field: str = "flightNumber"
) -> None:
    """Raises InvalidRequest (400). Only a station or a port, which need a train or a ship, make the field longer."""
    longer = {"STATION", "PORT"} & {search.start.type, search.end.type}
    if flight_number is not None and not longer and len(flight_number) > LONGEST_FLIGHT_NUMBER:
        raise InvalidRequest.field(field, f"must have at most {LONGEST_FLIGHT_NUMBER} characters")


def refuse_inbound_flight_number(search: TransferSearch, number: str | None) -> None:
    """Raises InvalidRequest (400) for one that is too long, or of a journey of one way."""
    if number is not None and search.inbound is None:
        raise InvalidRequest.field("inboundFlightNumber", "must be left out: the quote is of one way")
    refuse_long_flight_number(search, number, "inboundFlightNumber")


def bought_extras(offer: TransferOffer, chosen: Sequence[ChosenExtra]) -> tuple[BoughtExtra, ...]:
    """The chosen extras as they were quoted. Raises InvalidRequest (400) at each one that cannot be ordered."""
    offered = {extra.code: extra for extra in offer.extras}
    details: list[dict[str, str]] = []
    bought: dict[str, BoughtExtra] = {}
    for at, (code, quantity) in enumerate(chosen):
        extra, message = offered.get(code), ""
        field = f"extras.{at}.code"
        if extra is None:
            message = "is not an extra of this quote"
        elif code in bought:
            message = "must be named once; give the number as its quantity"
        elif not extra.min_quantity <= quantity <= extra.max_quantity:
            field = f"extras.{at}.quantity"
            message = f"must be at most {extra.max_quantity}"
            if quantity < extra.min_quantity:
                message = f"must be at least {extra.min_quantity}"
        if message:
            details.append({"field": field, "message": message})
        if extra is not None:
            total = quantity * extra.unit_cents
            bought[code] = BoughtExtra(code, extra.name, quantity, total, extra.directions)
    if details:
        raise InvalidRequest(details=details)
    return tuple(bought.values())


def new_details(
    quoted: QuotedTransfer,
    lead_passenger: LeadPassenger,
    flight_number: str | None,
    notes: str | None,
    inbound_flight_number: str | None = None,
    extras: tuple[BoughtExtra, ...] = (),
) -> OrderDetails:
    """The order as it begins: what was quoted, for whom, with the funds held."""
    offer = quoted.offer
    policy, certain = with_extras(
        (offer.cancellation_policy, offer.policy_is_certain),
        offer.total_cents,
        sum(extra.total_cents for extra in extras),
    )
    return OrderDetails(
        quote_id=quoted.id,
        search=quoted.request,
        vehicle=offer.vehicle,
        duration_minutes=offer.duration_minutes,
        cancellation_policy=policy,
        lead_passenger=lead_passenger,
        flight_number=flight_number,
        notes=notes,
        settlement=FundsState(STILL_HELD, offer.total_cents + sum(extra.total_cents for extra in extras)),
        remarks=offer.remarks,
        waiting_times=offer.waiting_times,
        policy_is_certain=certain,
        inbound_flight_number=inbound_flight_number,
        back=offer.back,
        extras=extras,
    )


def request_of(details: OrderDetails, offer: TransferOffer, client_ref: str = "") -> OrderRequest:
    """The order as a supplier is asked for it."""
    return OrderRequest(
        client_ref=client_ref,
        search=details.search,
        offer=offer,
        lead_passenger=details.lead_passenger,
        flight_number=details.flight_number,
        notes=details.notes,
        inbound_flight_number=details.inbound_flight_number,
        extras=details.chosen,
    )


class OrderTransfer(TransferHandler, QuotedBookHandler[TransferSupplier, TransferOffer]):
    """The operation that books a quote."""

    offer_type = TransferOffer

    def service_of(self, booking: Booking, offer: TransferOffer) -> Service:
        return service_of_offer(OrderDetails.of(booking).search, offer)

    def price_now(self, operation: Operation, offer: TransferOffer) -> TransferOffer:
        return self.supplier(operation).reprice(OrderDetails.of(operation.booking).search, offer)

    def prepare(self, operation: Operation) -> Prepared:
        """With extras: the price of ride and extras together. Raises Expired where one of them is gone."""
        written = operation.request.get(EXTRAS)
        if not written:
            return super().prepare(operation)
        chosen = from_json(tuple[ChosenExtra, ...], written)
        booking, offer = operation.booking, self.quoted_offer(operation)
        refuse_unsold(self.service_of(booking, offer), booking.now())
        current = self.price_now(operation, offer)
        beside = price_of_extras(current.extras, chosen)
        if beside is None:
            raise Expired("an extra is no longer sold")
        refuse_dearer(
            current.total_cents + beside,
            quoted_cents=offer.total_cents + (price_of_extras(offer.extras, chosen) or 0),
            max_total_cents=operation.request.get("maxTotalCents"),
        )
        return Prepared(current.total_cents + beside, {self.offer_entry: to_json(current)})

    def call(self, operation: Operation, fault: str) -> TransferOrder:
        return self.supplier(operation, fault).book(self.request(operation))

    def find(self, operation: Operation) -> TransferOrder | None:
        """Raises Unavailable where the order that was found belongs to another booking."""
        request = replace(
            self.request(operation), sent_at=operation.call_started_at, others=like_orders(operation.booking)
        )
        found = self.supplier(operation).find_order(operation.client_ref, request)
        if found is not None and belongs_to_another(operation.booking, found.supplier_reference):
            raise Unavailable("what was found is another booking's order")
        return unless_undone(found, penalty_of)

    def request(self, operation: Operation) -> OrderRequest:
        details = OrderDetails.of(operation.booking)
        return request_of(details, self.prepared_offer(operation), operation.client_ref)

    def outcome(self, operation: Operation, result: TransferOrder) -> Outcome:
        """The funds stay held: the reconciliation worker captures them."""
        total = total_to_pay(operation, result)
        details = OrderDetails.of(operation.booking)
        if details.extras:
            details = details.at_prices_of(self.prepared_offer(operation))
        return Outcome(
            status="confirmed",
            details=to_json(details.confirmed(result, total_cents=total, hold_id=operation.hold_id)),
            total_cents=total,
            supplier_reference=result.supplier_reference,
            capture_later=True,
            watched_until=day_after(details.last_day),
            events=(confirmed_event(operation, total),),
        )


def penalty_of(order: TransferOrder) -> int | None:
    """What cancelling it cost; None for an order that stands."""
    return order.cancellation.penalty_cents if order.cancellation else None
