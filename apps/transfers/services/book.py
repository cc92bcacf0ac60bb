"""POST /v1/transfers/orders: the order of a quote, through the common booking flow."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.reserve import reserve_quoted
from apps.bookings.handlers import (
    Outcome,
    ProductHandler,
    QuotedBookHandler,
    confirmed_event,
    total_to_pay,
    unless_undone,
)
from apps.bookings.models import Booking, Operation, Product, Settlement
from apps.bookings.refusals import translated
from apps.bookings.trade_rules import Service
from apps.common.clock import day_after
from apps.common.errors import InvalidRequest
from apps.gateway.requests import Caller
from apps.suppliers.currency import kept_with
from apps.suppliers.errors import Unavailable
from apps.suppliers.values import to_json
from apps.transfers.details import CAPTURED, STILL_HELD, FundsState, OrderDetails
from apps.transfers.rules import service_of_offer
from apps.transfers.selectors import QuotedTransfer, belongs_to_another, like_orders, quoted_transfer
from apps.transfers.suppliers.base import (
    LeadPassenger,
    OrderRequest,
    TransferOffer,
    TransferOrder,
    TransferSearch,
    TransferSupplier,
)
from apps.transfers.suppliers.registry import VENDORS, transfer_supplier

LONGEST_FLIGHT_NUMBER = 8


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
) -> Booking:
    """Order a quoted transfer. Raises OfferExpired, InvalidRequest, PriceChanged, InsufficientFunds, Conflict, 502, 503."""

    def begin() -> Operation:
        quoted = quoted_transfer(caller.partner, quote_id)
        refuse_long_flight_number(quoted.request, flight_number)
        details = new_details(quoted, lead_passenger, flight_number, notes)
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
            max_total_cents=max_total_cents,
        )

    return carry_out(caller=caller, begin=begin)


def refuse_long_flight_number(search: TransferSearch, flight_number: str | None) -> None:
    """Raises InvalidRequest (400). Only a station or a port, which need a train or a ship, make the field longer."""
    longer = {"STATION", "PORT"} & {search.start.type, search.end.type}
    if flight_number is not None and not longer and len(flight_number) > LONGEST_FLIGHT_NUMBER:
        raise InvalidRequest.field("flightNumber", f"must have at most {LONGEST_FLIGHT_NUMBER} characters")


def new_details(
    quoted: QuotedTransfer, lead_passenger: LeadPassenger, flight_number: str | None, notes: str | None
) -> OrderDetails:
    """The order as it begins: what was quoted, for whom, with the funds held."""
    offer = quoted.offer
    return OrderDetails(
        quote_id=quoted.id,
        search=quoted.request,
        vehicle=offer.vehicle,
        duration_minutes=offer.duration_minutes,
        cancellation_policy=offer.cancellation_policy,
        lead_passenger=lead_passenger,
        flight_number=flight_number,
        notes=notes,
        settlement=FundsState(STILL_HELD, offer.total_cents),
        remarks=offer.remarks,
        waiting_times=offer.waiting_times,
        policy_is_certain=offer.policy_is_certain,
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
    )


class OrderTransfer(TransferHandler, QuotedBookHandler[TransferSupplier, TransferOffer]):
    """The operation that books a quote."""

    offer_type = TransferOffer

    def service_of(self, booking: Booking, offer: TransferOffer) -> Service:
        return service_of_offer(OrderDetails.of(booking).search, offer)

    def price_now(self, operation: Operation, offer: TransferOffer) -> TransferOffer:
        return self.supplier(operation).reprice(OrderDetails.of(operation.booking).search, offer)

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
        return Outcome(
            status="confirmed",
            details=to_json(details.confirmed(result, total_cents=total, hold_id=operation.hold_id)),
            total_cents=total,
            supplier_reference=result.supplier_reference,
            capture_later=True,
            watched_until=day_after(details.search.outbound.date()),
            events=(confirmed_event(operation, total),),
        )


def penalty_of(order: TransferOrder) -> int | None:
    """What cancelling it cost; None for an order that stands."""
    return order.cancellation.penalty_cents if order.cancellation else None
