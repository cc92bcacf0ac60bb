"""POST /v1/hotels/min-rates: the least price of hotels for each of some days. Nothing is stored, and nothing booked by it."""

from datetime import date

from apps.bookings.refusals import translated
from apps.gateway.requests import Caller
from apps.hotels.suppliers.base import HotelSupplier, LeastRate, StaySearch
from apps.hotels.suppliers.registry import hotel_supplier
from apps.suppliers.errors import InvalidField
from apps.suppliers.http import all_within
from apps.suppliers.results import Found
from apps.suppliers.values import replaced

MOST_DAYS = 31
MOST_HOTELS = 50
DAYS_OF_A_SEARCH = 7
"""What counts as one search of the quota."""
WITHIN_SECONDS = 20
FIELDS = {"checkIn": "from", "checkOut": "nights"}
"""How this operation calls what a search calls otherwise."""


def find_least_rates(*, caller: Caller, request: StaySearch, last: date) -> Found[LeastRate] | None:
    """By day, then price. None where there are no hotels to ask for. Raises UpstreamError, UpstreamUnavailable."""
    supplier = hotel_supplier(caller.partner.environment, caller.trigger.at_supplier())
    with translated(), all_within(WITHIN_SECONDS):
        hotel_ids = request.hotel_ids or best_known(supplier, request)
        if not hotel_ids:
            return None
        try:
            found = supplier.least_rates(replaced(request, hotel_ids=hotel_ids), last)
        except InvalidField as error:
            raise InvalidField(FIELDS.get(error.field, error.field), error.message) from error
    found.sort(key=lambda rate: (rate.check_in, rate.total_cents, rate.hotel_id))
    return found


def best_known(supplier: HotelSupplier, request: StaySearch) -> tuple[str, ...]:
    """The hotels that the supplier names first of a place."""
    found = supplier.search(replaced(request, limit=MOST_HOTELS))
    return tuple(offer.hotel.hotel_id for offer in found)


def searches_of(first: date, last: date) -> int:
    """As how many searches the days count: one for each seven begun."""
    return -(-((last - first).days + 1) // DAYS_OF_A_SEARCH)
