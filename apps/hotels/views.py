"""The hotel operations."""

from contextlib import suppress

from apps.bookings.listing import list_parameters, listed
from apps.bookings.models import Booking, Product
from apps.bookings.refusals import OF_BOOKING, OF_CANCELLATION, OF_QUOTED_CANCELLATION
from apps.bookings.selectors import booking_of
from apps.bookings.serializers import CancelBody, CancellationQuoteAnswer, CancellationQuoteBody
from apps.bookings.views import cancel, cancellation_quote
from apps.common import clock, errors
from apps.gateway import sandbox
from apps.gateway.operations import QueryParameter, RateClass, action, operation
from apps.gateway.pagination import ANY_TEXT, ANY_TEXT_SCHEMA, read_filters, read_limit
from apps.gateway.renderers import render
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet
from apps.hotels import presenters, selectors, serializers
from apps.hotels.property_pages import PARAMETERS, property_page
from apps.hotels.property_serializers import PropertyAnswer, PropertyPage
from apps.hotels.services.book import book_rate
from apps.hotels.services.change import change_stay
from apps.hotels.services.change_options import find_change_options
from apps.hotels.services.correct_guest import correct_guest
from apps.hotels.services.destination import at_place
from apps.hotels.services.hotel_changes import let_hotel_alter
from apps.hotels.services.least_rates import find_least_rates
from apps.hotels.services.read_property import read_property
from apps.hotels.services.search import record_of, search_hotels
from apps.suppliers.errors import SupplierError
from apps.suppliers.results import Found

STATUSES = ("pending", "awaiting_approval", "confirmed", "cancelled", "failed")


def stored_search(search_id: str) -> str | None:
    """The body of an earlier search's answer."""
    search = selectors.stored_search(search_id)
    return None if search is None else render(presenters.search_json(search)).decode()


