"""What is read of all products together: GET /v1/bookings, their bookings in one list, and the document of a trip."""

from datetime import date

from django.db.models import QuerySet

from apps.bookings.listing import OF_TRIP, answer_of, newest_of, page_of_updates, read_since
from apps.bookings.listing import PARAMETER as UPDATED_SINCE
from apps.bookings.models import Booking
from apps.bookings.selectors import SERVICE_DAY, filtered, serving_from
from apps.bookings.serializers import STATUSES
from apps.common import errors
from apps.common.errors import InsufficientScope, InvalidRequest
from apps.documents.asked import Kind
from apps.documents.making import HTML, PDF
from apps.documents.views import FORMED, asked_in, file_answer, type_parameter
from apps.gateway.fields import WITHOUT_CONTROLS
from apps.gateway.operations import QueryParameter, RateClass, action, operation
from apps.gateway.pagination import ANY_TEXT, PAGE_PARAMETERS, read_day, read_filters
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet
from apps.keys.partner import Partner
from apps.trips.documents import document_of_trip
from apps.trips.products import FIRST_SCOPE, OTHER_SCOPES, PRODUCTS, products_to_list
from apps.trips.serializers import AnyBookingPage

DATE = {"type": "string", "format": "date"}
PARAMETERS = (
    *PAGE_PARAMETERS,
    OF_TRIP,
    QueryParameter(
        "product",
        {"type": "string", "enum": list(PRODUCTS)},
        "Only bookings of this product. Left out: all products that the key may read.",
        since="1.3",
    ),
    QueryParameter(
        "status",
        {"type": "string", "enum": list(STATUSES)},
        "Only bookings that have this status now.",
        since="1.3",
    ),
    UPDATED_SINCE,
    QueryParameter(
        "serviceFrom",
        DATE,
        "Only bookings whose first service begins on this day or later, `YYYY-MM-DD`, in local time: the day of arrival at a "
        "hotel, of the first flight or of the first ride. eSIM orders have no such day and are left out.",
        since="1.3",
    ),
    QueryParameter(
        "serviceTo",
        DATE,
        "Only bookings whose first service begins on this day or earlier, as `serviceFrom` has it.",
        since="1.3",
    ),
)


LONGEST_REFERENCE = 64


class BookingViewSet(GatewayViewSet):
    @operation(
        "listBookings",
        scope=FIRST_SCOPE,
        other_scopes=tuple(OTHER_SCOPES),
        rate_class=RateClass.READ,
        answer=AnyBookingPage,
        query=PARAMETERS,
        errors=(InvalidRequest, InsufficientScope),
        since="1.3",
    )
    def list(self, request: PartnerRequest) -> Answer:
        """List the bookings of all products, newest first.

        One list across the products whose bookings the key may read. Each booking has the form of its product's own list, plus
        `bookingType`. `tripReference` finds all bookings of a trip; `serviceFrom` and `serviceTo` find those that begin on
        given days.
        """
        filters = read_filters(
            request, {"tripReference": ANY_TEXT, "status": tuple(STATUSES), "product": tuple(PRODUCTS)}
        )
        first, last = read_days(request)
        since = read_since(request)
        days = {"serviceFrom": first, "serviceTo": last}
        bound = {**filters, **{name: day.isoformat() for name, day in days.items() if day is not None}}
        products = products_to_list(request.partner, filters.pop("product", ""))
        lists = [bookings(request.partner, product, filters, first, last) for product in products]
        if since is not None:
            shown, cursor = page_of_updates(request, lists, since, listing="bookings", filters=bound)
        else:
            shown, cursor = newest_of(request, lists, listing="bookings", filters=bound)
        return answer_of([booking_json(booking) for booking in shown], cursor)


def read_days(request: PartnerRequest) -> tuple[date | None, date | None]:
    """`serviceFrom` and `serviceTo`, each None where it is left out. Raises InvalidRequest."""
    first, last = read_day(request, "serviceFrom"), read_day(request, "serviceTo")
    if first is not None and last is not None and last < first:
        raise InvalidRequest.field("serviceTo", "must not be before `serviceFrom`")
    return first, last


def bookings(
    partner: Partner, product: str, filters: dict[str, str], first: date | None, last: date | None
) -> QuerySet[Booking]:
    rows = PRODUCTS[product].among(filtered(partner, product, filters))
    if first is None and last is None:
        return rows
    return rows.alias(service_day=SERVICE_DAY).filter(serving_from(first, last))


def booking_json(booking: Booking) -> dict[str, object]:
    return {"bookingType": booking.product, **PRODUCTS[booking.product].present(booking)}


class TripViewSet(GatewayViewSet):
    @action(detail=False, methods=["get"])
    @operation(
        "getTripDocument",
        scope=FIRST_SCOPE,
        other_scopes=tuple(OTHER_SCOPES),
        rate_class=RateClass.READ,
        answer=None,
        files=(PDF, HTML),
        query=(
            QueryParameter(
                "tripReference",
                {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": LONGEST_REFERENCE,
                    "pattern": WITHOUT_CONTROLS,
                },
                "Your own reference of the trip, spelled exactly.",
                since="1.3",
                required=True,
            ),
            type_parameter(Kind.ITINERARY),
            *FORMED,
        ),
        errors=(
            InvalidRequest,
            InsufficientScope,
            errors.NotFound,
            errors.Conflict,
            errors.TravellersForgotten,
        ),
        since="1.3",
    )
    def document(self, request: PartnerRequest) -> Answer:
        """Get one document of all bookings of a trip.

        An overview, then each booking in the order in which the services begin, in local time; each voucher is on a page of its
        own. It covers the products whose bookings the key may read. Bookings without such a document are left out: those that
        are pending, on hold or failed, cancelled ones unless it is a receipt, and those whose travellers were erased. 409
        `conflict` if none is left, and for more than 50 bookings.
        """
        trip = request.query_params.get("tripReference", "").strip()
        wrong = []
        if not (1 <= len(trip) <= LONGEST_REFERENCE and trip.isprintable()):
            message = f"must have 1 to {LONGEST_REFERENCE} printable characters"
            wrong = [{"field": "tripReference", "message": message}]
        asked = asked_in(request, Kind.ITINERARY, wrong)
        partner = request.partner
        products = products_to_list(partner)
        place = partner.account_id, partner.environment
        return file_answer(lambda: document_of_trip(*place, products, trip, asked), asked)
