"""POST /v1/transfers/orders: the order of a quote, through the common booking flow."""

from apps.bookings.models import Booking, Operation, OperationKind, Product
from apps.bookings.refusals import refuse_above, refuse_dearer
from apps.bookings.services.perform import Render
from apps.bookings.services.reserve import NewBooking, reserve_booking
from apps.bookings.services.resume import carry_out
from apps.bookings.work import Outcome, Prepared
from apps.common.clock import day_after
from apps.common.environments import Environment
from apps.gateway import errors
from apps.gateway.call import Caller
from apps.suppliers.codec import from_json, to_json
from apps.transfers.details import STILL_HELD, FundsState, OrderDetails
from apps.transfers.selectors import QuotedTransfer, quoted_transfer
from apps.transfers.services.works import TransferWork
from apps.transfers.suppliers.base import LeadPassenger, OrderRequest, TransferOffer, TransferOrder
from apps.webhooks.services.emit import Fact


def order_transfer(
    *,
    caller: Caller,
    quote_id: str,
    lead_passenger: LeadPassenger,
    flight_number: str | None,
    notes: str | None,
    external_reference: str | None,
    max_total_cents: int | None,
    render: Render,
) -> Booking:
    """Order a quoted transfer. Raises OfferExpired, InvalidRequest, PriceChanged, InsufficientFunds, Conflict, 502, 503."""

    def begin() -> Operation:
        quoted = quoted_transfer(caller.partner, quote_id)
        refuse_unknown_flight(quoted, flight_number, caller.partner.environment)
        total, currency = quoted.offer.total_cents, quoted.offer.currency
        caller.trigger.refuse_handle()
        caller.trigger.refuse_payment(total_cents=total, currency=currency)
        refuse_above(max_total_cents, quoted_cents=total, currency=currency)
        new = NewBooking(
            product=Product.TRANSFER,
            total_cents=total,
            currency=currency,
            supplier_name=quoted.supplier_name,
            external_reference=external_reference,
            details=to_json(new_details(quoted, lead_passenger, flight_number, notes)),
            request={"offer": to_json(quoted.offer), "maxTotalCents": max_total_cents},
        )
        return reserve_booking(caller=caller, new=new)

    return carry_out(caller=caller, begin=begin, render=render)


def refuse_unknown_flight(quoted: QuotedTransfer, flight_number: str | None, environment: str) -> None:
    """400 where a live supplier would have to meet, or to catch, a flight that the order does not name."""
    at_airport = "IATA" in (quoted.request.start.type, quoted.request.end.type)
    if environment == Environment.LIVE and at_airport and flight_number is None:
        raise errors.InvalidRequest.field("flightNumber", "is required from and to airports with a live key")


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
    )


class OrderTransfer(TransferWork):
    """The operation that books a quote."""

    kind = OperationKind.BOOK

    def prepare(self, operation: Operation) -> Prepared:
        """The supplier's price now. Raises PriceChanged when it is above the quote and above what the partner allows."""
        offer = from_json(TransferOffer, operation.request["offer"])
        search = OrderDetails.of(operation.booking).search
        current = self.supplier(operation).reprice(search, offer)
        refuse_dearer(
            current.total_cents,
            quoted_cents=offer.total_cents,
            max_total_cents=operation.request.get("maxTotalCents"),
        )
        return Prepared(current.total_cents, {"offer": to_json(current)})

    def call(self, operation: Operation, trouble: str) -> TransferOrder:
        details = OrderDetails.of(operation.booking)
        request = OrderRequest(
            client_ref=operation.client_ref,
            search=details.search,
            offer=from_json(TransferOffer, operation.prepared["offer"]),
            lead_passenger=details.lead_passenger,
            flight_number=details.flight_number,
            notes=details.notes,
        )
        return self.supplier(operation, trouble).book(request)

    def find(self, operation: Operation) -> TransferOrder | None:
        search = OrderDetails.of(operation.booking).search
        return self.supplier(operation).find_order(operation.client_ref, search)

    def outcome(self, operation: Operation, result: TransferOrder) -> Outcome:
        """The funds stay held: the reconciliation worker captures them."""
        # Never more than is held, whatever the supplier says that it booked.
        total = min(result.total_cents, operation.amount_cents)
        details = OrderDetails.of(operation.booking)
        return Outcome(
            status="confirmed",
            details=to_json(details.confirmed(result, total_cents=total, hold_id=operation.hold_id)),
            total_cents=total,
            supplier_reference=result.supplier_reference,
            capture_later=True,
            watched_until=day_after(details.search.outbound.date()),
            events=(
                Fact("booking.confirmed", {"totalCents": total, "currency": operation.booking.currency}),
            ),
        )
