"""The seven hotel operations."""

from contextlib import suppress

from apps.bookings.flow.cancel import cancel_booking
from apps.bookings.listing import list_parameters, listed
from apps.bookings.models import Booking, Product
from apps.bookings.refusals import OF_BOOKING, OF_CANCELLATION
from apps.bookings.selectors import booking_of
from apps.bookings.serializers import CancelBody
from apps.common import clock, errors
from apps.gateway import sandbox
from apps.gateway.answer import Answer
from apps.gateway.call import Call
from apps.gateway.envelope import render
from apps.gateway.routes import RateClass, Route, action
from apps.gateway.views import GatewayViewSet
from apps.hotels import presenters, selectors, serializers
from apps.hotels.services.book import book_rate
from apps.hotels.services.hotel_changes import let_hotel_alter
from apps.hotels.services.search import record_of, search_hotels
from apps.suppliers.errors import SupplierError

STATUSES = ("pending", "confirmed", "cancelled", "failed")


def stored_search(search_id: str) -> str | None:
    """The body of an earlier search's answer."""
    search = selectors.stored_search(search_id)
    return None if search is None else render(presenters.search_json(search)).decode()


class HotelSearchViewSet(GatewayViewSet):
    handle = "The search's id, `hsr_…`, from the answer to a search of the last 24 hours."

    @Route(
        "searchHotels",
        scope="hotels:search",
        rate_class=RateClass.SEARCH,
        body=serializers.HotelSearchBody,
        answer=serializers.HotelSearchAnswer,
        status=201,
        product="hotels",
        triggers=sandbox.AT_SUPPLIER,
        errors=(errors.UpstreamError,),
        stored_body=stored_search,
    )
    def create(self, call: Call) -> Answer:
        """Search hotels.

        Answers once prices have settled, each rate bookable for about 20 minutes. An empty body looks in featured cities, 30 days
        ahead, for one night and two adults.
        """
        request = serializers.search_request(call.data, call.partner)
        search = search_hotels(caller=call.caller, request=request)
        record = record_of(search, call.partner, request)
        return Answer(presenters.search_json(search), 201, resource=search.id, record=record)

    @Route(
        "getHotelSearch",
        scope="hotels:search",
        rate_class=RateClass.READ,
        answer=serializers.HotelSearchAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, call: Call, search_id: str) -> Answer:
        """Read a hotel search again, for 24 hours. Free.

        Nothing is priced anew: the rates are those of the search, and expire when it said.
        """
        return Answer(presenters.search_json(selectors.search_of(call.partner, search_id)))


class HotelRateViewSet(GatewayViewSet):
    lookup_url_kwarg = "rateId"
    handle = "The rate's `rateId`, `rate_…`, from a search of the last 20 minutes."

    @Route(
        "getHotelRate",
        scope="hotels:search",
        rate_class=RateClass.READ,
        answer=serializers.QuotedRateAnswer,
        triggers=sandbox.AT_HANDLE,
        errors=(errors.OfferExpired,),
    )
    def retrieve(self, call: Call, rate_id: str) -> Answer:
        """Read a rate as it was quoted. Free."""
        quoted = selectors.quoted_rate(call.partner, rate_id)
        call.trigger.refuse_handle()
        return Answer(presenters.quoted_rate_json(quoted, clock.now(call.partner)))


def booking_answer(booking: Booking) -> Answer:
    return Answer(presenters.stay_booking_json(booking), about=booking)


def new_booking_answer(booking: Booking) -> Answer:
    return Answer(presenters.stay_booking_json(booking), 201, about=booking)


class HotelBookingViewSet(GatewayViewSet):
    handle = "The booking's id, `hbk_…`."

    @Route(
        "createHotelBooking",
        scope="hotels:book",
        rate_class=RateClass.BOOKING,
        body=serializers.HotelBookingBody,
        answer=serializers.HotelBookingAnswer,
        status=201,
        triggers=sandbox.AT_STAY_OR_TRANSFER,
        errors=OF_BOOKING,
    )
    def create(self, call: Call) -> Answer:
        """Book a hotel rate.

        The funds are held before the hotel is asked, and captured once it has confirmed.
        """
        caller = call.caller_answered_by(new_booking_answer)
        booking = book_rate(
            caller=caller,
            rate_id=call.data["rateId"],
            party=serializers.party_named(call.data),
            external_reference=call.data.get("externalReference"),
            max_total_cents=call.data.get("maxTotalCents"),
        )
        if call.trigger.alters_booking():
            with suppress(SupplierError):  # another call may have cancelled it since
                let_hotel_alter(booking)
        return caller.answer(booking)

    @Route(
        "listHotelBookings",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.HotelBookingPage,
        query=list_parameters(STATUSES),
    )
    def list(self, call: Call) -> Answer:
        """List hotel bookings, newest first."""
        return listed(
            call, Product.HOTEL, presenters.stay_booking_json, listing="hotelBookings", statuses=STATUSES
        )

    @Route(
        "getHotelBooking",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.HotelBookingAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, call: Call, booking_id: str) -> Answer:
        """Read a hotel booking."""
        return booking_answer(booking_of(call.partner, Product.HOTEL, booking_id))

    @action(detail=True, methods=["post"])
    @Route(
        "cancelHotelBooking",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=CancelBody,
        answer=serializers.HotelBookingAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=OF_CANCELLATION,
    )
    def cancel(self, call: Call, booking_id: str) -> Answer:
        """Cancel a hotel booking.

        Costs what its cancellation policy says at this moment; a non-refundable booking costs its whole price.
        """
        booking = cancel_booking(
            caller=call.caller_answered_by(booking_answer),
            booking=booking_of(call.partner, Product.HOTEL, booking_id),
            reason=call.data.get("reason"),
            max_penalty_cents=call.data.get("maxPenaltyCents"),
        )
        return booking_answer(booking)
