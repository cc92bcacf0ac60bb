"""The flight operations."""

from contextlib import suppress

from apps.bookings.listing import list_parameters, listed
from apps.bookings.models import Booking, Product
from apps.bookings.refusals import OF_BOOKING, OF_CANCELLATION, OF_QUOTED_CANCELLATION
from apps.bookings.selectors import booking_of
from apps.bookings.serializers import CancellationQuoteAnswer, CancellationQuoteBody, FlightCancelBody
from apps.bookings.views import cancel, cancellation_quote
from apps.common import clock, errors
from apps.flights import presenters, selectors, serializers
from apps.flights.services.accept_schedule_change import accept_schedule_change
from apps.flights.services.add_services import add_services
from apps.flights.services.airline_changes import let_airline_move
from apps.flights.services.book import order_flight
from apps.flights.services.change import change_flight
from apps.flights.services.change_options import find_change_options
from apps.flights.services.list_services import seat_maps_of_offer, services_of_offer, services_of_order
from apps.flights.services.pay import pay_order
from apps.flights.services.reprice import reprice_offer
from apps.flights.services.search import record_of, search_flights
from apps.gateway import sandbox
from apps.gateway.operations import RateClass, action, operation
from apps.gateway.renderers import render
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet
from apps.suppliers.errors import SupplierError

STATUSES = ("pending", "awaiting_approval", "on_hold", "ticketed", "cancelled", "failed")


def stored_search(search_id: str) -> str | None:
    """The body of an earlier search's answer."""
    search = selectors.stored_search(search_id)
    return None if search is None else render(presenters.search_json(search)).decode()


class FlightSearchViewSet(GatewayViewSet):
    handle = "The search's id, `fsr_…`, from a search of the last 24 hours."

    @operation(
        "searchFlights",
        scope="flights:search",
        rate_class=RateClass.SEARCH,
        body=serializers.FlightSearchBody,
        answer=serializers.FlightSearchAnswer,
        status=201,
        product="flights",
        triggers=sandbox.AT_SUPPLIER,
        errors=(errors.UpstreamError,),
        stored_body=stored_search,
    )
    def create(self, request: PartnerRequest) -> Answer:
        """Search flights.

        Returns offers immediately, each bookable for about 20 minutes. There is no session and no polling.
        """
        asked = serializers.search_request(request.validated_data, request.partner.currency)
        search = search_flights(caller=request.caller, request=asked)
        record = record_of(search, request.partner, asked)
        return Answer(presenters.search_json(search), 201, resource=search.id, record=record)

    @operation(
        "getFlightSearch",
        scope="flights:search",
        rate_class=RateClass.READ,
        answer=serializers.FlightSearchAnswer,
        errors=(errors.NotFound,),
        since="1.3",
    )
    def retrieve(self, request: PartnerRequest, search_id: str) -> Answer:
        """Read a flight search again, for 24 hours. Free.

        Returns the search response. Nothing is priced again, and offers that have expired since are included.
        """
        return Answer(presenters.search_json(selectors.search_of(request.partner, search_id)))


class FlightOfferViewSet(GatewayViewSet):
    handle = "The offer's `offerId`, `offer_…`, from a search of the last 20 minutes."

    @operation(
        "repriceFlightOffer",
        scope="flights:search",
        rate_class=RateClass.SEARCH,
        answer=serializers.RepricedOfferAnswer,
        product="flights",
        triggers=sandbox.AT_SUPPLIER | sandbox.AT_HANDLE,
        errors=(errors.OfferExpired, errors.UpstreamError),
    )
    def retrieve(self, request: PartnerRequest, offer_id: str) -> Answer:
        """Re-price an offer with the airline. Billable.

        The price returned here is the quoted price from then on.
        """
        quoted, previous = reprice_offer(caller=request.caller, offer_id=offer_id)
        return Answer(presenters.repriced_json(quoted, previous, clock.now(request.partner)))

    @action(detail=True, methods=["get"])
    @operation(
        "listFlightOfferServices",
        scope="flights:search",
        rate_class=RateClass.SEARCH,
        answer=serializers.ServicesAnswer,
        triggers=sandbox.AT_SUPPLIER | sandbox.AT_HANDLE,
        errors=(errors.OfferExpired, errors.UpstreamError),
        since="1.3",
    )
    def services(self, request: PartnerRequest, offer_id: str) -> Answer:
        """List the bags that can be bought with an offer.

        Fetched from the airline; not billable. To buy bags, send their `serviceId` with the order.
        """
        return Answer(presenters.services_json(services_of_offer(caller=request.caller, offer_id=offer_id)))

    @action(detail=True, methods=["get"], url_path="seat-maps")
    @operation(
        "getFlightOfferSeatMaps",
        scope="flights:search",
        rate_class=RateClass.SEARCH,
        answer=serializers.SeatMapsAnswer,
        triggers=sandbox.AT_SUPPLIER | sandbox.AT_HANDLE,
        errors=(errors.OfferExpired, errors.UpstreamError),
        since="1.3",
    )
    def seat_maps(self, request: PartnerRequest, offer_id: str) -> Answer:
        """Read the seat maps of an offer's flights.

        Fetched from the airline; not billable. To buy a seat, send the `serviceId` that it has for the passenger.
        """
        return Answer(presenters.seat_maps_json(seat_maps_of_offer(caller=request.caller, offer_id=offer_id)))


