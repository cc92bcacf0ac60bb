"""The document of a trip: which of its bookings are in it, and when there is no document."""

from collections.abc import Iterable

from apps.bookings.listing import first_of
from apps.bookings.models import Booking
from apps.bookings.selectors import bookings_of
from apps.common.errors import Conflict, NotFound, TravellersForgotten
from apps.documents.asked import Asked, Kind
from apps.documents.data import Document
from apps.documents.making import (
    has_documents,
    nothing_was_paid,
    refuse_altering,
    refuse_forgotten,
    refuse_unsold,
    trip_document,
)
from apps.trips.products import PRODUCTS

MOST_BOOKINGS = 50
STANDING = [status for status in Booking.STANDING if has_documents(status)]


def document_of_trip(
    account_id: str, environment: str, products: Iterable[str], trip: str, asked: Asked
) -> Document:
    """Of the trip's bookings of these products. Those that have no such document are left out: an order on hold, one that failed,
    a cancelled stay of an itinerary, one whose travellers are forgotten.

    Raises NotFound for a trip without bookings, Conflict where none has such a document or there are too many, and
    TravellersForgotten where all that would have one are forgotten.
    """
    lists = [
        PRODUCTS[product].among(bookings_of(account_id, environment, product).filter(trip_reference=trip))
        for product in products
    ]
    states = [*STANDING, Booking.CANCELLED] if asked.kind == Kind.RECEIPT else STANDING
    having = [rows.filter(status__in=states) for rows in lists]
    found = first_of(having, "created_at", "id", limit=MOST_BOOKINGS + 1)
    if len(found) > MOST_BOOKINGS:
        raise Conflict(
            f"The trip has more than {MOST_BOOKINGS} bookings: it has no document. Ask for those of the bookings.",
            ours=True,
        )
    if not found and not any(rows.exists() for rows in lists):
        raise NotFound
    paid = [booking for booking in found if not nothing_was_paid(booking)]
    known = [booking for booking in paid if not is_forgotten(booking)]
    if paid and not known:
        raise TravellersForgotten
    if not known:
        raise Conflict(f"None of the trip's bookings has a document of the type {asked.kind}.", ours=True)
    for booking in known:
        refuse_unsold(booking, asked)
    refuse_altering(known, asked)
    return trip_document(trip, known, asked)


def is_forgotten(booking: Booking) -> bool:
    try:
        refuse_forgotten(booking)
    except TravellersForgotten:
        return True
    return False
