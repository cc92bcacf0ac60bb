"""GET /v1/bookings: the bookings of all products that a key may read, in one list."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet

from apps.bookings.listing import OF_TRIP, answer_of, newest_of, page_of_updates, read_since
from apps.bookings.listing import PARAMETER as UPDATED_SINCE
from apps.bookings.models import Booking, Product
from apps.bookings.selectors import SERVICE_DAY, filtered, serving_from
from apps.bookings.serializers import STATUSES
from apps.common.errors import InsufficientScope, InvalidRequest, listed
from apps.esim.presenters import order_json as esim_order_json
from apps.esim.selectors import without_top_ups
from apps.flights.presenters import order_json as flight_order_json
from apps.gateway.operations import QueryParameter, RateClass, operation
from apps.gateway.pagination import ANY_TEXT, PAGE_PARAMETERS, read_day, read_filters
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.gateway.viewsets import GatewayViewSet
from apps.hotels.presenters import stay_booking_json
from apps.keys.partner import Partner
from apps.transfers.presenters import order_json as transfer_order_json
from apps.trips.serializers import AnyBookingPage


@dataclass(frozen=True, slots=True)
class Listed:
    """How the list of one product shows its bookings, and the scope that opens it."""

    scope: str
    present: Callable[[Booking], dict[str, object]]
    among: Callable[[QuerySet[Booking]], QuerySet[Booking]] = lambda bookings: bookings


PRODUCTS: dict[str, Listed] = {
    Product.HOTEL: Listed("hotels:book", stay_booking_json),
    Product.FLIGHT: Listed("flights:book", flight_order_json),
    Product.TRANSFER: Listed("transfers:book", transfer_order_json),
    Product.ESIM: Listed("esim:read", esim_order_json, without_top_ups),
}
FIRST_SCOPE, *OTHER_SCOPES = (product.scope for product in PRODUCTS.values())
DATE = {"type": "string", "format": "date"}
PARAMETERS = (
    *PAGE_PARAMETERS,
    OF_TRIP,
    QueryParameter(
        "product",
        {"type": "string", "enum": list(PRODUCTS)},
        "Only bookings of this product. Left out: of all that the key may read.",
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
        "Only bookings whose first service begins on this day or later, `YYYY-MM-DD`, as the calendar at the place has it: the "
        "day of arrival at a hotel, of the first flight, of the first ride. An eSIM has no such day, and is left out.",
        since="1.3",
    ),
    QueryParameter(
        "serviceTo",
        DATE,
        "Only bookings whose first service begins on this day or earlier, as `serviceFrom` has it.",
        since="1.3",
    ),
)


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

        One list over the products whose bookings the key may read, each booking as the list of its product has it, with its
        `bookingType`. `tripReference` finds all of a trip; `serviceFrom` and `serviceTo` find who travels in these days.
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


def products_to_list(partner: Partner, asked: str) -> list[str]:
    """Those that the key may read: the asked one, or all. Raises InsufficientScope where it may not read the one asked for."""
    if asked and (scope := PRODUCTS[asked].scope) not in partner.scopes:
        raise InsufficientScope(
            why=f"The bookings of this product need the scope {scope}; the key has {listed(sorted(partner.scopes))}.",
            missingScope=scope,
        )
    return [asked] if asked else [name for name, one in PRODUCTS.items() if one.scope in partner.scopes]


def bookings(
    partner: Partner, product: str, filters: dict[str, str], first: date | None, last: date | None
) -> QuerySet[Booking]:
    rows = PRODUCTS[product].among(filtered(partner, product, filters))
    if first is None and last is None:
        return rows
    return rows.alias(service_day=SERVICE_DAY).filter(serving_from(first, last))


def booking_json(booking: Booking) -> dict[str, object]:
    return {"bookingType": booking.product, **PRODUCTS[booking.product].present(booking)}