class HotelSearchViewSet(GatewayViewSet):
    handle = "The search's id, `hsr_…`, from a search of the last 24 hours."

    @operation(
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
    def create(self, request: PartnerRequest) -> Answer:
        """Search hotels.

        Returns once prices have settled; each rate can be booked for about 20 minutes. An empty body searches featured cities,
        30 days ahead, for one night and two adults.
        """
        asked = serializers.search_request(request.validated_data, request.partner)
        if place_id := request.validated_data.get("destination", {}).get("placeId"):
            asked = at_place(asked, place_id, request.partner)
        search = search_hotels(
            caller=request.caller,
            request=asked,
            page_size=request.validated_data.get("pageSize"),
            language=request.validated_data.get("language"),
        )
        record = record_of(search, request.partner, asked)
        return Answer(presenters.search_json(search), 201, resource=search.id, record=record)

    @operation(
        "getHotelSearch",
        scope="hotels:search",
        rate_class=RateClass.READ,
        answer=serializers.HotelSearchAnswer,
        query=serializers.PAGE_OF_SEARCH,
        errors=(errors.NotFound,),
    )
    def retrieve(self, request: PartnerRequest, search_id: str) -> Answer:
        """Read a hotel search again, for 24 hours. Free.

        Rates are not priced again: they are those of the search and expire as stated there. Without parameters you get the
        search response again; with `cursor`, the following hotels.
        """
        limit = read_limit(request) if "limit" in request.query_params else None
        cursor = request.query_params.get("cursor")
        first = 0 if cursor is None else presenters.place_at(search_id, cursor)
        search = selectors.search_of(request.partner, search_id)
        return Answer(presenters.search_json(search, first=first, size=limit))


class HotelMinRatesViewSet(GatewayViewSet):
    @operation(
        "searchHotelMinRates",
        scope="hotels:search",
        rate_class=RateClass.SEARCH,
        body=serializers.MinRatesBody,
        answer=serializers.MinRatesAnswer,
        product="hotels",
        units=serializers.searches_in,
        triggers=sandbox.AT_SUPPLIER,
        errors=(errors.UpstreamError,),
        since="1.3",
    )
    def create(self, request: PartnerRequest) -> Answer:
        """Find the cheapest dates of hotels.

        The lowest price of each hotel for each day of arrival, for lists and calendars; search to see the terms and to book.
        Every seven days or part of them count as one search of the quota. Days for which the supplier does not respond in time
        are counted in `withheld`; if it responds for none, nothing is billed.
        """
        asked = serializers.min_rates_request(request.validated_data, request.partner)
        if place_id := request.validated_data.get("destination", {}).get("placeId"):
            asked = at_place(asked, place_id, request.partner)
        found = find_least_rates(caller=request.caller, request=asked, last=request.validated_data["to"])
        return Answer(presenters.min_rates_json(found or Found()), billable=found is not None)


class HotelRateViewSet(GatewayViewSet):
    lookup_url_kwarg = "rateId"
    handle = "The rate's `rateId`, `rate_…`, from a search of the last 20 minutes."

    @operation(
        "getHotelRate",
        scope="hotels:search",
        rate_class=RateClass.READ,
        answer=serializers.QuotedRateAnswer,
        triggers=sandbox.AT_HANDLE,
        errors=(errors.OfferExpired,),
    )
    def retrieve(self, request: PartnerRequest, rate_id: str) -> Answer:
        """Read a rate as it was quoted. Free."""
        quoted = selectors.quoted_rate(request.partner, rate_id)
        request.trigger.refuse_handle()
        return Answer(presenters.quoted_rate_json(quoted, clock.now(request.partner)))


LANGUAGE = QueryParameter(
    "language",
    ANY_TEXT_SCHEMA,
    "The language of all texts, such as `de` or `pt-BR`, of which the first part counts, in any case. If left out, or if the "
    "hotel has no description in it: English, and `language` is `en`.",
)


class HotelPropertyViewSet(GatewayViewSet):
    lookup_url_kwarg = "hotelId"
    handle = "The hotel's `hotelId`, from a search or a list."

    @operation(
        "listHotelProperties",
        scope="hotels:search",
        rate_class=RateClass.READ,
        answer=PropertyPage,
        query=PARAMETERS,
        since="1.3",
    )
    def list(self, request: PartnerRequest) -> Answer:
        """List hotels with their facts. Free.

        From our catalogue, ordered by when their content changed, oldest first. It includes hotels without coordinates, which
        no search finds. Read one by its `hotelId` for its texts, rooms, facilities and policies.
        """
        return Answer(property_page(request))

    @operation(
        "getHotelProperty",
        scope="hotels:search",
        rate_class=RateClass.READ,
        answer=PropertyAnswer,
        query=(LANGUAGE,),
        errors=(errors.NotFound, errors.UpstreamUnavailable),
        since="1.3",
    )
    def retrieve(self, request: PartnerRequest, hotel_id: str) -> Answer:
        """Read a hotel: texts, pictures, facilities, rooms and policies. Free.

        In the requested language, if the hotel has a description in it. The first read of a hotel in a language may take a few
        seconds.
        """
        tag = read_filters(request, {"language": ANY_TEXT}).get("language")
        return Answer(presenters.property_json(read_property(request.partner, hotel_id, tag)))


def booking_answer(booking: Booking) -> Answer:
    return Answer(presenters.stay_booking_json(booking), about=booking)


def new_booking_answer(booking: Booking) -> Answer:
    return Answer(presenters.stay_booking_json(booking), 201, about=booking)


def correction_answer(booking: Booking) -> Answer:
    return Answer(presenters.stay_booking_json(booking), 202, about=booking)


class HotelBookingViewSet(GatewayViewSet):
    handle = "The booking's id, `hbk_…`."

    @operation(
        "createHotelBooking",
        scope="hotels:book",
        rate_class=RateClass.BOOKING,
        body=serializers.HotelBookingBody,
        answer=serializers.HotelBookingAnswer,
        status=201,
        triggers=sandbox.AT_STAY_OR_TRANSFER,
        errors=OF_BOOKING,
    )
    def create(self, request: PartnerRequest) -> Answer:
        """Book a hotel rate.

        The funds are held before the hotel is called, and captured once it confirms.
        """
        caller = request.caller_answered_by(new_booking_answer)
        booking = book_rate(
            caller=caller,
            rate_id=request.validated_data["rateId"],
            party=serializers.party_named(request.validated_data),
            external_reference=request.validated_data.get("externalReference"),
            trip_reference=request.validated_data.get("tripReference"),
            sold_for_cents=request.validated_data.get("soldForCents"),
            max_total_cents=request.validated_data.get("maxTotalCents"),
        )
        if request.trigger.alters_booking():
            with suppress(SupplierError):  # another call may have cancelled it since
                let_hotel_alter(booking)
        return caller.answer(booking)

    @operation(
        "listHotelBookings",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.HotelBookingPage,
        query=list_parameters(STATUSES),
    )
    def list(self, request: PartnerRequest) -> Answer:
        """List hotel bookings, newest first."""
        return listed(
            request, Product.HOTEL, presenters.stay_booking_json, listing="hotelBookings", statuses=STATUSES
        )

    @operation(
        "getHotelBooking",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.READ,
        answer=serializers.HotelBookingAnswer,
        errors=(errors.NotFound,),
    )
    def retrieve(self, request: PartnerRequest, booking_id: str) -> Answer:
        """Read a hotel booking."""
        return booking_answer(booking_of(request.partner, Product.HOTEL, booking_id))

    @action(detail=True, methods=["post"])
    @operation(
        "cancelHotelBooking",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=CancelBody,
        answer=serializers.HotelBookingAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=OF_QUOTED_CANCELLATION,
    )
    def cancel(self, request: PartnerRequest, booking_id: str) -> Answer:
        """Cancel a hotel booking.

        An empty body cancels at any penalty, up to the whole price: send `maxPenaltyCents` to cap it, or the
        `cancellationQuoteId` of a quote. The penalty is that of `cancellationSteps` at this moment; a non-refundable booking
        costs its whole price.
        """
        return cancel(request, booking_of(request.partner, Product.HOTEL, booking_id), booking_answer)

    @action(detail=True, methods=["post"], url_path="change-options")
    @operation(
        "findHotelChangeOptions",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=serializers.HotelChangeOptionsBody,
        answer=serializers.ChangeOptionsAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=OF_CANCELLATION,
        since="1.3",
    )
    def change_options(self, request: PartnerRequest, booking_id: str) -> Answer:
        """Price other dates or rooms for a hotel booking.

        Nothing is changed and no money moves; an option can be confirmed for 20 minutes at most. 409: the booking is not
        confirmed or not refundable, a change is in progress, or the stay has begun.
        """
        booking = booking_of(request.partner, Product.HOTEL, booking_id)
        wanted = request.validated_data
        found = find_change_options(
            caller=request.caller,
            booking=booking,
            check_in=wanted.get("checkIn"),
            check_out=wanted.get("checkOut"),
            rooms=serializers.rooms_of(wanted) if "rooms" in wanted else None,
        )
        return Answer(presenters.change_options_json(booking, found))

    @action(detail=True, methods=["post"])
    @operation(
        "changeHotelBooking",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=serializers.ConfirmHotelChangeBody,
        answer=serializers.ChangedBookingAnswer,
        triggers=sandbox.AT_CHANGE,
        errors=(*OF_BOOKING, errors.NotFound),
        since="1.3",
    )
    def change(self, request: PartnerRequest, booking_id: str) -> Answer:
        """Change the dates or rooms of a hotel booking.

        The new stay is booked first, then the old one is cancelled. The cost is held before the hotel is called. `settled:
        false` means that the stay is changed and a difference in your favour will be credited shortly. 503: the booking shows
        `changeUnderWay` until the outcome is known; you are charged for one stay in any case.
        """
        change_id = request.validated_data["changeId"]

        def changed(booking: Booking) -> Answer:
            return Answer(presenters.changed_json(booking, change_id), about=booking)

        booking = change_stay(
            caller=request.caller_answered_by(changed),
            booking=booking_of(request.partner, Product.HOTEL, booking_id),
            change_id=change_id,
            max_total_cents=request.validated_data.get("maxTotalCents"),
        )
        return changed(booking)

    @action(detail=True, methods=["post"], url_path="cancellation-quote")
    @operation(
        "quoteHotelCancellation",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=CancellationQuoteBody,
        answer=CancellationQuoteAnswer,
        triggers=sandbox.AT_SUPPLIER,
        errors=OF_CANCELLATION,
        since="1.3",
    )
    def cancellation_quote(self, request: PartnerRequest, booking_id: str) -> Answer:
        """Quote the cancellation of a hotel booking.

        Nothing is cancelled and no money moves. Cancelling with the quote's id costs what was quoted, or less. 409: the booking
        is not active, or its supplier gives no cost.
        """
        return cancellation_quote(request, booking_of(request.partner, Product.HOTEL, booking_id))

    @action(detail=True, methods=["post"], url_path="correct-guest")
    @operation(
        "correctHotelGuest",
        scope="hotels:book",
        after_sale=True,
        rate_class=RateClass.BOOKING,
        body=serializers.CorrectGuestBody,
        answer=serializers.HotelBookingAnswer,
        status=202,
        triggers=sandbox.AT_CORRECTION,
        errors=OF_CANCELLATION,
        since="1.3",
    )
    def correct_guest(self, request: PartnerRequest, booking_id: str) -> Answer:
        """Request a correction of the lead guest's name.

        No money moves. The supplier's staff handle the request; the response is the booking with `correction`. Once the hotel
        has the name, `guests` shows it and `booking.supplier_changed` is sent. 409: the booking is not active, the stay is
        over, or another correction is open.
        """
        asked = request.validated_data
        booking = correct_guest(
            caller=request.caller_answered_by(correction_answer),
            booking=booking_of(request.partner, Product.HOTEL, booking_id),
            guest=asked["guest"],
            first_name=asked["firstName"],
            last_name=asked["lastName"],
        )
        return correction_answer(booking)
