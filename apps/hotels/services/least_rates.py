"""POST /v1/hotels/min-rates: the least price of hotels for each of some days. Nothing is stored, and nothing booked by it."""

from datetime import date

from django.db.models import F

from apps.bookings.refusals import translated
from apps.gateway.requests import Caller
from apps.hotels.property_pages import found
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import HotelSupplier, LeastRate, StaySearch
from apps.hotels.suppliers.registry import hotel_supplier
from apps.suppliers.errors import InvalidField
from apps.suppliers.http import all_within
from apps.suppliers.registry import supplier_name
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
        hotel_ids = request.hotel_ids or best_known(request, supplier, caller.partner.environment)
        if not hotel_ids:
            return None
        try:
            rates = supplier.least_rates(replaced(request, hotel_ids=hotel_ids), last)
        except InvalidField as error:
            raise InvalidField(FIELDS.get(error.field, error.field), error.message) from error
    rates.sort(key=lambda rate: (rate.check_in, rate.total_cents, rate.hotel_id))
    return rates


def best_known(request: StaySearch, supplier: HotelSupplier, environment: str) -> tuple[str, ...]:
    """The hotels of a city or a country with the most reviews; those that the supplier finds first, where they are not listed yet
    and in a circle.
    """
    if request.area is not None:
        return found_first(request, supplier)
    city = cities.find(request.city, request.country) if request.city else None
    where = {"countryCode": request.country or (city and city.country), "city": request.city}
    listed = found(supplier_name("hotels", environment), {n: v for n, v in where.items() if v}, None)
    on_the_map = listed.filter(latitude__isnull=False).order_by(
        F("review_count").desc(nulls_last=True), "hotel_id"
    )
    known = tuple(on_the_map.values_list("hotel_id", flat=True)[:MOST_HOTELS])
    return known or found_first(request, supplier)


def found_first(request: StaySearch, supplier: HotelSupplier) -> tuple[str, ...]:
    offers = supplier.search(replaced(request, limit=MOST_HOTELS))
    return tuple(offer.hotel.hotel_id for offer in offers)


def searches_of(first: date, last: date) -> int:
    """As how many searches the days count: one for each seven begun."""
    return -(-((last - first).days + 1) // DAYS_OF_A_SEARCH)