def order_answer(booking: Booking) -> Answer:
    return Answer(presenters.order_json(booking), about=booking)


def new_order_answer(booking: Booking) -> Answer:
    return Answer(presenters.order_json(booking), 201, about=booking)


class FlightOrderViewSet(GatewayViewSet):
    handle = "The order's id, `ford_…`."
    other_handles = {"changeId": "The schedule change's id, `schedule_…`, from the order or from the event."}

    @operation(
        "createFlightOrder",
        scope="flights:book",
        rate_class=RateClass.BOOKING,
        body=serializers.FlightOrderBody,
        answer=serializers.FlightOrderAnswer,
        status=201,
        triggers=sandbox.AT_FLIGHT_ORDER,
        errors=(*OF_BOOKING, errors.ServiceUnavailable),
    )
    def create(self, request: PartnerRequest) -> Answer:
        """Order a flight offer.

        The funds are held before the airline is called, and captured once it has issued the tickets. With `hold` you pay later.
        """
        caller = request.caller_answered_by(new_order_answer)
        booking = order_flight(
            caller=caller,
            offer_id=request.validated_data["offerId"],
            passengers=serializers.passengers_named(request.validated_data),
            email=request.validated_data["contact"]["email"],
            phone=request.validated_data["contact"]["phone"],
            external_reference=request.validated_data.get("externalReference"),
            trip_reference=request.validated_data.get("tripReference"),
            sold_for_cents=request.validated_data.get("soldForCents"),
            max_total_cents=request.validated_data.get("maxTotalCents"),
            services=serializers.services_wanted(request.validated_data),
            hold=request.validated_data["hold"],
        )
        if request.trigger.moves_flight():
            with suppress(SupplierError):  # another call may have cancelled it since
                let_airline_move(booking)
        return caller.answer(booking)

    @operation(
        "listFlightOrders",
        scope="flights:book",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.FlightOrderPage,
        query=list_parameters(STATUSES),
    )
    def list(self, request: PartnerRequest) -> Answer:
        """List flight orders, newest first."""
        return listed(
            request, Product.FLIGHT, presenters.order_json, listing="flightOrders", statuses=STATUSES
        )

    @operation(
        "getFlightOrder",
        scope="flights:book",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.FlightOrderAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, request: PartnerRequest, order_id: str) -> Answer:
        """Read a flight order."""
        return order_answer(booking_of(request.partner, Product.FLIGHT, order_id))

    @action(detail=True, methods=["post"])
    @operation(
        "cancelFlightOrder",
        scope="flights:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=FlightCancelBody,
        answer=serializers.FlightOrderAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=OF_QUOTED_CANCELLATION,
    )
    def cancel(self, request: PartnerRequest, order_id: str) -> Answer:
        """Cancel a flight order.

        An empty body cancels at any penalty, up to the whole price: send `maxPenaltyCents` to cap it, or the
        `cancellationQuoteId` of a quote. The penalty is the fare's; a non-refundable order costs its whole price.
        """
        return cancel(request, booking_of(request.partner, Product.FLIGHT, order_id), order_answer)

    @action(detail=True, methods=["post"], url_path="cancellation-quote")
    @operation(
        "quoteFlightCancellation",
        scope="flights:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=CancellationQuoteBody,
        answer=CancellationQuoteAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=OF_CANCELLATION,
        since="1.3",
    )
    def cancellation_quote(self, request: PartnerRequest, order_id: str) -> Answer:
        """Quote the cancellation of a flight order.

        Nothing is cancelled and no money moves. Cancelling with the quote's id costs what was quoted, or less. 409: the booking
        is not active, or its supplier gives no cost.
        """
        return cancellation_quote(request, booking_of(request.partner, Product.FLIGHT, order_id))

    @action(detail=True, methods=["post"])
    @operation(
        "payFlightOrder",
        scope="flights:book",
        rate_class=RateClass.BOOKING,
        body=serializers.PayFlightOrderBody,
        answer=serializers.FlightOrderAnswer,
        triggers=sandbox.AT_CHANGE,
        errors=(*OF_BOOKING, errors.NotFound),
        since="1.3",
    )
    def pay(self, request: PartnerRequest, order_id: str) -> Answer:
        """Pay for a flight order on hold.

        The airline confirms the price, the funds are held and captured, and the tickets are issued. 409 `price_changed`: it
        costs more than `totalCents` and `maxTotalCents`. 409 `conflict`: it is paid, cancelled, or changed by the airline. 410:
        `payBy` has passed.
        """
        booking = pay_order(
            caller=request.caller_answered_by(order_answer),
            booking=booking_of(request.partner, Product.FLIGHT, order_id),
            max_total_cents=request.validated_data.get("maxTotalCents"),
        )
        return order_answer(booking)

    @action(detail=True, methods=["post"], url_path="change-options")
    @operation(
        "listFlightChangeOptions",
        scope="flights:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=serializers.FlightChangeOptionsBody,
        answer=serializers.ChangeOptionsAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=OF_CANCELLATION,
    )
    def change_options(self, request: PartnerRequest, order_id: str) -> Answer:
        """Price alternatives to one slice of an order.

        Nothing is reissued and no money moves; an option can be confirmed for 20 minutes at most.
        """
        added = request.validated_data["add"]
        found = find_change_options(
            caller=request.caller,
            booking=booking_of(request.partner, Product.FLIGHT, order_id),
            remove_slice_id=request.validated_data["removeSliceId"],
            origin=added["origin"],
            destination=added["destination"],
            departure_date=added["departureDate"],
        )
        return Answer(presenters.options_json(found))

    @action(detail=True, methods=["post"])
    @operation(
        "changeFlightOrder",
        scope="flights:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=serializers.ConfirmFlightChangeBody,
        answer=serializers.FlightChangeAnswer,
        triggers=sandbox.AT_CHANGE,
        inactive_status=402,
        errors=(
            errors.InsufficientFunds,
            errors.SpendLimitExceeded,
            errors.PaymentFailed,
            errors.NotFound,
            errors.PriceChanged,
            errors.Conflict,
            errors.OfferExpired,
            errors.UpstreamError,
        ),
    )
    def change(self, request: PartnerRequest, order_id: str) -> Answer:
        """Confirm a change and reissue the ticket.

        The cost is held before the airline is called. `settled: false` means that the ticket is reissued and a difference in
        your favour will be credited shortly.
        """
        change_id = request.validated_data["changeId"]

        def changed(booking: Booking) -> Answer:
            return Answer(presenters.changed_json(booking, change_id), about=booking)

        booking = booking_of(request.partner, Product.FLIGHT, order_id)
        return changed(
            change_flight(caller=request.caller_answered_by(changed), booking=booking, change_id=change_id)
        )

    @action(detail=True, methods=["get"])
    @operation(
        "listFlightOrderServices",
        scope="flights:book",
        after_sale=True,
        rate_class=RateClass.SEARCH,
        answer=serializers.ServicesAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=(errors.NotFound, errors.Conflict, errors.UpstreamError),
        since="1.3",
    )
    def services(self, request: PartnerRequest, order_id: str) -> Answer:
        """List the bags that can still be bought for an order.

        Fetched from the airline; not billable. Few airlines sell any. 409: the order is not ticketed, or its flights have
        departed.
        """
        booking = booking_of(request.partner, Product.FLIGHT, order_id)
        return Answer(presenters.services_json(services_of_order(caller=request.caller, booking=booking)))

    @services.mapping.post  # type: ignore[attr-defined, untyped-decorator]
    @operation(
        "addFlightOrderServices",
        scope="flights:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=serializers.AddServicesBody,
        answer=serializers.FlightOrderAnswer,
        triggers=sandbox.AT_CHANGE,
        errors=(errors.NotFound, *OF_BOOKING, errors.ServiceUnavailable),
        since="1.3",
    )
    def add_services(self, request: PartnerRequest, order_id: str) -> Answer:
        """Buy bags for an order.

        The cost is held before the airline is called and captured once it confirms; the order's `totalCents` increases by it.
        """
        booking = add_services(
            caller=request.caller_answered_by(order_answer),
            booking=booking_of(request.partner, Product.FLIGHT, order_id),
            wanted=serializers.services_wanted(request.validated_data),
            max_total_cents=request.validated_data.get("maxTotalCents"),
        )
        return order_answer(booking)

    @action(detail=True, methods=["post"], url_path="schedule-changes/<str:changeId>/accept")
    @operation(
        "acceptFlightScheduleChange",
        scope="flights:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=serializers.AcceptScheduleChangeBody,
        answer=serializers.FlightOrderAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=(errors.NotFound, errors.Conflict, errors.OfferExpired, errors.UpstreamError),
        since="1.2",
    )
    def accept_change(self, request: PartnerRequest, order_id: str, change_id: str) -> Answer:
        """Accept a schedule change of the airline.

        The new flight times become part of the order. No money moves. 409: it was accepted already, a later change replaced it,
        or the order is no longer active. 410: the airline's deadline has passed.
        """
        booking = accept_schedule_change(
            caller=request.caller_answered_by(order_answer),
            booking=booking_of(request.partner, Product.FLIGHT, order_id),
            change_id=change_id,
        )
        return order_answer(booking)
