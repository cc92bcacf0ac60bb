"""POST /v1/flights/orders: the order of an offer, through the common booking flow."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from apps.bookings.flow.claim import carry_out
from apps.bookings.flow.lease import take_lease
from apps.bookings.flow.recover import find, wait
from apps.bookings.flow.reserve import reserve_quoted
from apps.bookings.flow.settle import confirm, fail
from apps.bookings.handlers import (
    REMINDED_BEFORE,
    Accepted,
    Outcome,
    Prepared,
    ProductHandler,
    QuotedBookHandler,
    confirmed_event,
    tell_of_full_credit,
    total_to_pay,
    unless_undone,
)
from apps.bookings.models import Booking, Operation, OperationKind, OperationState, Product
from apps.bookings.refusals import CREATION_FAILED, refuse_dearer, translated
from apps.bookings.trade_rules import Service, refuse_unsold
from apps.common import clock, errors
from apps.common.clock import rfc3339
from apps.common.ids import handle
from apps.flights.details import OrderDetails, bought
from apps.flights.itinerary import OrderSlice
from apps.flights.rules import (
    account_objections,
    age_objections,
    document_objections,
    flown,
    last_day,
    seats_of_party,
)
from apps.flights.selectors import QuotedOffer, listed_services, quoted_offer
from apps.flights.services.list_services import Wanted, chosen_services
from apps.flights.suppliers.base import (
    LAPSED,
    ChosenService,
    FlightOffer,
    FlightOrder,
    FlightSupplier,
    OrderRequest,
    Passenger,
    price_of,
)
from apps.flights.suppliers.registry import VENDORS, flight_supplier
from apps.gateway.declared import counted
from apps.gateway.requests import Caller
from apps.keys.partner import Partner
from apps.ledger.selectors import balance_of
from apps.suppliers.errors import InvalidField, Unavailable
from apps.suppliers.values import from_json, to_json
from apps.webhooks.events import BOOKING_HOLD_EXPIRING, Fact

KINDS = (("adult", "adults"), ("child", "children"), ("infant", "infants"))
NOT_HOLDABLE = "must be left out: this offer has to be paid at once"
logger = logging.getLogger(__name__)


class FlightHandler(ProductHandler[FlightSupplier]):
    product = Product.FLIGHT
    vendors = VENDORS

    def supplier_of(self, booking: Booking, fault: str = "") -> FlightSupplier:
        return flight_supplier(booking.environment, fault, booking.exchange, named=booking.supplier_name)


def order_flight(
    *,
    caller: Caller,
    offer_id: str,
    passengers: tuple[Passenger, ...],
    email: str,
    phone: str,
    external_reference: str | None,
    max_total_cents: int | None,
    sold_for_cents: int | None = None,
    services: Sequence[Wanted] = (),
    hold: bool = False,
    trip_reference: str | None = None,
) -> Booking:
    """Order an offer, with bags and seats; or put it on hold (`hold`), without any: it is paid later. Raises OfferExpired,
    InvalidRequest (passengers, services, hold), PriceChanged, ServiceUnavailable, InsufficientFunds, Conflict, 502, 503.
    """

    def begin() -> Operation:
        quoted = quoted_offer(caller.partner, offer_id)
        refuse_other_passengers(quoted, passengers)
        refuse_other_ages(quoted, passengers)
        refuse_other_documents(quoted, passengers)
        refuse_unsuitable(quoted, caller, passengers)
        chosen = services_of_offer(quoted, caller.partner, passengers, services) if services else ()
        if hold and not can_be_held(quoted.offer, clock.now(caller.partner)):
            raise errors.InvalidRequest.field("hold", NOT_HOLDABLE)
        return reserve_quoted(
            caller=caller,
            product=Product.FLIGHT,
            offer=quoted.offer,
            supplier_name=quoted.supplier_name,
            details=new_details(quoted, passengers, email, phone, chosen),
            external_reference=external_reference,
            trip_reference=trip_reference,
            sold_for_cents=sold_for_cents,
            max_total_cents=max_total_cents,
            extra_cents=price_of(chosen),
            extras={SERVICES: to_json(chosen)} if chosen else None,
            on_hold=hold,
        )

    return carry_out(caller=caller, begin=begin)


def can_be_held(offer: FlightOffer, now: datetime) -> bool:
    return offer.pay_by is not None and offer.pay_by > now


def refuse_other_passengers(quoted: QuotedOffer, passengers: tuple[Passenger, ...]) -> None:
    """Raises InvalidRequest (400) unless there are as many passengers of each type as were searched for."""
    for kind, plural in KINDS:
        wanted = getattr(quoted.passengers, plural)
        given = sum(passenger.type == kind for passenger in passengers)
        if wanted != given:
            raise errors.InvalidRequest.field(
                "passengers", f"must have {counted(wanted, kind)}, as were searched for, and not {given}"
            )


def refuse_other_ages(quoted: QuotedOffer, passengers: tuple[Passenger, ...]) -> None:
    """Raises InvalidRequest (400) for a passenger whose age is not that of their type on the day of the last leg, or for a child
    of an age that was not searched for.
    """
    day = last_day(quoted.offer.slices)
    details = age_objections(passengers, day)
    objected = {detail["field"] for detail in details}
    left = list(quoted.passengers.children_ages)
    for place, passenger in enumerate(passengers):
        field, age = f"passengers.{place}.dateOfBirth", passenger.age_on(day)
        if passenger.type != "child" or not quoted.passengers.children_ages or field in objected:
            continue
        if age in left:
            left.remove(age)
        else:
            message = f"is that of a {age}-year-old on {day}, and no other child of that age was searched for"
            details.append({"field": field, "message": message})
    if details:
        raise errors.InvalidRequest(details=details)


def refuse_other_documents(quoted: QuotedOffer, passengers: tuple[Passenger, ...]) -> None:
    """Raises InvalidRequest (400) for identity documents that the offer does not take, that expire on the way, or that are
    missing; and for accounts of loyalty programmes that it does not take.
    """
    details = [*document_objections(passengers, quoted.offer), *account_objections(passengers, quoted.offer)]
    if details:
        raise errors.InvalidRequest(details=details)


def refuse_unsuitable(quoted: QuotedOffer, caller: Caller, passengers: tuple[Passenger, ...]) -> None:
    """Raises InvalidRequest (400) for passengers that the offer's supplier does not accept as they are."""
    with translated():
        supplier = flight_supplier(caller.partner.environment, named=quoted.supplier_name)
        objections = supplier.objections(passengers)
    if objections:
        raise errors.InvalidRequest(
            details=[{"field": objection.field, "message": objection.message} for objection in objections]
        )


