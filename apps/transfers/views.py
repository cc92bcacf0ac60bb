"""The transfer operations."""

from contextlib import suppress

from apps.bookings.listing import list_parameters, listed
from apps.bookings.models import Booking, Product
from apps.bookings.refusals import OF_BOOKING, OF_CANCELLATION, OF_QUOTED_CANCELLATION
from apps.bookings.selectors import booking_of
from apps.bookings.serializers import CancelBody, CancellationQuoteAnswer, CancellationQuoteBody
from apps.bookings.views import cancel, cancellation_quote
from apps.common import errors
from apps.gateway import sandbox
from apps.gateway.operations import RateClass, action, operation
from apps.gateway.renderers import render
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet
from apps.suppliers.errors import SupplierError
from apps.transfers import presenters, selectors, serializers
from apps.transfers.services.book import order_transfer
from apps.transfers.services.pickup import let_company_alter
from apps.transfers.services.search import can_be_driven, record_of, search_transfers

STATUSES = ("pending", "awaiting_approval", "confirmed", "cancelled", "failed")


def stored_search(search_id: str) -> str | None:
    """The body of an earlier search's answer."""
    search = selectors.stored_search(search_id)
    return None if search is None else render(presenters.search_json(search)).decode()


class TransferSearchViewSet(GatewayViewSet):
    @operation(
        "searchTransfers",
        scope="transfers:search",
        rate_class=RateClass.SEARCH,
        body=serializers.TransferSearchBody,
        answer=serializers.TransferSearchAnswer,
        status=201,
        product="transfers",
        triggers=sandbox.AT_SUPPLIER,
        errors=(errors.UpstreamError,),
        stored_body=stored_search,
    )
    def create(self, request: PartnerRequest) -> Answer:
        """Search transfers.

        Returns offers immediately, each bookable for about 20 minutes. `outbound` is local time without an offset: at an
        airport or station it is the arrival or the departure there. With `inbound` each offer covers both ways at one price. If
        the places are too far apart for any vehicle, the response has no offers and is not billed.
        """
        asked = serializers.search_request(request.validated_data, request.partner.currency)
        search = search_transfers(caller=request.caller, request=asked)
        if not can_be_driven(asked):
            return Answer(presenters.search_json(search), 201, billable=False)
        record = record_of(search, request.partner, asked)
        return Answer(presenters.search_json(search), 201, resource=search.id, record=record)


def order_answer(booking: Booking) -> Answer:
    return Answer(presenters.order_json(booking), about=booking)


def new_order_answer(booking: Booking) -> Answer:
    return Answer(presenters.order_json(booking), 201, about=booking)


class TransferOrderViewSet(GatewayViewSet):
    lookup_url_kwarg = "orderId"
    handle = "The order's `orderId`, `tord_…`."

    @operation(
        "createTransferOrder",
        scope="transfers:book",
        rate_class=RateClass.BOOKING,
        body=serializers.TransferOrderBody,
        answer=serializers.TransferOrderAnswer,
        status=201,
        triggers=sandbox.AT_STAY_OR_TRANSFER,
        errors=OF_BOOKING,
    )
    def create(self, request: PartnerRequest) -> Answer:
        """Order a quoted transfer.

        The funds are held before the supplier is called. They stay held when the order is confirmed, until the reconciliation
        worker captures them: poll the order while `settlement.funds` is `still_held`.
        """
        caller = request.caller_answered_by(new_order_answer)
        booking = order_transfer(
            caller=caller,
            quote_id=request.validated_data["quoteId"],
            lead_passenger=serializers.lead_passenger(request.validated_data),
            flight_number=request.validated_data.get("flightNumber"),
            inbound_flight_number=request.validated_data.get("inboundFlightNumber"),
            extras=serializers.chosen_extras(request.validated_data),
            notes=request.validated_data.get("notes"),
            external_reference=request.validated_data.get("externalReference"),
            trip_reference=request.validated_data.get("tripReference"),
            sold_for_cents=request.validated_data.get("soldForCents"),
            max_total_cents=request.validated_data.get("maxTotalCents"),
        )
        if request.trigger.alters_booking():
            with suppress(SupplierError):  # another call may have cancelled it since
                let_company_alter(booking)
        return caller.answer(booking)

    @operation(
        "listTransferOrders",
        scope="transfers:book",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.TransferOrderPage,
        query=list_parameters(STATUSES),
    )
    def list(self, request: PartnerRequest) -> Answer:
        """List transfer orders, newest first."""
        return listed(
            request, Product.TRANSFER, presenters.order_json, listing="transferOrders", statuses=STATUSES
        )

    @operation(
        "getTransferOrder",
        scope="transfers:book",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.TransferOrderAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, request: PartnerRequest, order_id: str) -> Answer:
        """Read a transfer order.

        Poll it while `settlement.funds` is `still_held`.
        """
        return order_answer(booking_of(request.partner, Product.TRANSFER, order_id))

    @action(detail=True, methods=["post"])
    @operation(
        "cancelTransferOrder",
        scope="transfers:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=CancelBody,
        answer=serializers.TransferOrderAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=OF_QUOTED_CANCELLATION,
    )
    def cancel(self, request: PartnerRequest, order_id: str) -> Answer:
        """Cancel a transfer order.

        An empty body cancels at any penalty, up to the whole price: send `maxPenaltyCents` to cap it, or the
        `cancellationQuoteId` of a quote. The penalty is that of `cancellationSteps` at this moment; the rest of the funds is
        released, or refunded if they were captured.
        """
        return cancel(request, booking_of(request.partner, Product.TRANSFER, order_id), order_answer)

    @action(detail=True, methods=["post"], url_path="cancellation-quote")
    @operation(
        "quoteTransferCancellation",
        scope="transfers:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=CancellationQuoteBody,
        answer=CancellationQuoteAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=OF_CANCELLATION,
        since="1.3",
    )
    def cancellation_quote(self, request: PartnerRequest, order_id: str) -> Answer:
        """Quote the cancellation of a transfer order.

        Nothing is cancelled and no money moves. Cancelling with the quote's id costs what was quoted, or less. 409: the booking
        is not active, or its supplier gives no cost.
        """
        return cancellation_quote(request, booking_of(request.partner, Product.TRANSFER, order_id))