def services_of_offer(
    quoted: QuotedOffer, partner: Partner, passengers: tuple[Passenger, ...], wanted: Sequence[Wanted]
) -> tuple[ChosenService, ...]:
    """The wanted services as they were listed. Raises InvalidRequest (400) for those that cannot be ordered together."""
    seats = seats_of_party(passengers, quoted.passengers, last_day(quoted.offer.slices))
    listed = listed_services(partner, [one.service_id for one in wanted], quoted.id)
    return chosen_services(wanted, listed, passengers, seats, "offer")


def new_details(
    quoted: QuotedOffer,
    passengers: tuple[Passenger, ...],
    email: str,
    phone: str,
    services: tuple[ChosenService, ...] = (),
) -> OrderDetails:
    """The order as it begins: the offer's legs under the offer's slice ids."""
    offer = quoted.offer
    slices = tuple(
        OrderSlice(handle("slice", quoted.search_id, quoted.position, place), leg)
        for place, leg in enumerate(offer.slices)
    )
    return OrderDetails(
        offer_id=quoted.id,
        carrier=offer.carrier,
        carrier_name=offer.carrier_name,
        cabin=offer.cabin,
        slices=slices,
        conditions=offer.conditions,
        fare_brand=offer.fare_brand,
        baggage=offer.baggage,
        conditions_url=offer.conditions_url,
        passengers=passengers,
        email=email,
        phone=phone,
        services=bought(services, slices),
    )


SERVICES = "services"
"""The entry of an operation's `request` (as listed) and `prepared` (as sold just before the call)."""


def services_in(entries: Mapping[str, Any]) -> tuple[ChosenService, ...]:
    written = entries.get(SERVICES)
    return from_json(tuple[ChosenService, ...], written) if written else ()


class OrderFlight(FlightHandler, QuotedBookHandler[FlightSupplier, FlightOffer]):
    """The operation that books an offer."""

    offer_type = FlightOffer

    def service_of(self, booking: Booking, offer: FlightOffer) -> Service:
        return flown(offer.slices)

    def price_now(self, operation: Operation, offer: FlightOffer) -> FlightOffer:
        current = self.supplier(operation).reprice(offer)
        if is_hold(operation):
            self.refuse_unheld(operation.booking, current)
        return current

    @staticmethod
    def refuse_unheld(booking: Booking, offer: FlightOffer) -> None:
        """Raises InvalidField for an offer that can no longer be held, InsufficientFunds where the funds do not cover a price
        that has risen.
        """
        if not can_be_held(offer, booking.now()):
            raise InvalidField("hold", NOT_HOLDABLE)
        available = balance_of(booking.account_id, booking.environment).available_cents
        if offer.total_cents > max(available, booking.total_cents):
            raise errors.InsufficientFunds(
                available_cents=available, required_cents=offer.total_cents, currency=booking.currency
            )

    def prepare(self, operation: Operation) -> Prepared:
        """With services: the price of fare and services together, and the services as the airline's latest list has them."""
        chosen = services_in(operation.request)
        if not chosen:
            return super().prepare(operation)
        booking, offer = operation.booking, self.quoted_offer(operation)
        refuse_unsold(self.service_of(booking, offer), booking.now())
        current, now = self.supplier(operation).reprice_services(offer, chosen)
        total = current.total_cents + price_of(now)
        refuse_dearer(
            total,
            quoted_cents=offer.total_cents + price_of(chosen),
            max_total_cents=operation.request.get("maxTotalCents"),
        )
        return Prepared(total, {self.offer_entry: to_json(current), SERVICES: to_json(now)})

    def call(self, operation: Operation, fault: str) -> FlightOrder:
        details = OrderDetails.of(operation.booking)
        request = OrderRequest(
            client_ref=operation.client_ref,
            offer=self.prepared_offer(operation),
            passengers=details.passengers,
            email=details.email,
            phone=details.phone,
            services=services_in(operation.prepared),
            hold=is_hold(operation),
        )
        order = self.supplier(operation, fault).book(request)
        return order if request.hold else issued(order)

    def find(self, operation: Operation) -> FlightOrder | None:
        found = self.supplier(operation).find_order(operation.client_ref, self.quoted_offer(operation))
        if is_hold(operation):  # nothing was paid of one that is over
            return found if found is not None and not found.cancelled and found.payment != LAPSED else None
        return issued_unless_undone(operation.booking, found)

    def outcome(self, operation: Operation, result: FlightOrder) -> Outcome:
        if is_hold(operation):
            return self.put_on_hold(operation, result)
        total = total_to_pay(operation, result)
        ordered = OrderDetails.of(operation.booking)
        details = ordered.ticketed(result)
        if chosen := services_in(operation.prepared):
            details = replace(details, services=bought(chosen, ordered.slices, result.services))
        return Outcome(
            status="ticketed",
            details=to_json(details),
            total_cents=total,
            supplier_reference=result.supplier_reference,
            capture_cents=total,
            watched_until=details.ends_at,
            events=(confirmed_event(operation, total),),
        )

    def put_on_hold(self, operation: Operation, result: FlightOrder) -> Outcome:
        """Its total is what paying it costs. Where it ends soon, the reminder of that comes at once."""
        booking, offer = operation.booking, self.prepared_offer(operation)
        details = OrderDetails.of(booking).held(result, offer)
        total = result.total_cents if result.currency == booking.currency else offer.total_cents
        soon = details.pay_by is not None and details.pay_by - REMINDED_BEFORE <= booking.now()
        return Outcome(
            status=Booking.ON_HOLD,
            details=to_json(replace(details, hold_reminded=soon)),
            total_cents=total,
            supplier_reference=result.supplier_reference,
            watched_until=details.ends_at,
            events=(expiring_event(details, total, booking.currency),) if soon else (),
        )


def is_hold(operation: Operation) -> bool:
    return operation.request.get("hold") is True


def expiring_event(details: OrderDetails, total_cents: int, currency: str) -> Fact:
    return Fact(BOOKING_HOLD_EXPIRING, hold_facts(details, total_cents, currency))


def hold_facts(details: OrderDetails, total_cents: int, currency: str) -> dict[str, object]:
    """What the events about the end of a hold say."""
    assert details.pay_by is not None
    return {"payBy": rfc3339(details.pay_by), "totalCents": total_cents, "currency": currency}


def issued(order: FlightOrder) -> FlightOrder:
    """The order with its tickets. Raises Accepted while the airline has not issued them yet."""
    if not order.issued:
        raise Accepted(order.supplier_reference)
    return order


def issued_unless_undone(booking: Booking, found: FlightOrder | None) -> FlightOrder | None:
    """What a look-up found of a call that pays, with its tickets; None where it was undone at no cost. Raises Accepted."""
    if found is not None and found.cancelled and found.cancellation is None:
        tell_of_full_credit(booking, found.supplier_reference)
    order = unless_undone(found, penalty_of)
    return issued(order) if order is not None else None


def penalty_of(order: FlightOrder) -> int | None:
    """What cancelling it cost: 0 where the airline does not say; None for an order that stands."""
    if not order.cancelled:
        return None
    return order.cancellation.penalty_cents if order.cancellation else 0


def believe_failed_creation(supplier: str, offer_id: str) -> None:
    """Fail the operation where a signed event says that the order of an offer failed, and a look-up finds none. Raises
    Unavailable to be called again.

    Where several of our operations wait for the same offer, the event may be about any of them: they are looked up as usual. An
    operation whose call is still under way waits, too; this is called again once the call has ended.
    """
    waiting = _waiting_for(supplier, offer_id)
    if len(waiting) == 1:
        _resolve(waiting[0])


def _waiting_for(supplier: str, offer_id: str) -> list[Operation]:
    return list(
        Operation.objects.select_related("booking")
        .filter(
            state__in=(OperationState.CALLING, OperationState.UNCERTAIN),
            kind=OperationKind.BOOK,
            booking__product=Product.FLIGHT,
            booking__supplier_name=supplier,
        )
        .annotate(asked=Cast("request", TextField()))
        .filter(asked__contains=json.dumps(offer_id))
    )


def _resolve(operation: Operation) -> None:
    if not take_lease(operation):
        raise Unavailable(f"{operation} is in progress, or being looked up")
    try:
        order = find(operation, patiently=True)
    except Accepted:
        wait(operation)  # it is there, and has no tickets yet
        return
    if order is not None:
        confirm(operation, order)
        return
    logger.warning("%s: the supplier reports that it failed", operation)
    fail(operation, failure=CREATION_FAILED)
